// SPDX-License-Identifier: GPL-2.0-only
// Time asleep by stack: a flame graph that zooms, and the longest stacks.

const FLAME_ROW = 18, FLAME_DEPTH = 64, FLAME_NARROW = 0.6;

/* Builds the tree of all stacks: { name, ns, from, children, parent, depth }; from: ns of the frames to its left. */
function flameTree(lines) {
	const root = { name: "all", ns: 0, from: 0, children: [], parent: null, depth: 0 };

	for (const [text, time] of lines) {
		const ns = Number(time);
		let node = root;

		root.ns += ns;
		for (const name of text.split(";").slice(0, FLAME_DEPTH)) {
			let child = node.children[node.children.length - 1];

			/* Lines are sorted: equal frames follow each other. */
			if (!child || child.name !== name) {
				child = { name, ns: 0, from: root.ns - ns, children: [], parent: node, depth: node.depth + 1 };
				node.children.push(child);
			}
			child.ns += ns;
			node = child;
		}
	}
	return root;
}

function flameColour(node) {
	let hash = 0;

	for (let i = 0; i < node.name.length; i++)
		hash = (31 * hash + node.name.charCodeAt(i)) % 997;
	return `var(--f${node.depth < 3 ? node.depth : 3 + hash % 5})`;
}

class FlameGraph {
	constructor(lines) {
		this.root = this.zoomed = this.at = flameTree(lines);
		this.height = 0;
		this.readout = make("output", { id: "flame-readout", class: "readout", "aria-live": "polite" }, "\u00a0");
		this.back = makeButton("Show all", () => this.zoom(this.root), { disabled: true });
		this.box = make("div", { class: "picture flame", tabindex: 0, role: "img", "aria-describedby": "flame-readout",
			"aria-label": "Flame graph of time asleep. Arrow keys move between frames, Enter zooms, Escape shows all. " +
				"The table below has the longest stacks." });
		this.box.addEventListener("keydown", (event) => this.key(event));
		drawWhenSized(this.box, (width) => this.draw(width));
	}

	draw(width) {
		const svg = makeSvg("svg", { width, "aria-hidden": "true" });

		this.width = width;
		/* The picture doesn't shrink, so that the page below it stays in place. */
		this.height = Math.max(this.height, this.drawNode(svg, this.root, width / (this.zoomed.ns || 1)) * FLAME_ROW + 1);
		svg.setAttribute("height", this.height);
		this.box.replaceChildren(svg);
	}

	/* Draws a frame and the frames in it; returns their depth. */
	drawNode(svg, node, scale) {
		const from = Math.max(node.from, this.zoomed.from);
		const width = (Math.min(node.from + node.ns, this.zoomed.from + this.zoomed.ns) - from) * scale;

		if (width < FLAME_NARROW)
			return 0;
		if (node.parent)
			svg.append(this.frame(node, (from - this.zoomed.from) * scale, width));
		return node.children.reduce((deepest, child) => Math.max(deepest, this.drawNode(svg, child, scale)), node.depth);
	}

	frame(node, x, width) {
		const y = (node.depth - 1) * FLAME_ROW, name = cleanName(node.name), letters = Math.floor((width - 6) / 6.9);
		const rect = makeSvg("rect", { x, y, width: Math.max(width - 1, 0.5), height: FLAME_ROW - 1, rx: 1 });
		const group = makeSvg("g", { class: node === this.at ? "at" : null }, makeSvg("title", {}, this.say(node)), rect);

		rect.style.fill = flameColour(node);
		if (letters > 2)
			group.append(makeSvg("text", { x: x + 3, y: y + 13 },
				name.length > letters ? `${name.slice(0, letters - 1)}\u2026` : name));
		group.addEventListener("click", () => this.zoom(node));
		group.addEventListener("pointerenter", () => {
			this.readout.textContent = this.say(node);
		});
		return group;
	}

	say(node) {
		return `${cleanName(node.name)}: ${formatTime(node.ns)}, ${formatShare(node.ns, this.root.ns)} of all`;
	}

	zoom(node) {
		this.zoomed = this.at = node;
		this.back.disabled = node === this.root;
		this.readout.textContent = this.say(node);
		this.draw(this.width);
	}

	/* Returns a neighbour of a frame in the same parent. */
	beside(node, step) {
		const row = node.parent ? node.parent.children : [node];

		return row[row.indexOf(node) + step] || node;
	}

	key(event) {
		const to = { ArrowDown: () => this.at.children[0] || this.at, ArrowUp: () => this.at.parent || this.at,
			ArrowLeft: () => this.beside(this.at, -1), ArrowRight: () => this.beside(this.at, 1) }[event.key];

		if (event.key === "Enter" || event.key === "Escape")
			this.zoom(event.key === "Enter" ? this.at : this.root);
		else if (to) {
			this.at = to();
			this.readout.textContent = this.say(this.at);
			this.draw(this.width);
		} else
			return;
		event.preventDefault();
	}
}

function makeStackTable(stacks) {
	const rows = stacks.lines.map(([text, ns]) => ({ frames: text.split(";"), ns }));
	const columns = [
		{ title: "Asleep ms", number: true, cell: (r) => nsCell(r.ns), sort: (r) => r.ns },
		{ title: "Share", number: true, cell: (r) => make("td", { class: "number" }, formatShare(r.ns, stacks.ns)) },
		{ title: "Process", cell: (r) => nameCell(cleanName(r.frames[0])), sort: (r) => r.frames[0] },
		{ title: "Thread", cell: (r) => nameCell(cleanName(r.frames[1] || "")), sort: (r) => r.frames[1] || "" },
		{ title: "In, innermost first", cell: (r) => make("td", { class: "story" },
			make("bdi", {}, cleanName(r.frames.slice(2).reverse().join(" \u2039 "), 400))) },
	];

	return makeTable(columns, rows, { caption: "Stacks in which threads slept longest", shown: 8, sorted: 0, stack: true })
		.element;
}

function showBlocked(root, data) {
	const stacks = data.stacks;

	if (!stacks) {
		makeSection(root, "blocked", "Where threads slept", null,
			make("p", { class: "none" }, "The recording has no stacks: \u201cfxtrec record --stacks\u201d records them."));
		return;
	}
	const parts = [["Idle pools left out", stacks.idle_ns], ["Short stacks left out", stacks.left_out_ns],
		["Without a stack", stacks.unknown_ns]];
	const hint = ["Time asleep by stack, outermost on top.", ...parts.filter(([, ns]) => Number(ns))
		.map(([what, ns]) => `${what}: ${formatTime(ns)}.`)].join(" ");
	const section = makeSection(root, "blocked", "Where threads slept", hint);

	if (!stacks.lines.length) {
		section.append(make("p", { class: "none" }, "Only idle pools slept."));
		return;
	}
	const graph = new FlameGraph(stacks.lines);

	section.append(make("div", { class: "controls" }, graph.back, graph.readout), graph.box, makeStackTable(stacks));
}
