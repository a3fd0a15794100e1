// SPDX-License-Identifier: GPL-2.0-only
// Decodes a block of the timeline from its columns: arrays of rows, and the index of each track's rows.

/* Names of a block's columns, in their order; and the number of columns of some. */
const TL_BLOCK_COLUMNS = [
	"threads", "threadRows", "cpus", "runTimes", "runTasks",
	"repeats", "phases", "begins", "lengths", "threadCpus", "wakers", "contexts",
	"wakerTasks", "wakerRuns", "wakerTimes", "sleeps",
	"slices", "sliceBegins", "sliceLengths", "sliceNames", "sliceDepths", "sliceCategories", "sliceTexts",
	"instants", "instantBegins", "instantNames", "instantCategories", "instantTexts",
	"counters", "counterBegins", "values", "texts",
];
const TL_SPLIT = {
	runTimes: 3, runTasks: 2, begins: 3, lengths: 3, wakerTimes: 3, sliceBegins: 3, sliceLengths: 3, instantBegins: 3,
	counterBegins: 3,
};

function tlBlockColumns(columns) {
	let at = 0;

	return Object.fromEntries(TL_BLOCK_COLUMNS.map((name) => {
		const first = at;

		at += TL_SPLIT[name] || 1;
		return [name, TL_SPLIT[name] ? new TlSplitColumn(columns.slice(first, at)) : columns[first]];
	}));
}

/* Decodes the runs of CPUs: their begins, one after another, and the end of the last; task: key + 1, 0: unknown. */
function tlBlockCpus(c, begin, tasks) {
	const cpus = new Map(), runs = new Map();
	let cpu = 0;

	while (c.cpus.more()) {
		cpu += c.cpus.next();
		const count = c.cpus.next(), times = new Float64Array(count + 1), task = new Uint32Array(count);
		let at = begin + c.runTimes.next();

		for (let i = 0; i < count; i++) {
			times[i] = at;
			at += c.runTimes.next();
			const number = c.runTasks.next();
			task[i] = number < 2 ? number : tasks[number - 2];
			if (number > 1) {
				if (!runs.has(task[i]))
					runs.set(task[i], []);
				runs.get(task[i]).push({ from: times[i], to: at, cpu });
			}
		}
		times[count] = at;
		cpus.set(cpu, { times, task, count });
	}
	for (const of of runs.values())
		of.sort((a, b) => a.from - b.from || a.cpu - b.cpu);
	return { cpus, runs };
}

function tlBlockThreadArrays(count) {
	return {
		from: new Float64Array(count), to: new Float64Array(count), phase: new Uint8Array(count),
		cpu: new Uint16Array(count), what: new Float64Array(count), more: new Uint32Array(count), extra: new Uint8Array(count),
		reason: new Uint32Array(count),
	};
}

/* Phases and flags of rows: those that follow the row before as they did the last time are counted. */
class TlCodes {
	constructor(repeats, codes) {
		this.repeats = repeats;
		this.codes = codes;
		this.follows = new Uint8Array(256);
		this.before = 0;
		this.left = repeats.next();
	}
	next() {
		if (this.left) {
			this.left--;
		} else {
			this.follows[this.before] = this.codes.bytes[this.codes.at++];
			this.left = this.repeats.next();
		}
		this.before = this.follows[this.before];
		return this.before;
	}
}

/* Decodes a wait's begin and the waker's CPU by the waker's run; runs are those of the thread's last such waker. */
function tlBlockWaker(c, of, runs, ns) {
	const task = c.wakerTasks.next();
	let low = 0;

	if (task)
		runs = of.runs.get(of.tasks[task - 1]);
	for (let high = runs.length; low < high;) {
		const middle = (low + high) >> 1;
		if (runs[middle].from < ns)
			low = middle + 1;
		else
			high = middle;
	}
	const run = runs[low - 1 - c.wakerRuns.next()];
	return { runs, from: run.from + c.wakerTimes.next(), code: 2 * run.cpu + 1 };
}

/* Decodes the details of a wait or a sleep: the waker's code and its context; function, stack, iowait and reason. */
function tlBlockDetails(c, t, at, code, phase) {
	if (phase === TL_WAKEUP) {
		if (!(code & TL_PHASE_WAKER))
			t.what[at] = c.wakers.next();
		if (code & TL_PHASE_MORE)
			t.extra[at] = c.contexts.next();
	} else if (code & TL_PHASE_MORE) {
		t.what[at] = c.sleeps.next();
		t.more[at] = c.sleeps.next();
		t.extra[at] = c.sleeps.next();
	}
}

/* Decodes a sleep's reason, if the row is a sleep; before: the reason of the thread's sleep before.  Returns the last reason. */
function tlBlockReason(c, t, at, code, before) {
	const phase = code & 15;

	if (phase < TL_SLEEP || phase > TL_BLOCKED)
		return before;
	t.reason[at] = code & TL_PHASE_REASON ? c.sleeps.next() : before;
	return t.reason[at];
}

/* Decodes a row's begin and, if it has one, its end. */
function tlBlockTimes(c, t, at, code, before, last) {
	t.from[at] = code & TL_PHASE_BEGIN ? before + c.begins.next() : t.to[at - 1];
	t.to[at] = (code & 15) === TL_RUN || last ? t.from[at] + c.lengths.next() : -1;
}

