// SPDX-License-Identifier: GPL-2.0-only
// Sums of a range: exact, from its rows, block by block.

/* The most CPUs that are listed. */
const TL_RANGE_CPUS = 64;

/* Returns the blocks that have rows in a range of any track of a kind, each once. */
function tlBlocksIn(view, kind, from, to) {
	const blocks = new Set();

	for (const track of view.head.index[kind].keys())
		for (const number of view.store.blocksOf(kind, track, from, to))
			blocks.add(number);
	return [...blocks].sort((a, b) => a - b);
}

/* Adds the part of a sleep in the range to its reason; stopped threads have a sum of their own. */
function tlRangeReason(sums, t, i, ns) {
	const phase = t.phase[i], what = phase < TL_STOPPED ? t.reason[i] : "stopped";

	if (phase < TL_SLEEP || phase > TL_TRACED)
		return;
	const sum = sums.reasons.get(what) || [0, 0];
	sum[0] += ns;
	sum[1]++;
	sums.reasons.set(what, sum);
}

function tlRangeBlock(sums, data, from, to) {
	for (const [cpu, of] of data.cpus) {
		const sum = sums.cpus.get(cpu) || [0, 0, 0];
		for (let i = Math.max(0, tlBeyond(of.times, 0, of.count, from) - 1); i < of.count && of.times[i] < to; i++) {
			const ns = Math.min(of.times[i + 1], to) - Math.max(of.times[i], from);
			if (ns > 0)
				sum[of.task[i] > 1 ? 0 : of.task[i] ? 1 : 2] += ns;
		}
		sums.cpus.set(cpu, sum);
	}
	for (const [key, of] of data.threads) {
		const t = data.t, sum = sums.threads.get(key) || [0, 0, 0, 0, 0, 0];
		for (let i = Math.max(of.first, tlBeyond(t.from, of.first, of.end, from) - 1); i < of.end && t.from[i] < to; i++) {
			const ns = Math.min(t.to[i], to) - Math.max(t.from[i], from), value = TL_VALUE_OF[t.phase[i]];
			if (ns > 0)
				sum[value < 0 ? 4 : value] += ns;
			if (ns > 0 && value === 0)
				sum[5]++;
			if (ns > 0)
				tlRangeReason(sums, t, i, ns);
		}
		sums.threads.set(key, sum);
	}
}

/* Sums up slices by name; a slice within another counts for both. */
function tlRangeSlices(view, sums, data, from, to) {
	const { slices } = data;

	for (const of of slices.tracks.values()) {
		const end = tlBeyond(slices.from, of.first, of.end, to);
		for (let i = of.first; i < end; i++) {
			const begin = slices.from[i], last = slices.to[i];
			/* A slice without length counts where it begins. */
			if (begin >= to || (last <= from && begin < from))
				continue;
			const name = tlEventName(view, slices, i, data), sum = sums.get(name) || [0, 0];
			sum[0] += Math.min(last, to) - Math.max(begin, from);
			sum[1]++;
			sums.set(name, sum);
		}
	}
}

/*
 * Returns { cpus: busy, idle, unknown; threads: run, wait, blocked, unknown, other, runs; slices: time, count; reasons: time,
 * sleeps }, by number, key, name, number.
 */
async function tlRangeSums(view, from, to, progress) {
	const sums = { cpus: new Map(), threads: new Map(), slices: new Map(), reasons: new Map() };
	const blocks = new Set([TL_CPU, TL_THREAD, TL_SLICE].flatMap((kind) => tlBlocksIn(view, kind, from, to)));
	let done = 0;

	for (const number of blocks) {
		const data = await view.store.load(number);
		tlRangeBlock(sums, data, from, to);
		tlRangeSlices(view, sums.slices, data, from, to);
		if (!progress(++done, blocks.size))
			return null;
	}
	return sums;
}

