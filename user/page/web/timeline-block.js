// SPDX-License-Identifier: GPL-2.0-only
// A block of the timeline, from its columns: arrays of rows, and where each track's rows are in them.

/* Begins of a CPU's runs, one after another, and the end of the last; task: key and one, 0: not known. */
function tlBlockCpus(c, begin, tasks) {
	const cpus = new Map(), runs = new Map();
	let cpu = 0;

	while (c[2].more()) {
		cpu += c[2].next();
		const count = c[2].next(), times = new Float64Array(count + 1), task = new Uint32Array(count);
		let at = begin + c[3].next();

		for (let i = 0; i < count; i++) {
			times[i] = at;
			at += c[3].next();
			const number = c[4].bytes[c[4].at++] + c[5].next() * 256;
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
	};
}

/* What a wait or a sleep says more: a waker's code and its context; function, stack and iowait. */
function tlBlockDetails(c, t, at, code, phase) {
	if (phase === TL_WAKEUP) {
		t.what[at] = c[10].next();
		if (code & TL_PHASE_MORE)
			t.extra[at] = c[11].next();
	} else if (code & TL_PHASE_MORE) {
		t.what[at] = c[12].next();
		t.more[at] = c[12].next();
		t.extra[at] = c[12].next();
	}
}

/* The rows of one thread, from number at on; returns the number behind them. */
function tlBlockThread(c, t, at, rows, begin, runs) {
	const first = at;
	let before = begin, run = 0;

	for (let left = rows; left; left--) {
		const code = c[6].bytes[c[6].at++], phase = code & 15;

		if (phase === TL_SKIP) {
			run++;
			continue;
		}
		const implied = phase === TL_RUN && !(code & TL_PHASE_BEGIN);
		t.phase[at] = phase;
		if (implied) {
			t.from[at] = runs[run].from;
			t.to[at] = runs[run].to;
			t.cpu[at] = runs[run++].cpu;
		} else {
			t.from[at] = code & TL_PHASE_BEGIN ? before + c[7].next() : t.to[at - 1];
			t.to[at] = phase === TL_RUN || left === 1 ? t.from[at] + c[8].next() : -1;
		}
		if (code & TL_PHASE_CPU)
			t.cpu[at] = c[9].next();
		if (at > first && t.to[at - 1] < 0)
			t.to[at - 1] = t.from[at];
		if (phase === TL_RUN && at > first && (t.phase[at - 1] === TL_WAKEUP || t.phase[at - 1] === TL_PREEMPTED) && t.extra[at - 1] < 128)
			t.cpu[at - 1] = t.cpu[at];
		tlBlockDetails(c, t, at, code, phase);
		if (code & TL_PHASE_CPU && phase !== TL_RUN)
			t.extra[at] |= 128;
		before = t.from[at++];
	}
	return at;
}

function tlBlockThreads(c, begin, tasks, runs) {
	const threads = new Map(), rows = tasks.map(() => c[1].next());
	const t = tlBlockThreadArrays(rows.reduce((sum, of) => sum + of, 0));
	let at = 0;

	tasks.forEach((task, i) => {
		if (!rows[i])
			return;
		const first = at;
		at = tlBlockThread(c, t, at, rows[i], begin, runs.get(task) || []);
		threads.set(task - 1, { first, end: at });
	});
	for (let i = 0; i < at; i++)
		t.extra[i] &= 127;
	return { threads, t };
}

/* Slices or instants: their columns begin at number of; texts are read where they are shown. */
function tlBlockEvents(c, begin, of, slices, texts) {
	const tracks = new Map(), names = c[of + 2], depths = slices ? c[of + 3] : null, categories = c[of + (slices ? 4 : 3)];
	const lengths = c[of + (slices ? 5 : 4)], from = [], to = [], name = [], depth = [], category = [], text = [];
	let track = 0;

	while (c[of].more()) {
		track += c[of].next();
		const first = from.length;
		let at = begin;
		for (let left = c[of].next(); left; left--) {
			at += c[of + 1].next();
			from.push(at);
			to.push(slices ? at + c[of + 1].next() : at);
			depth.push(depths ? depths.next() : 0);
			name.push(names.next());
			category.push(categories.next());
			text.push(texts.at);
			texts.at += lengths.next();
		}
		tracks.set(track, { first, end: from.length });
	}
	text.push(texts.at);
	return { tracks, from: Float64Array.from(from), to: Float64Array.from(to), depth: Uint16Array.from(depth),
		name: Uint16Array.from(name), category: Uint16Array.from(category), text: Uint32Array.from(text) };
}

function tlBlockCounters(c, begin) {
	const tracks = new Map(), from = [], bytes = c[26].bytes, value = [];
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let track = 0;

	while (c[24].more()) {
		track += c[24].next();
		const first = from.length;
		let at = begin;
		for (let left = c[24].next(); left; left--) {
			at += c[25].next();
			value.push(view.getFloat64(8 * from.length, true));
			from.push(at);
		}
		tracks.set(track, { first, end: from.length });
	}
	return { tracks, from: Float64Array.from(from), value: Float64Array.from(value) };
}

function tlBlockDecode(c, begin) {
	const tasks = [];

	for (let at = 0; c[0].more(); tasks.push(at))
		at += c[0].next();
	const { cpus, runs } = tlBlockCpus(c, begin, tasks), { threads, t } = tlBlockThreads(c, begin, tasks, runs);
	const texts = { at: 0, bytes: c[27].bytes };
	return { cpus, threads, t, tasks, slices: tlBlockEvents(c, begin, 13, true, texts),
		instants: tlBlockEvents(c, begin, 19, false, texts), counters: tlBlockCounters(c, begin), texts: texts.bytes.slice() };
}

/* Its name: of the strings that all blocks share, or its text's. */
function tlEventName(view, events, at, data) {
	return events.name[at] ? view.head.strings[events.name[at]] : tlBlockText(data, events, at).name;
}

/* The parts of an event's text: its name where it has no number, then [name, value] of each argument. */
function tlBlockText(data, events, at) {
	const bytes = data.texts.subarray(events.text[at], events.text[at + 1]);
	const parts = new TextDecoder().decode(bytes).split("\x1e");

	return { name: parts[0], args: parts.slice(1).map((part) => part.split("\x1f")) };
}
