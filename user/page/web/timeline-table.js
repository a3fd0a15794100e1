// SPDX-License-Identifier: GPL-2.0-only
// What is in view as a table, for those who can't see the picture.

function tlTableLater(view) {
	clearTimeout(view.tabling);
	view.tabling = setTimeout(() => tlTableShow(view), 300);
}

/* A track's sums in what is in view, as parts of it. */
function tlTableSums(view, kind, track) {
	const bins = view.tiles.bins(kind, track, view.from, view.to, tlShift(1 / view.painter.scale));

	if (!bins)
		return null;
	const all = bins.count * bins.width;
	return bins.values.map((values) => values.reduce((sum, value) => sum + value, 0) / all);
}

function tlTableRow(view, track) {
	const percent = (part) => part ? `${(part * 100).toFixed(1)} %` : "";

	if (track.type === "cpu") {
		const sums = tlTableSums(view, TL_CPU, track.cpu);
		return sums && [track.label, percent(sums[0]), "", "", percent(sums[1])];
	}
	if (track.type === "thread") {
		const sums = tlTableSums(view, TL_THREAD, track.thread.key);
		return sums && [track.label, percent(sums[0]), percent(sums[1]), percent(sums[2]), percent(sums[3])];
	}
	return null;
}

function tlTableShow(view) {
	view.tiles.picture();
	const rows = view.visible().map((track) => tlTableRow(view, track)).filter((row) => row);

	view.dom.table.replaceChildren(tlTable(`${tlDuration(view.to - view.from)} from ${tlClockText(view.head, view.from)}: ` +
		`${rows.length} tracks`, ["Track", "Runs", "Waits", "Blocked", "Not known"], rows));
}
