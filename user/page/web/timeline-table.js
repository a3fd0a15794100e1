// SPDX-License-Identifier: GPL-2.0-only
// What is in view as a table, for readers that can't see the picture.

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

/* The lowest and the highest value of a counter in what is in view; null: not known yet, or none. */
function tlTableValues(view, of) {
	const { store, head, from, to } = view, datas = store.estimate(TL_COUNTER, of.number, from, to) <= TL_VALUES_DRAWN ?
		store.dataOf(TL_COUNTER, of.number, from, to) : null;
	let low = Infinity, high = -Infinity;
	const add = (least, most) => {
		low = Math.min(low, least);
		high = Math.max(high, most);
	};

	if (datas)
		tlEachValue(datas, of.number, from, to, (_, value) => add(value, value));
	else
		tlEachStep(of, tlLevelBins(head.sums[TL_COUNTER].get(of.number), from, to, tlShift(1 / view.painter.scale)),
			(_, least, most) => add(least, most));
	return low > high ? null : tlValuesText(low, high);
}

function tlTableRow(view, track) {
	const percent = (part) => part ? `${(part * 100).toFixed(1)} %` : "";

	if (track.type === "cpu") {
		const sums = tlTableSums(view, TL_CPU, track.cpu);
		return sums && [track.label, percent(sums[0]), "", "", percent(sums[1]), ""];
	}
	if (track.type === "thread") {
		const sums = tlTableSums(view, TL_THREAD, track.thread.key);
		return sums && [track.label, percent(sums[0]), percent(sums[1]), percent(sums[2]), percent(sums[3]), ""];
	}
	if (track.type === "counter") {
		const values = tlTableValues(view, track.of);
		return values && [track.label, "", "", "", "", values];
	}
	return null;
}

/* Grows whenever a row of the table may have become known, or exact. */
function tlTableKnown(view) {
	return view.store.decoded + view.tiles.made;
}

function tlTableShow(view) {
	view.tiles.picture();
	const rows = view.visible().map((track) => tlTableRow(view, track)).filter((row) => row);

	view.tabled = tlTableKnown(view);
	if (view.tiles.missing)
		tlTableLater(view);
	view.dom.table.replaceChildren(tlTable(`${tlDuration(view.to - view.from)} from ${tlClockText(view.head, view.from)}: ` +
		formatMany(rows.length, "track"), ["Track", "Runs", "Waits", "Blocked", "Not known", "Value"], rows));
}
