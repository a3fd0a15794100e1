// SPDX-License-Identifier: GPL-2.0-only
// The first part of the page: origin of the trace, sums, the threads that waited most with causes, and the worst
// waits.

/* Colours of culprits that are not threads; only others are grey. */
const CULPRIT_KINDS = { idle: "--idle-culprit", unknown: "--unknown", irq: "--irq", softirq: "--softirq", throttled: "--throttled" };
const OTHERS_COLOUR = "--sleep";
const CULPRITS_NAMED = 3;

function makeFacts(data) {
	const f = data.facts, machine = [f.host, f.release && `Linux ${f.release}`, f.arch, f.model,
		f.processors ? formatMany(f.processors, "processor") : null];
	const recorded = [f.backend && `by ${f.backend === "bpf" ? "eBPF" : f.backend}`, f.clock && `clock ${f.clock}`];
	const more = f.lost_events && f.lost.some((loss) => loss.events === null) ? "at least " : "";
	const events = f.lost_events ? formatMany(f.lost_events, "event") : "an unknown number of events";
	const lost = [f.lost_count &&
		`${more}${events} in ${formatMany(f.lost_count, "loss; what it hides", "losses; what they hide")} is unknown`,
	f.lost_others && `${formatCount(f.lost_others)} names, messages, marks or events other than scheduling`];
	const { chosen_threads: chosen, cpus_left_out: leftOut } = f.machines[0];
	const filtered = [chosen && "only chosen threads were recorded: what others do is unknown",
		leftOut && `CPUs left out: ${formatCount(leftOut)}; what threads do there is unknown`];
	const list = make("dl", { class: "facts" });

	for (const { title, words } of [{ title: "Machine", words: machine }, { title: "Recorded", words: recorded }])
		list.append(make("div", {}, make("dt", {}, title),
			make("dd", {}, words.filter((word) => word).map((word) => cleanName(word)).join(" \u00b7 ") || "not known")));
	list.append(make("div", {}, make("dt", {}, "Span"),
		make("dd", { id: "span", "data-from-ns": f.from_ns, "data-to-ns": f.to_ns },
			`${formatMoment(f.to_ns, f)}, from ${formatClock(f.from_ns)} to ${formatClock(f.to_ns)}`)));
	list.append(make("div", {}, make("dt", {}, "Losses"),
		make("dd", { id: "losses", class: f.lost_count || f.lost_others ? "bad" : "good", "data-count": f.lost_events },
			lost.filter((words) => words).join(" \u00b7 ") || "none reported")));
	if (chosen || leftOut)
		list.append(make("div", {}, make("dt", {}, "Filtered"),
			make("dd", { id: "filtered", class: "bad" }, filtered.filter((words) => words).join(" \u00b7 "))));
	if (!f.wakes && data.report.cpus.length)
		list.append(make("div", {}, make("dt", {}, "Wakeups"),
			make("dd", { class: "bad" }, "none in it: whether a thread slept or waited is unknown")));
	return list;
}

function makeTile(title, value, ...notes) {
	return make("div", { class: "tile" }, make("dt", {}, title), make("dd", { class: "value" }, value),
		...notes.filter((note) => note !== null).map((note) => make("dd", {}, note)));
}

function nsSpan(ns) {
	return make("span", { "data-ns": ns }, formatTime(ns));
}

