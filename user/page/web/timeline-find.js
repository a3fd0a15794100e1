// SPDX-License-Identifier: GPL-2.0-only
// Finds rows of the trace: a thread's state at a time, its waker, the culprits of its wait.

/* Returns the blocks with rows of a track in a range, once they are all decoded. */
async function tlLoad(store, kind, track, from, to) {
	const datas = [];

	for (const number of store.blocksOf(kind, track, from, to))
		datas.push(await store.load(number));
	return datas;
}

/* Returns a thread's row as an object. */
function tlState(key, t, i, data) {
	return { type: "state", key, from: t.from[i], to: t.to[i], phase: t.phase[i], cpu: t.cpu[i], what: t.what[i],
		more: t.more[i], extra: t.extra[i], reason: t.reason[i], data };
}

/* Returns a counter's value at a time, and begin and end of that value; null: no value yet. */
async function tlValueAt(view, number, ns) {
	const { store, head } = view;
	/** @type {any} */
	let found = null;

	tlEachValue(await tlLoad(store, TL_COUNTER, number, ns, ns + 0.5), number, ns, ns + 0.5, (from, value) => {
		if (from <= ns)
			found = { from, to: head.span, value };
	});
	for (const block of found ? head.index[TL_COUNTER].get(number).blocks : []) {
		if (head.blocks[block].end <= ns && block < head.blocks.length - 1)
			continue;
		const { counters } = await store.load(block), of = counters.tracks.get(number);
		const next = tlBeyond(counters.from, of.first, of.end, ns);
		if (next < of.end) {
			found.to = counters.from[next];
			break;
		}
	}
	return found;
}

/* Returns a thread's state at a time; null: the trace doesn't have the thread then. */
async function tlStateAt(view, key, ns) {
	let found = null;

	tlEachState(await tlLoad(view.store, TL_THREAD, key, ns, ns + 0.5), key, ns, ns + 0.5, (t, i, data) => {
		if (t.from[i] <= ns)
			found = tlState(key, t, i, data);
	});
	return found;
}

function tlIsWait(state) {
	return state !== null && (state.phase === TL_WAKEUP || state.phase === TL_PREEMPTED);
}

/* Returns all rows of a wait, one for each of its queues; for another state, its only row. */
async function tlWait(view, state) {
	const rows = [state];

	if (!tlIsWait(state))
		return rows;
	for (;;) {
		const before = await tlStateAt(view, state.key, rows[0].from - 0.5);
		if (!before || before.phase !== state.phase)
			break;
		rows.unshift(before);
	}
	for (;;) {
		const after = await tlStateAt(view, state.key, rows[rows.length - 1].to);
		if (!after || after.phase !== state.phase)
			break;
		rows.push(after);
	}
	return rows;
}

async function tlRunAt(view, cpu, ns) {
	let found = null;

	tlEachRun(await tlLoad(view.store, TL_CPU, cpu, ns, ns + 0.5), cpu, ns, ns + 0.5, (from, to, task) => {
		if (from <= ns)
			found = { from, to, task, cpu };
	});
	return found;
}

/* Finds the waker of a thread: { key (null: a timer), cpu (-1: unknown), ns, context }; null: unknown. */
async function tlWaker(view, wait) {
	const code = wait.what, context = TL_CONTEXTS[wait.extra];

	if (wait.phase !== TL_WAKEUP || !code)
		return null;
	if (wait.extra >= TL_TIMER)
		return { key: null, cpu: code & 1 ? (code - 1) / 2 : -1, ns: wait.from, context };
	if (code & 1) {
		const run = await tlRunAt(view, (code - 1) / 2, wait.from);
		return run && run.task ? { key: run.task - 1, cpu: run.cpu, ns: wait.from, context } : null;
	}
	const number = (code - 2) / 2;
	if (!number)
		return null;
	const key = number === 1 ? 0 : wait.data.tasks[number - 2] - 1;
	const state = key ? await tlStateAt(view, key, wait.from) : null;
	return { key, cpu: state && state.phase === TL_RUN ? state.cpu : -1, ns: wait.from, context };
}

/* Returns slices of a CPU's interrupts: [from, to, name]. */
async function tlHandlers(view, cpu, what, from, to) {
	const section = view.sections.find((s) => s.id === "cpus"), of = section && section.children.find((c) => c.cpu === cpu);
	const track = of && of.children.find((c) => c.type === "slices" && c.label === what), found = [];

	if (!track)
		return found;
	tlEachSlice(await tlLoad(view.store, TL_SLICE, track.of.number, from, to), track.of.number, from, to, (s, i) => {
		found.push([s.from[i], s.to[i], view.head.strings[s.name[i]]]);
	});
	return found;
}

/* Calls call() for each part of from..to in some of the ranges, which are sorted. */
function tlCut(ranges, from, to, call) {
	let at = from, low = 0, high = ranges.length;

	while (low < high) {
		const middle = (low + high) >> 1;
		if (ranges[middle][1] <= from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < ranges.length && ranges[low][0] < to; low++) {
		const [begin, end, name] = ranges[low];
		if (begin > at)
			call(at, begin, null);
		call(Math.max(at, begin), Math.min(to, end), name);
		at = Math.min(to, end);
	}
	if (at < to)
		call(at, to, null);
}

/*
 * Sums up, in ns, the culprits of a thread's wait on the CPU of its queue: an interrupt's handler has precedence over a
 * softirq's, and that over a thread.
 */
async function tlCulprits(view, rows) {
	const sums = new Map();
	const add = (kind, key, name, ns) => {
		const id = `${kind} ${key} ${name}`;
		const sum = sums.get(id) || { kind, key, name, ns: 0 };
		sum.ns += ns;
		sums.set(id, sum);
	};

	for (const { from, to, cpu } of rows) {
		const irqs = await tlHandlers(view, cpu, "irq", from, to), softirqs = await tlHandlers(view, cpu, "softirq", from, to);
		tlEachRun(await tlLoad(view.store, TL_CPU, cpu, from, to), cpu, from, to, (begin, end, task) => {
			const a = Math.max(begin, from), b = Math.min(end, to);
			if (!task) {
				add("unknown", 0, "not known", b - a);
				return;
			}
			tlCut(irqs, a, b, (c, d, irq) => {
				if (irq !== null)
					add("irq", 0, irq, d - c);
				else
					tlCut(softirqs, c, d, (e, f, softirq) => softirq !== null ? add("softirq", 0, softirq, f - e) :
						task === 1 ? add("idle", 0, "idle", f - e) : add("thread", task - 1, tlThreadName(view.head, task - 1), f - e));
			});
		});
	}
	return [...sums.values()].sort((a, b) => b.ns - a.ns);
}
