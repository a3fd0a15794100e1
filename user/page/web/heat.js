// SPDX-License-Identifier: GPL-2.0-only
// CPUs over time: a heat map, and each CPU's sums.

const HEAT_PLANES = { busy: 0, interrupt: 1, waiting: 2, unknown: 3 };
const HEAT_KINDS = [
	{ id: "busy", title: "Busy", colour: "--run", text: (value) => `busy ${formatShare(value, 1)}` },
	{ id: "waiting", title: "Waiting threads", colour: "--preempted", text: (value) => `${value.toFixed(2)} threads waiting` },
	{ id: "interrupt", title: "Interrupts", colour: "--irq", text: (value) => `in interrupts ${formatShare(value, 1)}` },
];
const HEAT_LEFT = 48, HEAT_FOOT = 20;

/* Returns a function that reads the share or number of a cell. */
function heatReader(heat) {
	const bytes = base64Bytes(pageText("heat-cells")), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const rows = heat.cpus.length;

	return (plane, row, column) => {
		const at = (HEAT_PLANES[plane] * rows + row) * heat.columns + column;

		return view.getUint16(2 * at, true) / (plane === "waiting" ? heat.waiting_one : heat.one);
	};
}

/* Returns the channels of a colour, in any form that a canvas understands. */
function colourParts(text) {
	const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");

	context.fillStyle = text;
	context.fillRect(0, 0, 1, 1);
	return context.getImageData(0, 0, 1, 1).data;
}

/* Returns the step of an axis, in ns: 1, 2 or 5 times a power of ten, for at most that many steps. */
function axisStep(span, most) {
	const power = Math.pow(10, Math.floor(Math.log10(span / most)));

	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= most) || 10 * power;
}

function formatScale(share) {
	return `${Number((100 * share).toPrecision(3))} %`;
}

class HeatMap {
	constructor(data, kind) {
		this.facts = data.facts;
		this.heat = data.heat;
		this.read = heatReader(data.heat);
		this.kind = kind;
		this.at = null;
		this.canvas = make("canvas", { tabindex: 0, role: "img", "aria-describedby": "heat-readout",
			"aria-label": "CPUs over time. Arrow keys move from cell to cell, Enter shows the moment in the timeline. " +
				"The table below has each CPU's sums." });
		this.readout = make("output", { id: "heat-readout", class: "readout", "aria-live": "polite" }, "\u00a0");
		this.scale = make("div", { class: "scale", "aria-hidden": "true" });
		this.box = make("div", { class: "picture" }, this.canvas);
		this.listen();
		drawWhenSized(this.box, (width) => this.draw(width));
	}

	/* Returns the unknown part of a cell: waiting threads are unknown where any CPU's events were lost. */
	unknown(row, column) {
		const unknown = this.read("unknown", row, column);

		return this.kind.id === "waiting" ? Math.max(unknown, this.heat.lost[column] / this.heat.one) : unknown;
	}

	/*
	 * Returns the value with the full colour: for waiting threads, which have no limit, the greatest number; else
	 * all of the time, or, where little would be visible, 1, 2 or 5 times a power of ten above the greatest share.
	 */
	most() {
		const waiting = this.kind.id === "waiting";
		let most = waiting ? 1 : 0;

		for (let row = 0; row < this.heat.cpus.length; row++)
			for (let column = 0; column < this.heat.columns; column++)
				most = Math.max(most, this.read(this.kind.id, row, column));
		return waiting ? most : most > 0.2 || !most ? 1 : axisStep(most, 1);
	}

	draw(width) {
		const rows = this.heat.cpus.length, ratio = devicePixelRatio || 1;
		const rowHeight = Math.max(3, Math.min(26, Math.floor(320 / Math.max(rows, 1))));
		const height = rows * rowHeight + HEAT_FOOT, context = this.canvas.getContext("2d");

		this.width = width;
		this.rowHeight = rowHeight;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = `${height}px`;
		context.scale(ratio, ratio);
		this.drawCells(context);
		this.drawAxes(context, rows, height);
		this.drawAt(context);
		this.drawScale();
	}

