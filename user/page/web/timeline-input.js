// SPDX-License-Identifier: GPL-2.0-only
// Handles wheel, drag and keyboard.

/* Selects the row at a position of the canvas. */
async function tlClick(view, x, y) {
	const track = view.trackAt(y), ns = view.timeAt(x), { store } = view;

	if (!track)
		return;
	view.focus = view.tracks.shown.indexOf(track);
	if (x < view.painter.left || track.type === "section" || (track.type === "process" && !track.threads.length)) {
		view.fold(track, !track.folded);
		view.dirty();
	} else if (track.type === "cpu") {
		const run = await tlRunAt(view, track.cpu, ns);
		if (run && run.task > 1)
			await tlSelectState(view, run.task - 1, run.from);
	} else if (track.type === "thread") {
		await tlClickThread(view, track, ns, y);
	} else if (track.type === "slices" || track.type === "instants") {
		await tlClickEvent(view, track.of, track.type === "slices" ? TL_SLICE : TL_INSTANT, ns, y - track.at);
	} else if (track.type === "counter") {
		await tlSelectValue(view, track.of.number, ns);
	} else {
		view.fold(track, !track.folded);
	}
	store.changed();
}

/* Selects an instant at the top of a thread's track, or the thread's state. */
async function tlClickThread(view, track, ns, y) {
	if (track.instants !== undefined && y - track.at < 9 &&
	    await tlClickEvent(view, view.head.tracks.get(track.instants), TL_INSTANT, ns, 0))
		return;
	await tlSelectState(view, track.thread.key, ns);
}

/* Selects the innermost slice, or the nearest instant, within some pixels. */
async function tlClickEvent(view, of, kind, ns, y) {
	const slack = 4 / view.painter.scale, from = ns - slack, to = ns + slack, lane = Math.floor((y - 1) / TL_HEIGHTS.slices);
	const each = kind === TL_SLICE ? tlEachSlice : tlEachInstant;
	/** @type {any} */
	let best = null;
	let far = Infinity;

	each(await tlLoad(view.store, kind, of.number, from, to), of.number, from, to, (s, i, data) => {
		const away = Math.max(0, s.from[i] - ns, ns - s.to[i]);
		const depth = kind === TL_SLICE ? s.depth[i] >> 1 : lane;
		if (depth === lane && away < far) {
			far = away;
			best = [s, i, data];
		}
	});
	if (best)
		tlSelectEvent(view, of.number, kind, ...best);
	return best !== null;
}

function tlWheel(view, event, zooms) {
	const at = view.timeAt(event.offsetX), scale = event.deltaMode === 1 ? 16 : 1;

	if (zooms || event.ctrlKey || event.metaKey) {
		view.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY * scale)) * 0.004), Math.max(view.from, Math.min(view.to, at)));
	} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
		view.pan((event.deltaX || event.deltaY) * scale / (view.painter.width - view.painter.left));
	} else {
		return;		// the tracks, or the page, scroll
	}
	event.preventDefault();
}

/*
 * Calls move(x, previous x, first x) while the pointer is down, then up(moved), unless the browser uses the drag to
 * scroll.
 */
function tlDrag(element, down, move, up) {
	element.addEventListener("pointerdown", (event) => {
		if (event.button || !down(event))
			return;
		const begin = event.offsetX, top = event.offsetY;
		let last = begin, far = false;
		const moved = (next) => {
			far = far || Math.abs(next.offsetX - begin) > 4 || Math.abs(next.offsetY - top) > 4;
			if (far)
				move(next.offsetX, last, begin);
			last = next.offsetX;
		};
		const ended = (next) => {
			element.removeEventListener("pointermove", moved);
			element.removeEventListener("pointerup", ended);
			element.removeEventListener("pointercancel", ended);
			if (far || next.type === "pointerup")
				up(far, next);
		};
		element.setPointerCapture(event.pointerId);
		element.addEventListener("pointermove", moved);
		element.addEventListener("pointerup", ended);
		element.addEventListener("pointercancel", ended);
	});
}

function tlRangeDraw(view, x, begin) {
	view.range = { from: view.timeAt(Math.min(x, begin)), to: view.timeAt(Math.max(x, begin)) };
	view.selected = null;
	view.dirty();
}

