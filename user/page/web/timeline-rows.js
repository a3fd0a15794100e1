// SPDX-License-Identifier: GPL-2.0-only
// Iterates over a track's rows in decoded blocks.

/* Returns the index of the first of ascending numbers, from low to high, that is beyond a value. */
function tlBeyond(numbers, low, high, value) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (numbers[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Calls call() with each run of a CPU that touches from..to: begin, end, key + 1 (0: unknown). */
function tlEachRun(datas, cpu, from, to, call) {
	for (const data of datas) {
		const of = data.cpus.get(cpu);

		for (let i = Math.max(0, tlBeyond(of.times, 0, of.count, from) - 1); i < of.count && of.times[i] < to; i++)
			if (of.times[i + 1] > from)
				call(of.times[i], of.times[i + 1], of.task[i]);
	}
}

/* Calls call() with each row of a thread that touches from..to: the rows' arrays, and its index. */
function tlEachState(datas, key, from, to, call) {
	for (const data of datas) {
		const of = data.threads.get(key), t = data.t;

		for (let i = Math.max(of.first, tlBeyond(t.from, of.first, of.end, from) - 1); i < of.end && t.from[i] < to; i++)
			if (t.to[i] > from)
				call(t, i, data);
	}
}

/*
 * Calls call() with each slice that touches from..to.  Slices overlap: all of a block that begin before the end are
 * checked.
 */
function tlEachSlice(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.slices.tracks.get(track), s = data.slices, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = of.first; i < end; i++)
			if (s.to[i] >= from)
				call(s, i, data);
	}
}

function tlEachInstant(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.instants.tracks.get(track), s = data.instants, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = tlBeyond(s.from, of.first, end, from - 1); i < end; i++)
			call(s, i, data);
	}
}

/* Calls call() with values of a counter, from the value at the begin on. */
function tlEachValue(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.counters.tracks.get(track), s = data.counters, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = Math.max(of.first, tlBeyond(s.from, of.first, end, from) - 1); i < end; i++)
			call(s.from[i], s.value[i]);
	}
}

/* Returns the number of rows of a track that begin in from..to. */
function tlRowsCount(datas, kind, track, from, to) {
	let count = 0;

	for (const data of datas) {
		const of = [data.cpus, data.threads, data.slices.tracks][kind].get(track);
		const begins = [of.times, data.t.from, data.slices.from][kind], end = kind === TL_CPU ? of.count : of.end;

		count += tlBeyond(begins, of.first || 0, end, to) - tlBeyond(begins, of.first || 0, end, from);
	}
	return count;
}