	/* Draws the cells into a picture with a pixel for each, which is stretched. */
	drawCells(context) {
		const { columns, cpus } = this.heat, most = this.most();
		const low = colourParts(themeColour("--idle")), high = colourParts(themeColour(this.kind.colour));
		const none = colourParts(themeColour("--unknown"));
		const small = Object.assign(document.createElement("canvas"), { width: columns, height: cpus.length || 1 });
		const image = small.getContext("2d").createImageData(columns, cpus.length || 1);

		for (let row = 0; row < cpus.length; row++)
			for (let column = 0; column < columns; column++) {
				const share = Math.min(1, this.read(this.kind.id, row, column) / most);
				const unknown = this.unknown(row, column), to = 4 * (row * columns + column);

				for (let part = 0; part < 3; part++) {
					const colour = low[part] + (high[part] - low[part]) * Math.pow(share, 0.8);

					image.data[to + part] = colour + (none[part] - colour) * unknown;
				}
				image.data[to + 3] = 255;
			}
		small.getContext("2d").putImageData(image, 0, 0);
		context.imageSmoothingEnabled = false;
		context.drawImage(small, HEAT_LEFT, 0, this.span(), cpus.length * this.rowHeight);
		context.fillStyle = themeColour("--panel");
		for (let row = 1; row < cpus.length && this.rowHeight > 5; row++)
			context.fillRect(HEAT_LEFT, row * this.rowHeight - 1, this.span(), 1);
	}

	drawAxes(context, rows, height) {
		const ns = nsBetween(this.facts.from_ns, this.facts.to_ns), step = axisStep(ns || 1, Math.max(2, this.span() / 90));
		const every = Math.max(1, Math.ceil(16 / this.rowHeight));

		context.font = "11px system-ui, sans-serif";
		context.fillStyle = themeColour("--faint");
		context.textAlign = "left";
		context.textBaseline = "middle";
		for (let row = 0; row < rows; row += every)
			context.fillText(`CPU ${this.heat.cpus[row]}`, 0, Math.max(6, (row + 0.5) * this.rowHeight), HEAT_LEFT - 6);
		context.textBaseline = "alphabetic";
		for (let at = 0; at <= ns; at += step) {
			const x = HEAT_LEFT + this.span() * at / this.all();

			context.fillRect(Math.round(x), height - HEAT_FOOT, 1, 4);
			if (x < this.width - 40)
				context.fillText(formatTick(at), x + 3, height - 5);
		}
	}

	drawAt(context) {
		const at = this.at;

		if (!at)
			return;
		const cell = this.span() / this.heat.columns;

		context.strokeStyle = themeColour("--ink");
		context.lineWidth = 1.5;
		context.strokeRect(HEAT_LEFT + at.column * cell - 0.5, at.row * this.rowHeight + 0.5, Math.max(cell, 2) + 1,
			this.rowHeight - 2);
	}

	drawScale() {
		const most = this.most(), bar = make("span", { class: "ramp" });

		bar.style.background = `linear-gradient(to right, var(--idle), var(${this.kind.colour}))`;
		this.scale.replaceChildren("0", bar, this.kind.id === "waiting" ? String(Math.round(10 * most) / 10) : formatScale(most),
			make("span", { class: "swatch unknown" }), "unknown");
	}

	span() {
		return Math.max(10, this.width - HEAT_LEFT);
	}

	/* Returns the ns of all columns: the last one may end after the trace. */
	all() {
		return this.heat.columns * Number(this.heat.step_ns);
	}

	/* Returns begin and end of a column. */
	times(column) {
		const from = BigInt(this.facts.from_ns) + BigInt(column) * BigInt(this.heat.step_ns);
		const to = from + BigInt(this.heat.step_ns), end = BigInt(this.facts.to_ns);

		return [from, to < end ? to : end];
	}