function tlPointerInit(view) {
	const { canvas, axis, scroll } = view.dom;
	let ranged = false, overview = false;

	tlDrag(canvas, (event) => {
		ranged = event.shiftKey;
		canvas.focus({ preventScroll: true });
		return true;
	}, (x, last, begin) => ranged ? tlRangeDraw(view, x, begin) : view.pan((last - x) / (view.painter.width - view.painter.left)),
	(moved, event) => {
		if (!moved)
			tlClick(view, event.offsetX, event.offsetY);
		else if (ranged)
			tlRangeShow(view, view.range.from, view.range.to);
	});
	tlDrag(axis, (event) => {
		overview = event.offsetY < TL_OVERVIEW;
		if (overview)
			tlOverviewTo(view, event.offsetX);
		return true;
	}, (x, _, begin) => overview ? tlOverviewTo(view, x) : tlRangeDraw(view, x, begin),
	(moved) => {
		if (moved && !overview)
			tlRangeShow(view, view.range.from, view.range.to);
	});
	canvas.addEventListener("wheel", (event) => tlWheel(view, event, false), { passive: false });
	axis.addEventListener("wheel", (event) => tlWheel(view, event, true), { passive: false });
	scroll.addEventListener("scroll", () => {
		view.dirty();
		tlTableLater(view);
	});
	canvas.addEventListener("focus", () => view.dirty());
	canvas.addEventListener("blur", () => view.dirty());
}

/* Moves a position of the overview to the middle of the view. */
function tlOverviewTo(view, x) {
	const { left, width } = view.painter, ns = (x - left) / (width - left) * view.head.span, half = (view.to - view.from) / 2;

	view.show(ns - half, ns + half);
}

/* Moves the focus to the next track, or the previous one. */
function tlFocusMove(view, by) {
	view.focus = Math.max(0, Math.min(view.tracks.shown.length - 1, view.focus + by));
	view.reveal(view.tracks.shown[view.focus].id);
}

/* Selects the row in the middle of the focused track; of slices, the outermost. */
async function tlFocusSelect(view) {
	const track = view.tracks.shown[view.focus];

	view.paint();
	if (["cpu", "thread", "slices", "instants", "counter"].includes(track.type))
		await tlClick(view, view.painter.x((view.from + view.to) / 2), track.at + TL_HEIGHTS[track.type] / 2);
	else
		view.fold(track, !track.folded);
}

const TL_KEYS = {
	w: (view) => view.zoom(0.7), s: (view) => view.zoom(1 / 0.7), a: (view) => view.pan(-0.2), d: (view) => view.pan(0.2),
	"+": (view) => view.zoom(0.7), "-": (view) => view.zoom(1 / 0.7), "=": (view) => view.zoom(0.7),
	ArrowLeft: (view) => view.pan(-0.1), ArrowRight: (view) => view.pan(0.1),
	ArrowUp: (view) => tlFocusMove(view, -1), ArrowDown: (view) => tlFocusMove(view, 1),
	PageUp: (view) => tlFocusMove(view, -15), PageDown: (view) => tlFocusMove(view, 15),
	Home: (view) => view.show(0, view.to - view.from),
	End: (view) => view.show(view.head.span - (view.to - view.from), view.head.span),
	"0": (view) => view.show(0, view.head.span), Enter: tlFocusSelect, " ": tlFocusSelect,
	"]": (view) => tlStepSelected(view, true), "[": (view) => tlStepSelected(view, false),
	".": (view) => tlStepSelected(view, true), ",": (view) => tlStepSelected(view, false),
	f: (view) => {
		const of = view.selected || view.range;
		if (of)
			view.show(of.from - (of.to - of.from) * 0.2, of.to + (of.to - of.from) * 0.2);
	},
	r: (view) => view.selected && tlRangeShow(view, view.selected.from, view.selected.to),
	"/": (view) => view.dom.search.focus(),
	"?": ({ dom: { help } }) => {
		help.open = !help.open;
		help.scrollIntoView({ block: "nearest" });
	},
	Escape: (view) => tlSelect(view, null),
};

/* Keys that scroll a page or operate an element: the picture handles them only while it has the focus. */
const TL_KEYS_OWN = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Enter", " "]);

/* Returns whether part of the picture is in the window, and no text input has the focus. */
function tlKeysReach(view, event) {
	const { top, bottom } = view.dom.scroll.getBoundingClientRect(), of = event.target;

	return top < innerHeight && bottom > 0 && !(of instanceof Element && of.closest("input, textarea, select, [contenteditable]"));
}

function tlKeyInit(view) {
	document.addEventListener("keydown", (event) => {
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, focused = event.target === view.dom.canvas;

		if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !TL_KEYS[key])
			return;
		if (!focused && (TL_KEYS_OWN.has(key) || !tlKeysReach(view, event)))
			return;
		event.preventDefault();
		TL_KEYS[key](view);
	});
	const { buttons } = view.dom;
	buttons.in.addEventListener("click", () => view.zoom(0.5));
	buttons.out.addEventListener("click", () => view.zoom(2));
	buttons.all.addEventListener("click", () => view.show(0, view.head.span));
	buttons.before.addEventListener("click", () => tlStepSelected(view, false));
	buttons.after.addEventListener("click", () => tlStepSelected(view, true));
}