function makeTiles(data) {
	const t = data.totals, sum = (member) => data.report.cpus.reduce((all, cpu) => all + Number(cpu[member]), 0);
	/* Shares of all time, as in the table of CPUs: unknown time is a part of it. */
	const chosen = data.facts.machines[0].chosen_threads, latency = t.latency, unknown = sum("unknown_ns");
	const time = sum("busy_ns") + sum("idle_ns") + unknown;
	/* Switches from idle count, too: all that CPUs did, as in their table. */
	const span = nsBetween(data.facts.from_ns, data.facts.to_ns), switches = sum("switches");

	return make("dl", { class: "tiles", id: "tiles" },
		makeTile(chosen ? "CPUs busy with them" : "CPUs busy", formatShare(sum("busy_ns"), time),
			formatMany(data.report.cpus.length, "CPU"),
			make("span", {}, "in interrupts ", formatShare(sum("interrupt_ns"), time)),
			unknown ? make("span", {}, "unknown ", formatShare(unknown, time)) : null),
		makeTile("Waited for a CPU", nsSpan(BigInt(t.wait_wakeup_ns) + BigInt(t.wait_preempted_ns)),
			make("span", {}, "after wakeups ", nsSpan(t.wait_wakeup_ns)),
			make("span", {}, "preempted ", nsSpan(t.wait_preempted_ns))),
		makeTile("Wakeup latency, p99", latency.count ? nsSpan(latency.p99_ns) : "\u2013",
			make("span", {}, "median ", latency.count ? nsSpan(latency.p50_ns) : "\u2013"),
			make("span", {}, "longest ", latency.count ? nsSpan(latency.max_ns) : "\u2013")),
		makeTile("Blocked", nsSpan(t.blocked_ns), "in uninterruptible sleep", null),
		makeTile("Context switches", make("span", { "data-count": switches }, formatCount(switches)),
			span ? `${formatRate(switches / (span / 1e9))} a second` : null,
			formatMany(t.preemptions, "preemption")),
		makeTile("Threads", formatCount(t.threads), formatMany(t.wakeups, "wakeup"),
			formatMany(t.migrations, "migration")));
}

function culpritColour(culprit, by) {
	return culprit.kind === "thread" ? `--h${groupShade(by, culprit)}` : CULPRIT_KINDS[culprit.kind] || OTHERS_COLOUR;
}

/* Returns the time of a wait beyond the listed culprits. */
function culpritRest(victim) {
	return victim.culprits.reduce((rest, culprit) => rest - Number(culprit.ns), Number(victim.wait_ns));
}

function makeCulpritBar(victim, most, by) {
	const bar = make("span", { class: "bar", "aria-hidden": "true" });

	function part(ns, name, title) {
		const piece = make("span", { title });

		piece.style.width = `${100 * Number(ns) / most}%`;
		piece.style.background = `var(${name})`;
		bar.append(piece);
	}
	for (const culprit of victim.culprits)
		part(culprit.ns, culpritColour(culprit, by),
			`${culpritTitle(culprit, by)}: ${formatTime(culprit.ns)}, ${formatShare(culprit.ns, victim.wait_ns)}`);
	if (culpritRest(victim) > 0)
		part(culpritRest(victim), OTHERS_COLOUR, `others: ${formatTime(culpritRest(victim))}`);
	return make("td", { class: "barcell" }, bar);
}

function makeCulpritList(victim, by) {
	const cell = make("td", { class: "culprits" }), named = victim.culprits.slice(0, CULPRITS_NAMED);
	const rest = culpritRest({ wait_ns: victim.wait_ns, culprits: named });

	for (const culprit of named) {
		const chip = make("i", { "aria-hidden": "true" });

		chip.style.background = `var(${culpritColour(culprit, by)})`;
		cell.append(make("span", { class: "culprit", "data-ns": culprit.ns }, chip,
			make("bdi", {}, culpritTitle(culprit, by)), ` ${formatMs(culprit.ns)}`), " ");
	}
	if (rest > 0)
		cell.append(make("span", { class: "culprit", "data-ns": rest }, `others ${formatMs(rest)}`));
	return cell;
}

/* Returns a cell with a waiter's name, a link to the moment of its longest wait. */
function waiterCell(victim, by) {
	const title = groupTitle(by, victim), to = BigInt(victim.longest_from_ns) + BigInt(victim.longest_ns);

	return make("td", { class: "thread", "data-key": victim.key },
		make("a", { href: momentLink(victim.longest_from_ns, to, victim.longest_key), class: "name",
			title: `${title}: its longest wait in the timeline, ${formatTime(victim.longest_ns)}` }, make("bdi", {}, title)));
}

