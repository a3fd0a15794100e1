// SPDX-License-Identifier: GPL-2.0-only
// The view as a table, for readers that can't see the picture.

function tlTableLater(view) {
	clearTimeout(view.tabling);
	view.tabling = setTimeout(() => tlTableShow(view), 300);
}

/* Returns a track's sums in the view, as parts of it. */
function tlTableSums(view, kind, track) {
	const bins = view.tiles.bins(kind, track, view.from, view.to, tlShift(1 / view.painter.scale));

	if (!bins)
		return null;
	const all = bins.count * bins.width;
	return bins.values.map((values) => values.reduce((sum, value) => sum + value, 0) / all);
}

/* Returns the lowest and the highest value of a counter in the view; null: unknown yet, or none. */
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

const tlTablePercent = (part) => part ? `${(part * 100).toFixed(1)} %` : "";

/* Returns how much of the view slices cover, and the name with most of it. */
function tlTableSlices(view, of) {
	const bins = view.tiles.bins(TL_SLICE, of.number, view.from, view.to, tlShift(1 / view.painter.scale)), names = new Map();

	if (!bins)
		return null;
	bins.values[0].forEach((ns, i) => ns && names.set(bins.top[i], (names.get(bins.top[i]) || 0) + ns));
	const [most] = [...names].sort((a, b) => b[1] - a[1]), all = bins.count * bins.width;
	const part = tlTablePercent([...names.values()].reduce((sum, ns) => sum + ns, 0) / all);
	return !most ? "no slices" : most[0] ? `${part} in slices, most in ${cleanName(view.head.strings[most[0]])}` : `${part} in slices`;
}

/* Returns the number of instants; an estimate if their blocks are not decoded. */
function tlTableInstants(view, of) {
	const { store, from, to } = view, rows = store.estimate(TL_INSTANT, of.number, from, to);
	const datas = rows <= TL_ROWS_SUMMED ? store.dataOf(TL_INSTANT, of.number, from, to) : null;
	let count = 0;

	if (!datas)
		return `about ${formatMany(Math.round(rows), "instant")}`;
	tlEachInstant(datas, of.number, from, to, () => count++);
	return formatMany(count, "instant");
}

function tlTableRow(view, track) {
	const percent = tlTablePercent, title = track.above ? `${track.above}: ${track.label}` : track.label;

	if (track.type === "cpu") {
		const sums = tlTableSums(view, TL_CPU, track.cpu);
		return sums && [track.label, percent(sums[0]), "", "", percent(sums[1]), ""];
	}
	if (track.type === "thread") {
		const sums = tlTableSums(view, TL_THREAD, track.thread.key);
		const instants = track.instants === undefined ? "" : tlTableInstants(view, view.head.tracks.get(track.instants));
		return sums && [track.label, percent(sums[0]), percent(sums[1]), percent(sums[2]), percent(sums[3]), instants];
	}
	if (track.type === "counter") {
		const values = tlTableValues(view, track.of);
		return values && [title, "", "", "", "", values];
	}
	if (track.type === "slices" || track.type === "instants") {
		const what = track.type === "slices" ? tlTableSlices(view, track.of) : tlTableInstants(view, track.of);
		return what && [title, "", "", "", "", what];
	}
	return null;
}

/* Returns a number that grows whenever a row of the table may have become known, or exact. */
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
		formatMany(rows.length, "track"), ["Track", "Runs", "Waits", "Blocked", "Not known", "Contents"], rows));
}
