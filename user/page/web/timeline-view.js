// SPDX-License-Identifier: GPL-2.0-only
// The timeline's view: its time, its tracks, and when it is painted.

const TL_LEFT = 210, TL_LEFT_NARROW = 112, TL_AXIS_HEIGHT = 64, TL_OVERVIEW = 30;

class TlView {
	constructor(root, head, data) {
		this.root = root;
		this.head = head;
		this.report = new Map(((data.report && data.report.threads) || []).map((thread) => [thread.key, thread]));
		this.from = 0;
		this.to = Math.max(1, head.span);
		this.selected = this.range = null;
		this.focus = 0;			// index of a visible track
		this.tabled = 0;		// tlTableKnown() when the table was written
		this.tracks = null;		// visible tracks, and their height
		this.losses = head.losses.sort((a, b) => a.from - b.from);
		this.sections = tlTracks(head, tlRunning(head, this.report));
		this.store = new TlStore(head, () => this.dirty());
		this.tiles = new TlTiles(head, this.store);
		this.dom = tlDom(root, head);
		this.painter = new TlPainter(this.dom.canvas);
		this.axis = new TlCanvas(this.dom.axis);
		this.layout();
	}

	layout() {
		this.tracks = tlLayout(this.sections);
		this.dom.spacer.style.height = `${this.tracks.height}px`;
		this.dirty();
		tlTableLater(this);
	}

	dirty() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			this.paint();
		});
	}

	/* Moves to a range, of at least 100 ns, inside the trace. */
	show(from, to) {
		const span = Math.max(1, this.head.span), length = Math.min(span, Math.max(100, to - from));
		const middle = (from + to) / 2;

		this.from = Math.max(0, Math.min(span - length, middle - length / 2));
		this.to = this.from + length;
		this.moved();
	}

	moved() {
		this.dirty();
		tlLinkWrite(this);
		tlTableLater(this);
		tlQuietLater(this);
	}

	zoom(factor, ns) {
		const at = ns === undefined ? (this.from + this.to) / 2 : ns;

		this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
	}

	pan(part) {
		const by = (this.to - this.from) * part;

		this.show(this.from + by, this.to + by);
	}

	/* Returns the time at a position of the canvas. */
	timeAt(x) {
		return this.from + (x - this.painter.left) / this.painter.scale;
	}

	trackAt(y) {
		const at = y + this.dom.scroll.scrollTop;

		return at < this.tracks.height ? this.tracks.shown[tlTrackAt(this.tracks, at)] : null;
	}

	*lossesIn(from, to) {
		for (const loss of this.losses) {
			if (loss.from > to)
				return;
			if (loss.to >= from)
				yield loss;
		}
	}

	visible() {
		const top = this.dom.scroll.scrollTop, found = [];

		for (let i = tlTrackAt(this.tracks, top); i < this.tracks.shown.length; i++) {
			const track = this.tracks.shown[i];
			track.at = track.y - top;
			if (track.at > this.painter.height)
				break;
			found.push(track);
		}
		return found;
	}

	paint() {
		const started = performance.now(), { painter, dom } = this, width = dom.scroll.clientWidth;
		const left = width < 600 ? TL_LEFT_NARROW : TL_LEFT;

		if (!width)
			return;
		this.store.picture();
		this.tiles.picture();
		painter.size(width, dom.scroll.clientHeight, left);
		painter.time(this.from, this.to);
		this.tracksPaint(this.visible());
		tlAxisPaint(this, width, left);
		this.finish();
		this.painted = performance.now() - started;
		this.paints = (this.paints || 0) + 1;
	}

	/* Paints tracks: pixels first, as they cover the canvas below. */
	tracksPaint(tracks) {
		const { painter } = this, focused = this.tracks.shown[this.focus], drawn = document.activeElement === this.dom.canvas;
		const draws = { cpu: "cpu", thread: "thread", slices: "slices", instants: "instants", counter: "counter", process: "process" };

		painter.begin();
		const later = tracks.map((track) => draws[track.type] ? painter[draws[track.type]](this, track) : null);
		painter.put();
		tracks.forEach((track, i) => {
			if (later[i])
				this.rowsPaint(track, later[i]);
			painter.label(track, drawn && track === focused);
		});
		painter.losses(this, painter.height);
		tlOverlay(this, tracks);
	}

	rowsPaint(track, draw) {
		const { painter } = this, context = painter.context;

		context.save();
		context.beginPath();
		context.rect(painter.left, track.at, painter.width - painter.left, track.height);
		context.clip();
		draw();
		context.restore();
		context.font = TL_FONT;
	}

	/* Reports missing data, which later pictures get. */
	finish() {
		const { store, dom } = this;

		dom.status.hidden = !store.failed && !store.wanted.length;
		dom.status.textContent = store.failed ? `The page's data can't be read: ${store.failed.message}` :
			`${formatMany(store.wanted.length, "block is", "blocks are")} being read`;
		if (this.tiles.missing)
			requestIdleCallback(() => this.dirty(), { timeout: 100 });
		else if (!store.wanted.length && !store.failed)
			this.idle();
	}

	/* Runs once the view is complete. */
	idle() {
		if (this.tabled !== tlTableKnown(this))
			tlTableLater(this);
		(this.quiet || []).forEach((call) => call());
		this.quiet = [];
		clearTimeout(this.prefetching);
		this.prefetching = setTimeout(() => this.store.prefetch(), 300);
	}

	fold(track, folded) {
		if (!track.children.length || track.folded === folded)
			return;
		track.folded = folded;
		this.layout();
	}

	/* Unfolds and scrolls to a track by its id, and returns it; null: no such track. */
	reveal(id) {
		const find = (tracks, above) => {
			for (const track of tracks) {
				if (track.id === id)
					return above.concat(track);
				const found = find(track.children, above.concat(track));
				if (found)
					return found;
			}
			return null;
		};
		const path = find(this.sections, []);

		if (!path)
			return null;
		path.slice(0, -1).forEach((track) => track.folded = false);
		this.layout();
		const track = path[path.length - 1], scroll = this.dom.scroll;
		this.focus = this.tracks.shown.indexOf(track);
		if (track.y < scroll.scrollTop || track.y + track.height > scroll.scrollTop + scroll.clientHeight)
			scroll.scrollTop = Math.max(0, track.y - scroll.clientHeight / 2);
		return track;
	}
}