async function tlRangeShow(view, from, to) {
	const inside = (ns) => Math.max(0, Math.min(view.head.span, ns));
	const range = { from: inside(Math.min(from, to)), to: inside(Math.max(from, to)) };
	const length = range.to - range.from;

	/* The range is outside of the trace. */
	if (!length)
		return;
	const request = view.request = {};
	view.range = range;
	view.selected = null;
	view.dirty();
	tlLinkWrite(view);
	const sums = await tlRangeSums(view, range.from, range.to, (done, all) => {
		if (view.request === request && done < all)
			view.dom.detail.textContent = `Sums of ${tlDuration(length)}: ${done} of ${all} blocks`;
		return view.request === request;
	});
	if (!sums)
		return;
	view.rangeSums = sums;
	const percent = (ns) => `${(ns / length * 100).toFixed(1)} %`;
	const cpus = [...sums.cpus].sort((a, b) => sums.cpus.size > TL_RANGE_CPUS ? b[1][0] - a[1][0] : a[0] - b[0])
		.slice(0, TL_RANGE_CPUS).map(([cpu, [busy, idle, unknown]]) =>
			[`CPU ${cpu}`, percent(busy), tlDuration(busy), tlDuration(idle), unknown ? tlDuration(unknown) : ""]);
	const threads = [...sums.threads].filter((of) => of[1][0] + of[1][1]).sort((a, b) => b[1][0] - a[1][0]);
	const facts = [...tlFact("From", tlMoment(view.head, range.from)), ...tlFact("To", tlMoment(view.head, range.to)),
		...tlFact("Duration", tlExact(length)), ...tlFact("Threads that ran or waited", String(threads.length))];
	tlDetailShow(view, { title: `${tlDuration(length)} in sums`, facts, key: 0, tables: [
		tlTable(cpus.length < sums.cpus.size ? `The ${TL_RANGE_CPUS} busiest of ${formatCount(sums.cpus.size)} CPUs` : "CPUs",
			["CPU", "Busy", "Busy", "Idle", "Not known"], cpus),
		tlTable(threads.length > 20 ? "The 20 threads that ran most" : "Threads", ["Thread", "Run", "Runs", "Wait", "Blocked"],
			threads.slice(0, 20).map(([key, of]) => [tlGo(view, key, range.from, tlThreadName(view.head, key)), tlDuration(of[0]),
				String(of[5]), tlDuration(of[1]), tlDuration(of[2])])),
		...tlRangeReasonTables(view.head, sums.reasons), tlRangeSliceTable(sums.slices),
	].filter((table) => table.tBodies[0].rows.length) });
}

/* Returns sums of sleeps by class, and the reasons that took most except for waits for work; none without reasons. */
function tlRangeReasonTables(head, sums) {
	const classes = new Map(), reasons = [];

	if (head.reasons.length < 2)
		return [];
	for (const [what, [ns, count]] of sums) {
		const reason = what === "stopped" ? { class: "stopped", call: "" } : head.reasons[what], sum = classes.get(reason.class) || [0, 0];
		sum[0] += ns;
		sum[1] += count;
		classes.set(reason.class, sum);
		if (!TL_THIN.includes(reason.class) && reason.call)
			reasons.push([reason, ns, count]);
	}
	const all = [...classes.values()].reduce((sum, of) => sum + of[0], 0), most = reasons.sort((a, b) => b[1] - a[1]).slice(0, 12);
	return [tlTable("Sleeps by class", ["Class", "Time", "Share", "Sleeps"], [...classes].sort((a, b) => b[1][0] - a[1][0])
		.map(([name, [ns, count]]) => [tlClassName(name), tlDuration(ns), formatShare(ns, all), formatCount(count)])),
	tlTable(most.length < reasons.length ? "The 12 reasons that took most" : "Reasons", ["Class", "Call", "Object", "Holder", "Time", "Sleeps"],
		most.map(([reason, ns, count]) => [tlClassName(reason.class), reason.call, reason.object === null ? "not kept" : reason.object,
			reason.holder ? tlThreadName(head, reason.holder) : "", tlDuration(ns), formatCount(count)]))];
}

/* Returns a class's name with its colour. */
function tlClassName(name) {
	const chip = make("i", { "aria-hidden": "true" });

	chip.style.background = `var(--${TL_CLASSES.get(name)[0]})`;
	return make("span", { class: "culprit" }, chip, name);
}

function tlRangeSliceTable(sums) {
	const slices = [...sums].sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1]);

	return tlTable(slices.length > 20 ? "The 20 names of slices that took most" : "Slices", ["Name", "Time", "Slices"],
		slices.slice(0, 20).map(([name, [ns, count]]) => [cleanName(name) || "?", tlDuration(ns), formatCount(count)]));
}
