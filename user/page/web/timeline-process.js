// SPDX-License-Identifier: GPL-2.0-only
// Sums of a process, of those of its threads.

/* The mean of a process's threads, in 256 bins at most. */
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
	return { shift, bins: count, values: bytes, top: null };
}

function tlSpread(to, from, end, value) {
	for (let bin = Math.floor(from); bin < Math.min(end, to.length); bin++)
		to[bin] += value * (Math.min(end, bin + 1) - Math.max(from, bin));
}
