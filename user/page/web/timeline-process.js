// SPDX-License-Identifier: GPL-2.0-only
// Sums of a process from its threads: full height is twice the greatest number of them that ran, or waited, at once.

/* Returns the blocks that have rows of any of the threads. */
function tlProcessIndex(head, threads) {
	const of = { blocks: [], rows: [], reach: [], all: 0 }, blocks = new Map();

	for (const { thread } of threads) {
		const own = head.index[TL_THREAD].get(thread.key);
		for (let i = 0; own && i < own.blocks.length; i++) {
			const sum = blocks.get(own.blocks[i]) || { rows: 0, reach: 0 };
			sum.rows += own.rows[i];
			sum.reach = Math.max(sum.reach, own.reach[i]);
			blocks.set(own.blocks[i], sum);
		}
	}
	for (const [block, { rows, reach }] of [...blocks].sort((a, b) => a[0] - b[0])) {
		of.blocks.push(block);
		of.rows.push(rows);
		of.reach.push(reach);
		of.all += rows;
	}
	return of;
}

/* Adds a process to the store and the tiles, once. */
function tlProcessAdd(head, track) {
	if (head.processes.has(track.id))
		return;
	const sums = tlProcessSums(head, track);
	head.processes.set(track.id, { keys: track.threads.map(({ thread }) => thread.key), most: sums.most });
	head.sums[TL_PROCESS].set(track.id, [sums]);
	head.index[TL_PROCESS].set(track.id, tlProcessIndex(head, track.threads));
}

/* Returns sums from rows: run, wait. */
function tlProcessBins({ keys, most }, datas, from, to, shift) {
	const bins = tlBins(from, to, shift, [0, 0], false);

	for (const key of keys)
		tlEachState(datas.filter((data) => data.threads.has(key)), key, bins.first * bins.width,
			(bins.first + bins.count) * bins.width, (t, i) => {
				const value = TL_VALUE_OF[t.phase[i]];
				if (value === 0 || value === 1)
					tlBinsAdd(bins, value, t.from[i], t.to[i]);
			});
	bins.values.forEach((of) => of.forEach((ns, bin) => of[bin] = Math.min(bins.width, ns / most / 2)));
	return bins;
}

/* Returns the same from its threads' levels, in at most 256 bins. */
function tlProcessSums(head, track) {
	const shift = tlShift(head.span / 256), count = Math.floor(head.span / 2 ** shift) + 1;
	const sums = [new Float64Array(count), new Float64Array(count)], bytes = sums.map(() => new Uint8Array(count));

	for (const { thread } of track.threads) {
		const levels = head.sums[TL_THREAD].get(thread.key);
		if (!levels)
			continue;
		const bins = tlLevelBins(levels, 0, head.span, shift), ratio = bins.width / 2 ** shift;
		for (let bin = 0; bin < bins.count; bin++)
			for (let value = 0; value < 2; value++)
				tlSpread(sums[value], bin * ratio, (bin + 1) * ratio, bins.values[value][bin] / bins.width);
	}
	const most = Math.max(...sums.map((of) => of.reduce((a, b) => Math.max(a, b), 0)), 1);
	sums.forEach((of, i) => of.forEach((value, bin) => bytes[i][bin] = Math.min(255, value / most * 255 / 2)));
	return { shift, bins: count, values: bytes, top: null, most };
}

function tlSpread(to, from, end, value) {
	for (let bin = Math.floor(from); bin < Math.min(end, to.length); bin++)
		to[bin] += value * (Math.min(end, bin + 1) - Math.max(from, bin));
}