	move(row, column) {
		const { cpus, columns } = this.heat;

		if (!cpus.length || !columns)
			return;
		const at = { row: Math.max(0, Math.min(cpus.length - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
		const [from, to] = this.times(at.column), unknown = this.unknown(at.row, at.column);

		this.at = at;
		this.readout.textContent =
			`CPU ${cpus[at.row]}, ${formatMoment(from, this.facts)} to ${formatMoment(to, this.facts)}: ` +
			HEAT_KINDS.map((kind) => kind.text(this.read(kind.id, at.row, at.column))).join(", ") +
			(unknown ? `, unknown ${formatShare(unknown, 1)}` : "");
		this.draw(this.width);
	}

	leave() {
		this.at = null;
		this.readout.textContent = "\u00a0";
		this.draw(this.width);
	}

	go() {
		if (!this.at)
			return;
		const [from, to] = this.times(this.at.column), margin = 2n * (to - from);

		location.hash = `#from=${from > margin ? from - margin : 0n}&to=${to + margin}&cpu=${this.heat.cpus[this.at.row]}`;
	}

	listen() {
		const keys = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
			PageUp: [0, -20], PageDown: [0, 20] };

		this.canvas.addEventListener("pointermove", (event) =>
			this.move(Math.floor(event.offsetY / this.rowHeight),
				Math.floor((event.offsetX - HEAT_LEFT) / this.span() * this.heat.columns)));
		this.canvas.addEventListener("pointerleave", () => this.leave());
		this.canvas.addEventListener("blur", () => this.leave());
		this.canvas.addEventListener("click", () => this.go());
		this.canvas.addEventListener("keydown", (event) => {
			const step = keys[event.key], at = this.at || { row: 0, column: 0 };

			if (event.key === "Enter")
				this.go();
			else if (step)
				this.move(this.at ? at.row + step[0] : 0, this.at ? at.column + step[1] : 0);
			else
				return;
			event.preventDefault();
		});
	}
}

function makeKinds(map) {
	const set = make("fieldset", { class: "kinds" }, make("legend", {}, "Colour"));

	for (const kind of HEAT_KINDS) {
		const choice = make("input", { type: "radio", name: "heat-kind", value: kind.id, checked: kind === map.kind });

		choice.addEventListener("change", () => {
			map.kind = kind;
			map.draw(map.width);
		});
		set.append(make("label", {}, choice, kind.title));
	}
	return set;
}

function makeCpuTable(data) {
	const share = (cpu, member) => make("td", { class: "number", "data-ns": cpu[member] },
		formatShare(cpu[member], Number(cpu.busy_ns) + Number(cpu.idle_ns) + Number(cpu.unknown_ns)));
	const columns = [
		{ title: "CPU", number: true, cell: (c) => cpuCell(c.cpu), sort: (c) => c.cpu },
		{ title: "Busy", number: true, cell: (c) => share(c, "busy_ns"), sort: (c) => c.busy_ns },
		{ title: "Idle", number: true, cell: (c) => share(c, "idle_ns"), sort: (c) => c.idle_ns },
		{ title: "Unknown", number: true, cell: (c) => share(c, "unknown_ns"), sort: (c) => c.unknown_ns },
		{ title: "Interrupts", number: true, cell: (c) => share(c, "interrupt_ns"), sort: (c) => c.interrupt_ns },
		{ title: "Switches", number: true, cell: (c) => countCell(c.switches), sort: (c) => c.switches },
		{ title: "Runnable, mean", hint: "Threads that ran or waited there", number: true,
			sort: (c) => c.runnable_mean || 0,
			cell: (c) => make("td", { class: "number" }, c.runnable_mean === null ? "\u2013" : c.runnable_mean.toFixed(2)) },
		{ title: "Most", number: true, cell: (c) => countCell(c.runnable_max), sort: (c) => c.runnable_max },
		{ title: "Others idle while threads waited here, ms", number: true, cell: (c) => nsCell(c.idle_while_waiting_ns),
			sort: (c) => c.idle_while_waiting_ns },
	];

	return makeTable(columns, data.report.cpus, { caption: "What each CPU did", shown: 16, compact: true }).element;
}

function showCpus(root, data) {
	const section = makeSection(root, "cpus", "CPUs over time",
		"Click on a moment, or press Enter, to see it in the timeline.");

	if (data.heat.cpus.length) {
		const map = new HeatMap(data, HEAT_KINDS[0]);

		section.append(make("div", { class: "controls" }, makeKinds(map), map.scale), map.box, map.readout);
	}
	if (data.heat.left_out)
		section.append(make("p", { class: "hint" },
			`${formatMany(data.heat.left_out, "more CPU is", "more CPUs are")} in the table alone.`));
	section.append(data.report.cpus.length ? makeCpuTable(data) : make("p", { class: "none" }, "No event of any CPU."));
}