/* Returns how long each thread ran, approximately where the report lacks it: ns by key. */
function tlRunning(head, report) {
	const running = new Map();

	for (const [key, levels] of head.sums[TL_THREAD]) {
		const level = levels[levels.length - 1];
		const known = report.get(key);
		running.set(key, known ? Number(known.run_ns) :
			level.values[0].reduce((sum, byte) => sum + byte, 0) / 255 * 2 ** level.shift);
	}
	return running;
}

/* Returns the legend of threads' colours; the table and the selection have the words. */
function tlLegend(head) {
	const legend = make("p", { class: "tl-legend legend" });
	const entry = (colour, title) => {
		const chip = make("i", { "aria-hidden": "true" });

		chip.style.background = `var(${colour})`;
		legend.append(make("span", {}, chip, title));
	};

	/* Classes of sleeps have the colour of stopped threads, too. */
	for (const [colour, title] of TL_LEGEND)
		if (head.reasons.length < 2 || (colour !== "--sleep" && colour !== "--stopped"))
			entry(colour, title);
	if (head.reasons.length > 1) {
		legend.append(make("span", { class: "tl-classes" }, "Sleeps, by what they were for:"));
		for (const [name, [colour, title]] of TL_CLASSES)
			entry(`--${colour}`, name === title ? name : `${name}: ${title}`);
	}
	legend.append(make("span", {}, "On CPUs and in calls, a colour is a process or a name."));
	return legend;
}

const TL_KEY_HELP = [["W, S, +, \u2212", "zoom in and out"], ["A, D, \u2190, \u2192", "move"], ["\u2191, \u2193, page keys", "go to another track"],
	["Enter", "select on that track in the middle of the view, or fold it"],
	["], [", "next and previous of the same thread, or on the same track"], ["F", "zoom to what is selected"],
	["R", "sums of what is selected"], ["0, Home, End", "the whole trace, its begin, its end"], ["/", "search; Enter goes to the next"],
	["Escape", "select nothing"], ["?", "this table"], ["Click", "select, or fold"], ["Drag", "move; with Shift or on the times, sums of a range"],
	["Wheel", "scroll; with Ctrl zoom, with Shift move"]];

/*
 * Returns the help.  Arrows, page keys and Enter work where the picture has the focus; other keys wherever it is in the
 * window.
 */
function tlHelp() {
	return make("details", { class: "tl-keys" }, make("summary", {}, "Keys and pointer (?)"),
		tlTable("Arrows, page keys and Enter: with the focus on the picture", ["Key", "What it does"], TL_KEY_HELP));
}

function tlDom(root, head) {
	const canvas = make("canvas", { tabindex: 0, role: "application", "aria-label": "Timeline: W and S zoom, A and D move, " +
		"up and down go to a track, Enter selects, brackets go to the next and the previous of the same thread",
	"aria-describedby": "tl-table" });
	const axis = make("canvas", { class: "tl-axis", "aria-hidden": "true" }), spacer = make("div", { class: "tl-spacer" });
	const scroll = make("div", { class: "tl-scroll" }, make("div", { class: "tl-sticky" }, canvas), spacer);
	const search = make("input", { type: "search", placeholder: "Search: name, id, mark, time", "aria-label": "Search",
		"aria-controls": "tl-found", autocomplete: "off", spellcheck: "false" });
	const found = make("ul", { id: "tl-found", class: "tl-found", hidden: true, "aria-label": "What was found" });
	const button = (label, title) => make("button", { type: "button", title, "aria-label": title }, label);
	const buttons = { in: button("+", "Zoom in (W)"), out: button("−", "Zoom out (S)"), all: button("All", "The whole trace (0)"),
		before: button("‹", "Previous of this thread ([)"), after: button("›", "Next of this thread (])") };
	const status = make("span", { class: "tl-status", role: "status", hidden: true });
	const detail = make("div", { class: "tl-detail", role: "region", "aria-live": "polite", "aria-label": "Selection" });
	const table = make("div", { id: "tl-table", class: "tl-table" }), help = tlHelp();

	root.replaceChildren(make("h2", {}, "Timeline"),
		make("div", { class: "tl-bar", role: "toolbar", "aria-label": "Timeline" }, make("div", { class: "tl-search" }, search, found),
			...Object.values(buttons), status),
		tlLegend(head), axis, scroll, detail, make("details", {}, make("summary", {}, "What is in view, as a table"), table), help);
	return { canvas, axis, spacer, scroll, search, found, buttons, status, detail, table, help };
}
