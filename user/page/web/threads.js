// SPDX-License-Identifier: GPL-2.0-only
// Threads: the time of each by state, as in "fxtrec report".

const THREAD_STATES = [["run_ns", "Run", "--run"], ["wait_wakeup_ns", "Wait, woken", "--wait"],
	["wait_preempted_ns", "Wait, preempted", "--preempted"], ["blocked_ns", "Blocked", "--blocked"],
	["stopped_ns", "Stopped", "--stopped"], ["sleep_ns", "Sleep", "--sleep"], ["unknown_ns", "Unknown", "--unknown"]];

function makeStateBar(thread) {
	const life = THREAD_STATES.reduce((sum, [member]) => sum + Number(thread[member]), 0) || 1;
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

function threadColumns(facts, by) {
	const ns = (title, member) => ({ title: `${title} ms`, number: true, cell: (t) => nsCell(t[member]), sort: (t) => t[member] });
	const count = (title, member) => ({ title, number: true, cell: (t) => countCell(t[member]), sort: (t) => t[member] });
	const latency = (title, member, least) => ({ title: `${title} ms`, hint: `From wakeup to run, of ${least} and more`, number: true,
		sort: (t) => t.latency[member], cell: (t) => t.latency.count >= least ? nsCell(t.latency[member]) : make("td", { class: "number" }, "\u2013") });

	return [
		by === "thread" ? { title: "Thread", sort: (t) => threadTitle(t),
			cell: (t) => make("td", { class: "thread", "data-key": t.key }, threadLink(t, facts)) } :
			{ title: GROUPINGS.find((of) => of[0] === by)[2], sort: (t) => groupTitle(by, t), cell: (t) => nameCell(groupTitle(by, t)) },
		by === "thread" ? { title: "Process", sort: (t) => t.process || "",
			cell: (t) => nameCell(t.process ? `${cleanName(t.process)}:${t.pid}` : "\u2013") } :
			count("Threads", "thread_count"),
		{ title: "Its time", cell: makeStateBar },
		...THREAD_STATES.filter(([member]) => member !== "stopped_ns").map(([member, title]) => ns(title, member)),
		count("Switches", "switches"), count("Preempted", "preemptions"), count("Wakeups", "wakeups"),
		count("Migrations", "migrations"),
		latency("p50", "p50_ns", 2), latency("p99", "p99_ns", 100), latency("Longest", "max_ns", 1),
	];
}

function showThreads(root, data) {
	const search = make("input", { type: "search", placeholder: "Name or number",
		"aria-label": "Show only rows of this name or number" });
	const legend = make("span", { class: "legend", "aria-hidden": "true" }), box = make("div", {});
	const hint = make("p", { class: "hint" });
	let table = null, rows = [], by = data.by;

	for (const [, title, colour] of THREAD_STATES) {
		const chip = make("i", {});

		chip.style.background = `var(${colour})`;
		legend.append(make("span", {}, chip, title));
	}
	const wanted = (row) => `${groupTitle(by, row)} ${row.process || ""}:${row.pid}`.toLowerCase().includes(search.value.toLowerCase());
	const fillRows = (chosen) => {
		by = chosen;
		rows = groupRows("report", by, data) || [];
		table = makeTable(threadColumns(data.facts, by), rows.filter(wanted),
			{ caption: "What each did; times in ms", shown: 25, sorted: 3 });
		box.replaceChildren(table.element);
		hint.textContent = by === "thread" && data.totals.threads > rows.length ?
			`The ${formatCount(rows.length)} that ran longest, of ${formatCount(data.totals.threads)}.` : "Heads of columns sort.";
	};

	search.addEventListener("input", () => table.show(rows.filter(wanted)));
	makeSection(root, "threads", "Threads", null, hint,
		make("div", { class: "controls" }, makeGroupChoice("threads-by", by, fillRows), search, legend), box);
	fillRows(by);
}
