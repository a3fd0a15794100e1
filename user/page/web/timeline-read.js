// SPDX-License-Identifier: GPL-2.0-only
// Reads the timeline's data; Documentation/page-timeline.rst has its layout.

const TL_CPU = 0, TL_THREAD = 1, TL_SLICE = 2, TL_INSTANT = 3, TL_COUNTER = 4, TL_KINDS = 5;
const TL_PROCESS = TL_KINDS;	// in the index and the sums; made from its threads' when it is drawn
const TL_UNKNOWN = 0, TL_RUN = 1, TL_WAKEUP = 2, TL_PREEMPTED = 3, TL_SLEEP = 4, TL_BLOCKED = 7, TL_STOPPED = 8, TL_TRACED = 9, TL_SKIP = 15;
const TL_PHASE_BEGIN = 0x10, TL_PHASE_CPU = 0x20, TL_PHASE_MORE = 0x40, TL_PHASE_WAKER = 0x80, TL_PHASE_REASON = 0x80;
const TL_CONTEXTS = ["task", "softirq", "hardirq", "nmi", "softirq timer", "hardirq timer"], TL_TIMER = 4;

/* A column of numbers, one after another. */
class TlColumn {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	next() {
		const bytes = this.bytes;
		let byte = bytes[this.at++], number = byte & 127, factor = 128;

		while (byte > 127) {
			byte = bytes[this.at++];
			number += (byte & 127) * factor;
			factor *= 128;
		}
		return number;
	}
	more() {
		return this.at < this.bytes.length;
	}
}

/*
 * A column of numbers that have each low byte in a column of its own, the lowest first, and the rest in the last one.
 */
class TlSplitColumn {
	constructor(columns) {
		this.rest = columns.pop();
		this.low = columns.map((column) => column.bytes);
		this.at = 0;
	}
	next() {
		let number = 0, factor = 1;

		for (let i = 0; i < this.low.length; i++) {
			number += this.low[i][this.at] * factor;
			factor *= 256;
		}
		this.at++;
		return number + this.rest.next() * factor;
	}
}

/* Returns the columns of a text. */
function tlColumns(bytes) {
	const head = new TlColumn(bytes), lengths = [];

	for (let left = head.next(); left; left--)
		lengths.push(head.next());
	let at = head.at;
	return lengths.map((length) => {
		at += length;
		return new TlColumn(bytes.subarray(at - length, at));
	});
}

/* Returns the columns of a block's bytes. */
async function tlInflate(packed) {
	/* @ts-ignore: newer than the library of the linter. */
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return tlColumns(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function tlStrings(bytes) {
	const texts = new TextDecoder().decode(bytes).split("\0");

	texts.pop();
	texts.unshift("");
	return texts;
}

/* Returns, for each track, the blocks that have its rows: their numbers, rows, and the blocks that these reach into. */
function tlIndex(column, blocks) {
	const tracks = [];

	for (let kind = 0; kind < TL_KINDS; kind++)
		tracks.push(new Map());
	for (let block = 0; block < blocks.length; block++) {
		blocks[block].begin = column.next();
		for (let kind = 0; kind < TL_KINDS; kind++) {
			for (let left = column.next(), track = 0; left; left--) {
				track += column.next();
				if (!tracks[kind].has(track))
					tracks[kind].set(track, { blocks: [], rows: [], reach: [], all: 0 });
				const of = tracks[kind].get(track), rows = column.next();
				of.blocks.push(block);
				of.rows.push(rows);
				of.reach.push(column.next());
				of.all += rows;
			}
		}
	}
	return tracks;
}

/*
 * Returns a track's levels, the finest first: bins of 2^shift ns; per value a byte a bin, and the task or name with
 * most of it.
 */
function tlSums(column) {
	const sums = [], values = [2, 4, 2, 1, 2];

	for (let kind = 0; kind < TL_KINDS; kind++)
		sums.push(new Map());
	for (let kind = column.next(); kind; kind = column.next()) {
		const track = column.next(), levels = [];

		for (let left = column.next(); left; left--) {
			const level = { shift: column.next(), bins: column.next(), values: [], top: null };

			for (let i = 0; i < values[kind - 1]; i++) {
				level.values.push(column.bytes.subarray(column.at, column.at + level.bins));
				column.at += level.bins;
			}
			if (kind - 1 === TL_CPU || kind - 1 === TL_SLICE) {
				level.top = Uint32Array.from(column.bytes.subarray(column.at, column.at + level.bins));
				column.at += level.bins;
				for (let bin = 0; bin < level.bins; bin++)
					level.top[bin] += column.next() * 256;
			}
			levels.push(level);
		}
		sums[kind - 1].set(track, levels);
	}
	return sums;
}

function tlLosses(column) {
	const losses = [];

	while (column.more()) {
		const from = column.next();
		losses.push({ from, to: from + column.next(), cpu: column.next() - 1, events: column.next() });
	}
	return losses;
}

/* Returns the reasons of sleeps by their numbers; number 0 is none. */
function tlReasons(rows) {
	return [{ class: "unknown", call: "", object: "", holder: 0 },
		...rows.map(([name, call, object, holder]) => ({ class: name, call: cleanName(call), object: object && cleanName(object, 300), holder }))];
}

/* Reads all data except for the blocks. */
async function tlHead() {
	const text = pageText("tl-head");

	if (text === null)
		return null;
	const columns = await tlInflate(base64Bytes(text));
	const json = exactJson(new TextDecoder().decode(columns[0].bytes)), span = Number(json.span);
	const head = {
		begin: BigInt(json.begin), span, blocks: [], refused: json.refused,
		strings: tlStrings(columns[1].bytes), losses: tlLosses(columns[2]), threads: new Map(), tracks: new Map(), processes: new Map(),
	};

	for (let i = 0; i < json.blocks; i++)
		head.blocks.push({ number: i, begin: 0, end: span, data: null, used: 0 });
	head.reasons = tlReasons(json.reasons || []);
	head.index = tlIndex(columns[3], head.blocks);
	for (let i = 1; i < json.blocks; i++)
		head.blocks[i - 1].end = head.blocks[i].begin;
	head.sums = tlSums(columns[4]);
	head.index.push(new Map());
	head.sums.push(new Map());
	for (const [key, tid, pid, processKey, begin, end, flags, name, processName] of json.threads)
		head.threads.set(key, { key, tid, pid, processKey, begin: Number(begin), end: Number(end), born: !!(flags & 1), died: !!(flags & 2), name: cleanName(name),
			processName: cleanName(head.strings[processName]) });
	for (const [number, kind, process, thread, id, name, key, rows, depth, low, high, threadName, processName] of json.tracks)
		head.tracks.set(number, { number, kind, process, thread, id, name: cleanName(head.strings[name]), key, rows, depth, low: Number(low), high: Number(high),
			threadName: cleanName(head.strings[threadName]), processName: cleanName(head.strings[processName]) });
	return head;
}
