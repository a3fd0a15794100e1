// SPDX-License-Identifier: GPL-2.0-only
// Sums for tracks with more rows than pixels: bins of 2^shift ns, from rows or from levels.

/* Returns log2 of the narrowest bin of at least a pixel. */
function tlShift(nsPerPixel) {
	return Math.max(0, Math.ceil(Math.log2(nsPerPixel)));
}

function tlBins(from, to, shift, values, top) {
	const width = 2 ** shift, first = Math.floor(from / width), count = Math.max(1, Math.ceil(to / width) - first);

	return { shift, width, first, count, values: values.map(() => new Float64Array(count)),
		top: top ? new Uint32Array(count) : null };
}

/* Adds a row's time to each of its bins. */
function tlBinsAdd(bins, value, from, to, call) {
	const width = bins.width, first = Math.floor(from / width), last = Math.min(bins.first + bins.count, Math.ceil(to / width));

	/* Most rows are in one bin. */
	if (first >= bins.first && first < last && to <= (first + 1) * width) {
		if (value >= 0)
			bins.values[value][first - bins.first] += to - from;
		if (call)
			call(first - bins.first, to - from);
		return;
	}
	for (let bin = Math.max(bins.first, first); bin < last; bin++) {
		const ns = Math.min(to, (bin + 1) * width) - Math.max(from, bin * width);

		if (value >= 0)
			bins.values[value][bin - bins.first] += ns;
		if (call)
			call(bin - bins.first, ns);
	}
}

/*
 * Finds the task or name with most of each bin: rows come in the order of time, so the sums of only one bin are kept.
 */
class TlTops {
	constructor(bins) {
		this.bins = bins;
		this.at = -1;
		this.sums = new Map();
	}
	add(bin, what, ns) {
		if (bin !== this.at)
			this.end();
		this.at = bin;
		this.sums.set(what, (this.sums.get(what) || 0) + ns);
	}
	end() {
		let most = 0;

		for (const [what, ns] of this.sums)
			if (ns > most || (ns === most && what > this.bins.top[this.at])) {
				most = ns;
				this.bins.top[this.at] = what;
			}
		this.sums.clear();
	}
}

/* Returns a CPU's bins: busy, unknown; top: key + 1. */
function tlCpuBins(datas, cpu, from, to, shift) {
	const bins = tlBins(from, to, shift, [0, 0], true), tops = new TlTops(bins);

	tlEachRun(datas, cpu, bins.first * bins.width, (bins.first + bins.count) * bins.width, (begin, end, task) => {
		if (task === 0)
			tlBinsAdd(bins, 1, begin, end);
		else if (task > 1)
			tlBinsAdd(bins, 0, begin, end, (bin, ns) => tops.add(bin, task, ns));
	});
	tops.end();
	return bins;
}

const TL_VALUE_OF = [3, 0, 1, 1, -1, -1, -1, 2, -1, -1, -1];

/* Returns a thread's bins: run, wait, blocked, unknown. */
function tlThreadBins(datas, key, from, to, shift) {
	const bins = tlBins(from, to, shift, [0, 0, 0, 0], false);

	tlEachState(datas, key, bins.first * bins.width, (bins.first + bins.count) * bins.width, (t, i) => {
		if (TL_VALUE_OF[t.phase[i]] >= 0)
			tlBinsAdd(bins, TL_VALUE_OF[t.phase[i]], t.from[i], t.to[i]);
	});
	return bins;
}

/* Returns bins of outermost slices: covered time; top: a name. */
function tlSliceBins(datas, track, from, to, shift) {
	const bins = tlBins(from, to, shift, [0, 0], true), tops = new TlTops(bins);

	tlEachSlice(datas, track, bins.first * bins.width, (bins.first + bins.count) * bins.width, (s, i) => {
		if (s.depth[i] < 2)
			tlBinsAdd(bins, 0, s.from[i], s.to[i], (bin, ns) => tops.add(bin, s.name[i], ns));
	});
	tops.end();
	return bins;
}

/* Returns bins from a level: the finest one with bins that are not narrower, or the coarsest of all. */
function tlLevelBins(levels, from, to, shift) {
	const level = levels.find((l) => l.shift >= shift) || levels[levels.length - 1];
	const bins = tlBins(from, to, level.shift, level.values, level.top !== null);
	const end = Math.min(level.bins, bins.first + bins.count);

	const begin = Math.max(0, bins.first), scale = bins.width / 255;

	for (let i = 0; i < level.values.length; i++) {
		const bytes = level.values[i], to = bins.values[i];

		for (let bin = begin; bin < end; bin++)
			to[bin - bins.first] = bytes[bin] * scale;
	}
	if (bins.top && begin < end)
		bins.top.set(level.top.subarray(begin, end), begin - bins.first);
	return bins;
}

/* Calls call() with each bin that has values of a counter: its index, the lowest and the highest value. */
function tlEachStep(of, bins, call) {
	const step = (value, bin) => Math.round(bins.values[value][bin] / bins.width * 255) - 1;
	const valueOf = (number) => of.low + number / 253 * (of.high - of.low);

	for (let bin = 0; bin < bins.count; bin++)
		if (step(1, bin) >= 0)
			call(bin, valueOf(step(0, bin)), valueOf(step(1, bin)));
}

/* Copies bins of the same width, as far as both have them. */
function tlBinsCopy(to, from) {
	const begin = Math.max(to.first, from.first), end = Math.min(to.first + to.count, from.first + from.count);

	to.values.forEach((values, i) => values.set(from.values[i].subarray(begin - from.first, end - from.first), begin - to.first));
	if (to.top)
		to.top.set(from.top.subarray(begin - from.first, end - from.first), begin - to.first);
}