function waiterColumns(data, by, most) {
	const all = Number(data.totals.wait_wakeup_ns) + Number(data.totals.wait_preempted_ns);

	return [
		{ title: GROUPINGS.find((of) => of[0] === by)[2], cell: (v) => waiterCell(v, by) },
		{ title: "Waited ms", number: true, cell: (v) => nsCell(v.wait_ns) },
		{ title: "Of all", number: true, cell: (v) => make("td", { class: "number" }, formatShare(v.wait_ns, all)) },
		{ title: "Longest ms", number: true, cell: (v) => nsCell(v.longest_ns) },
		{ title: "Because of", cell: (v) => makeCulpritBar(v, most, by) },
		{ title: "What ran instead, ms", cell: (v) => makeCulpritList(v, by) },
	];
}

function showWaiters(root, data) {
	const box = make("div", {});
	const fillRows = (by) => {
		const victims = groupRows("blame", by, data) || [], most = victims.length ? Number(victims[0].wait_ns) : 1;

		box.replaceChildren(makeTableOr("No thread waited for a CPU.", waiterColumns(data, by, most), victims,
			{ caption: "What waited most for a CPU", shown: 10, stack: true }));
	};

	makeSection(root, "waiters", "What waited most, and because of what",
		"Time in which a thread could run and had no CPU, cut by what ran there instead. A name is a link to its longest wait.",
		data.blame.victims.length ? make("div", { class: "controls" }, makeGroupChoice("waiters-by", data.by, fillRows)) : null, box);
	fillRows(data.by);
}

/* Isolates each part of a story: a name from right to left would move the following number before itself. */
function storyParts(story) {
	return cleanName(story, 600).split(/([,;] )/).map((part) => make("bdi", {}, part));
}

function showWorst(root, data) {
	const facts = data.facts, waits = data.blame.worst;
	const columns = [
		{ title: "At", number: true, cell: (w) => make("td", { class: "number", "data-ns": w.from_ns },
			make("a", { href: momentLink(w.from_ns, w.to_ns, w.key),
				title: `${formatClock(w.from_ns)}: show it in the timeline` }, formatMoment(w.from_ns, facts))) },
		{ title: "Waited ms", number: true, cell: (w) => nsCell(nsBetween(w.from_ns, w.to_ns)) },
		{ title: "Thread", cell: (w) => nameCell(threadTitle(w), { "data-key": w.key }) },
		{ title: "CPU", number: true, cell: (w) => cpuCell(w.cpu) },
		{ title: "After", cell: (w) => make("td", {}, w.after) },
		{ title: "What happened", cell: (w) => make("td", { class: "story" }, ...storyParts(w.story)) },
		{ title: "Clock s", number: true, cell: (w) => make("td", { class: "number" }, formatClock(w.from_ns).slice(0, -3)) },
	];

	makeSection(root, "worst", "The longest waits", "Each is a link to its moment in the timeline.",
		makeTableOr("None.", columns, waits, { caption: "The longest waits for a CPU", shown: 10, stack: true }));
}

/* Shows a trace without scheduling, or without any event, and makes no statement about waits. */
function showBare(root, data) {
	root.append(makeFacts(data));
	if (!data.facts.events) {
		makeSection(root, "bare", "No event in this trace", "It has neither scheduling nor events of programs.");
		return;
	}
	makeSection(root, "bare", "No scheduling in this trace", "It has events of programs alone: which threads ran, waited " +
		"or were blocked is unknown. The timeline shows what there is.");
}

function showMatters(root, data) {
	root.append(makeFacts(data), makeTiles(data));
	showWaiters(root, data);
	showWorst(root, data);
	showCpus(root, data);
	showLatency(root, data);
	showLocks(root, data);
}