/* Decodes the rows of a thread, from index at on; returns the index after them. */
function tlBlockThread(c, of, at, rows, runs) {
	const first = at, t = of.t;
	let before = of.begin, run = 0, waker = { runs: [] }, reason = 0;

	for (let left = rows; left; left--) {
		const code = of.codes.next(), phase = code & 15;

		if (phase === TL_SKIP) {
			run++;
			continue;
		}
		t.phase[at] = phase;
		if (phase === TL_RUN && !(code & TL_PHASE_BEGIN)) {
			t.from[at] = runs[run].from;
			t.to[at] = runs[run].to;
			t.cpu[at] = runs[run++].cpu;
		} else if (phase === TL_WAKEUP && code & TL_PHASE_WAKER) {
			waker = tlBlockWaker(c, of, waker.runs, runs[run].from);
			t.from[at] = waker.from;
			t.to[at] = -1;
			t.what[at] = waker.code;
		} else {
			tlBlockTimes(c, t, at, code, before, left === 1);
		}
		if (code & TL_PHASE_CPU)
			t.cpu[at] = c.threadCpus.next();
		if (at > first && t.to[at - 1] < 0)
			t.to[at - 1] = t.from[at];
		if (phase === TL_RUN && at > first && (t.phase[at - 1] === TL_WAKEUP || t.phase[at - 1] === TL_PREEMPTED) && t.extra[at - 1] < 128)
			t.cpu[at - 1] = t.cpu[at];
		tlBlockDetails(c, t, at, code, phase);
		reason = tlBlockReason(c, t, at, code, reason);
		if (code & TL_PHASE_CPU && phase !== TL_RUN)
			t.extra[at] |= 128;
		before = t.from[at++];
	}
	return at;
}

function tlBlockThreads(c, begin, tasks, runs) {
	const threads = new Map(), rows = tasks.map(() => c.threadRows.next());
	const t = tlBlockThreadArrays(rows.reduce((sum, of) => sum + of, 0));
	const of = { t, begin, tasks, runs, codes: new TlCodes(c.repeats, c.phases) };
	let at = 0;

	tasks.forEach((task, i) => {
		if (!rows[i])
			return;
		const first = at;
		at = tlBlockThread(c, of, at, rows[i], runs.get(task) || []);
		threads.set(task - 1, { first, end: at });
	});
	for (let i = 0; i < at; i++)
		t.extra[i] &= 127;
	return { threads, t };
}

/* Decodes slices or instants, which have no lengths and depths; texts are decoded when they are shown. */
function tlBlockEvents(c, begin, texts) {
	const tracks = new Map(), from = [], to = [], name = [], depth = [], category = [], text = [];
	let track = 0;

	while (c.tracks.more()) {
		track += c.tracks.next();
		const first = from.length;
		let at = begin;
		for (let left = c.tracks.next(); left; left--) {
			at += c.begins.next();
			from.push(at);
			to.push(c.lengths ? at + c.lengths.next() : at);
			depth.push(c.depths ? c.depths.next() : 0);
			name.push(c.names.next());
			category.push(c.categories.next());
			text.push(texts.at);
			texts.at += c.texts.next();
		}
		tracks.set(track, { first, end: from.length });
	}
	text.push(texts.at);
	return { tracks, from: Float64Array.from(from), to: Float64Array.from(to), depth: Uint16Array.from(depth),
		name: Uint16Array.from(name), category: Uint16Array.from(category), text: Uint32Array.from(text) };
}

function tlBlockCounters(c, begin) {
	const tracks = new Map(), from = [], bytes = c.values.bytes, value = [];
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let track = 0;

	while (c.counters.more()) {
		track += c.counters.next();
		const first = from.length;
		let at = begin;
		for (let left = c.counters.next(); left; left--) {
			at += c.counterBegins.next();
			value.push(view.getFloat64(8 * from.length, true));
			from.push(at);
		}
		tracks.set(track, { first, end: from.length });
	}
	return { tracks, from: Float64Array.from(from), value: Float64Array.from(value) };
}

function tlBlockDecode(columns, begin) {
	const c = tlBlockColumns(columns), tasks = [];

	for (let at = 0; c.threads.more(); tasks.push(at))
		at += c.threads.next();
	const { cpus, runs } = tlBlockCpus(c, begin, tasks), { threads, t } = tlBlockThreads(c, begin, tasks, runs);
	const texts = { at: 0 }, slices = tlBlockEvents({ tracks: c.slices, begins: c.sliceBegins, lengths: c.sliceLengths,
		names: c.sliceNames, depths: c.sliceDepths, categories: c.sliceCategories, texts: c.sliceTexts }, begin, texts);
	const instants = tlBlockEvents({ tracks: c.instants, begins: c.instantBegins, lengths: null,
		names: c.instantNames, depths: null, categories: c.instantCategories, texts: c.instantTexts }, begin, texts);
	return { cpus, threads, t, tasks, slices, instants, counters: tlBlockCounters(c, begin), texts: c.texts.bytes.slice() };
}

/* Returns the name of an event: from the strings that all blocks share, or from its text. */
function tlEventName(view, events, at, data) {
	return events.name[at] ? view.head.strings[events.name[at]] : tlBlockText(data, events, at).name;
}

/* Returns the parts of an event's text: its name if it has no number, then [name, value] of each argument. */
function tlBlockText(data, events, at) {
	const bytes = data.texts.subarray(events.text[at], events.text[at + 1]);
	const parts = new TextDecoder().decode(bytes).split("\x1e");

	return { name: parts[0], args: parts.slice(1).map((part) => part.split("\x1f")) };
}
