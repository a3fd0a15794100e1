// SPDX-License-Identifier: GPL-2.0-only
// Shows threads and processes with activity in view first, where not all fit; a folded section has the others.

/* Returns whether a thread ran, waited or was blocked in a range, by the summaries' bins that touch the range. */
function tlThreadActive(head, key, from, to) {
	const levels = head.sums[TL_THREAD].get(key), level = levels && (levels.find((l) => 2 ** l.shift * 8 >= to - from) || levels[levels.length - 1]);

	if (!level)
		return false;
	const width = 2 ** level.shift, last = Math.min(level.bins, Math.ceil(to / width));
	for (let bin = Math.max(0, Math.floor(from / width)); bin < last; bin++)
		if (level.values[0][bin] || level.values[1][bin] || level.values[2][bin])
			return true;
	return false;
}

function tlTrackActive(view, track) {
	const { head, from, to, selected } = view;

	if (track.type === "thread")
		return (selected && selected.key === track.thread.key) || track.children.length > 0 || track.instants !== undefined ||
			tlThreadActive(head, track.thread.key, from, to);
	return !track.threads || track.threads.length < track.children.length ||
		track.threads.some((thread) => tlTrackActive(view, thread));
}

/* Returns the height of a track with its unfolded children. */
function tlTrackHeight(track) {
	return track.height + (track.folded ? 0 : track.children.reduce((sum, child) => sum + tlTrackHeight(child), 0));
}

/* Returns whether all rows fit the picture without scrolling. */
function tlAllFits(view, section) {
	const others = view.sections.filter((of) => of !== section && of.id !== "quiet");

	return [...others, ...view.everything].reduce((sum, track) => sum + tlTrackHeight(track), section.height) <=
		view.dom.scroll.clientHeight;
}

/* Sorts tracks once the view rests: rows must not move under the pointer. */
function tlQuietLater(view) {
	clearTimeout(view.quieting);
	view.quieting = setTimeout(() => tlQuietSet(view), 400);
}

function tlQuietSet(view) {
	const section = view.sections.find((of) => of.id === "threads");

	if (!section)
		return;
	view.everything = view.everything || section.children;
	const active = [], quiet = [], fits = tlAllFits(view, section);
	for (const track of view.everything)
		(fits || tlTrackActive(view, track) ? active : quiet).push(track);
	if (active.length === section.children.length && active.every((track, i) => track === section.children[i]))
		return;
	const before = view.sections.find((of) => of.id === "quiet"), shown = view.tracks.shown[view.focus], { scroll } = view.dom;
	const place = shown ? shown.y - scroll.scrollTop : 0, kept = place >= 0 && place < scroll.clientHeight;
	section.children = active;
	view.sections = view.sections.filter((of) => of !== before);
	if (quiet.length)
		view.sections.push(tlTrack("section", `Nothing in view: ${formatCount(quiet.length)}`,
			{ id: "quiet", children: quiet, folded: before ? before.folded : true }));
	view.layout();
	view.focus = Math.max(0, view.tracks.shown.indexOf(shown));
	/* The focused track keeps its position in the window. */
	if (kept && view.tracks.shown.includes(shown))
		scroll.scrollTop = shown.y - place;
}
