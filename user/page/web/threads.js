// SPDX-License-Identifier: GPL-2.0-only
// Threads: what each did, as "fxtrec report" says it.

const THREAD_STATES = [["run_ns", "Run", "--run"], ["wait_wakeup_ns", "Wait, woken", "--wait"],
	["wait_preempted_ns", "Wait, preempted", "--preempted"], ["blocked_ns", "Blocked", "--blocked"],
	["stopped_ns", "Stopped", "--stopped"], ["sleep_ns", "Sleep", "--sleep"], ["unknown_ns", "Unknown", "--unknown"]];

function makeStateBar(thread) {
	const life = nsBetween(thread.begin_ns, thread.end_ns) || 1;
	const bar = make("span", { class: "bar whole", "aria-hidden": "true" });

	for (const [member, title, colour] of THREAD_STATES) {
		if (!Number(thread[member]))
			continue;
		const part = make("span",
			{ title: `${title}: ${formatTime(thread[member])}, ${formatShare(thread[member], life)}` });

		part.style.width = `${100 * Number(thread[member]) / life}%`;
		part.style.background = `var(${colour})`;
		bar.append(part);
	}
	return make("td", { class: "barcell" }, bar);
}

function threadColumns(facts) {
	const ns = (title, member) => ({ title, number: true, cell: (t) => nsCell(t[member]), sort: (t) => t[member] });
	const count = (title, member) => ({ title, number: true, cell: (t) => countCell(t[member]), sort: (t) => t[member] });
	const latency = (title, member) => ({ title, hint: "From wakeup to run", number: true, sort: (t) => t.latency[member],
		cell: (t) => t.latency.count ? nsCell(t.latency[member]) : make("td", { class: "number" }, "\u2013") });

	return [
		{ title: "Thread", cell: (t) => make("td", { class: "thread", "data-key": t.key }, threadLink(t, facts)),
			sort: (t) => threadTitle(t) },
		{ title: "Process", sort: (t) => t.process || "",
			cell: (t) => nameCell(t.process ? `${cleanName(t.process)}:${t.pid}` : "\u2013") },
		{ title: "Its time", cell: makeStateBar },
		...THREAD_STATES.filter(([member]) => member !== "stopped_ns").map(([member, title]) => ns(title, member)),
		count("Switches", "switches"), count("Preempted", "preemptions"), count("Wakeups", "wakeups"),
		count("Migrations", "migrations"),
		latency("p50", "p50_ns"), latency("p99", "p99_ns"), latency("Longest", "max_ns"),
	];
}

function showThreads(root, data) {
	const threads = data.report.threads, table = makeTable(threadColumns(data.facts), threads,
		{ caption: "What each thread did; times in ms", shown: 25, sorted: 3 });
	const search = make("input", { type: "search", placeholder: "Name or number",
		"aria-label": "Show only threads of this name or number" });
	const legend = make("span", { class: "legend", "aria-hidden": "true" });

	for (const [, title, colour] of THREAD_STATES) {
		const chip = make("i", {});

		chip.style.background = `var(${colour})`;
		legend.append(make("span", {}, chip, title));
	}
	search.addEventListener("input", () => {
		const wanted = search.value.toLowerCase();

		table.show(threads.filter((t) =>
			`${t.comm}:${t.tid} ${t.process || ""}:${t.pid}`.toLowerCase().includes(wanted)));
	});
	makeSection(root, "threads", "Threads", data.totals.threads > threads.length ?
		`The ${formatCount(threads.length)} that ran longest, of ${formatCount(data.totals.threads)}.` : "Heads of columns sort.",
		make("div", { class: "controls" }, search, legend), table.element);
}
