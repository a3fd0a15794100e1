// SPDX-License-Identifier: GPL-2.0-only
// The tracks of a timeline, in the order of display: CPUs, counters, processes with their threads.

const TL_HEIGHTS = { section: 22, cpu: 26, process: 20, thread: 18, slices: 15, instants: 14, counter: 26 };
const TL_DEPTHS = 32;	// levels of slices that are shown; a track's label has the number of further levels

/* Tracks of a CPU in recordings: their threads' ids are above all ids of Linux. */
const TL_CPU_TRACKS = { 0x4001: "lost names", 0x4002: "lost events", 0x4100: "irq", 0x4101: "softirq", 0x4102: "other", 0x4103: "other" };

function tlCpuTrack(thread) {
	const number = Number(thread), what = TL_CPU_TRACKS[Math.floor(number / 0x10000)];

	return what ? { cpu: number & 0xffff, what } : null;
}

/* Makes a track.  note: a line at the bottom of its label. */
function tlTrack(type, label, more) {
	return Object.assign({ type, label, height: TL_HEIGHTS[type], level: 0, children: [], folded: false, y: 0 }, more);
}

function tlEventTrack(of, label, level) {
	const type = of.kind === TL_SLICE ? "slices" : of.kind === TL_INSTANT ? "instants" : "counter";
	const track = tlTrack(type, label, { id: `${type}-${of.number}`, of, level });

	if (type === "slices")
		track.height = TL_HEIGHTS.slices * Math.max(1, Math.min(TL_DEPTHS, of.depth)) + 3;
	if (type === "counter")
		track.note = tlValuesText(of.low, of.high);
	if (type === "slices" && of.depth > TL_DEPTHS)
		track.note = `+${of.depth - TL_DEPTHS} levels deeper`;
	return track;
}

/* Makes the tracks of CPUs, each with its interrupts and its counters. */
function tlCpuTracks(head, events) {
	const section = tlTrack("section", "CPUs", { id: "cpus" }), cpus = new Map();
	const get = (cpu) => {
		if (!cpus.has(cpu))
			cpus.set(cpu, tlTrack("cpu", `CPU ${cpu}`, { id: `cpu-${cpu}`, cpu, level: 1 }));
		return cpus.get(cpu);
	};

	for (const cpu of head.index[TL_CPU].keys())
		get(cpu);
	for (const of of head.tracks.values()) {
		const own = tlCpuTrack(of.thread), power = of.kind === TL_COUNTER && /^cpu_(idle|frequency)/.test(of.name);
		const numbered = of.kind === TL_COUNTER && /^cpu (\d+) /.exec(of.name);

		if (own)
			get(own.cpu).children.push(tlEventTrack(of, own.what, 2));
		else if (power)
			get(Number(of.id) - 1).children.push(tlEventTrack(of, of.name.replace("cpu_", ""), 2));
		else if (numbered)
			get(+numbered[1]).children.push(tlEventTrack(of, of.name.slice(numbered[0].length), 2));
		else
			events.push(of);
	}
	section.children = [...cpus.values()].sort((a, b) => a.cpu - b.cpu);
	section.children.forEach((cpu) => {
		cpu.children.sort((a, b) => a.label < b.label ? -1 : 1);
		cpu.folded = section.children.length > 8;
	});
	return section;
}

function tlThreadTrack(thread) {
	const title = thread.name || "?";

	return tlTrack("thread", `${title} ${thread.tid}`, { id: `thread-${thread.key}`, thread, level: 2 });
}

/* Returns the track of a thread that has only events. */
function tlLooseThread(process, loose, of) {
	const id = `loose-${of.process}-${of.thread}`;
	let track = loose.get(id);

	if (!track) {
		const name = of.threadName || "thread";
		track = tlTrack("process", of.id || !of.thread ? "asynchronous" : `${name} ${of.thread}`,
			{ id, level: 2 });
		process.children.push(track);
		loose.set(id, track);
	}
	return track;
}

function tlProcess(processes, id, pid, name) {
	if (!processes.has(id))
		processes.set(id, tlTrack("process", "", { id: `process-${id}`, pid, name: "", level: 1, ns: 0 }));
	const process = processes.get(id);
	process.name = name || process.name;
	return process;
}

/* Returns a title: the category of all slices of a track, or the name of asynchronous work. */
function tlSliceTitle(of) {
	return of.name === "syscalls" ? "system calls" : cleanName(of.name) || "slices";
}

/* Adds tracks of events.  An event with only a process id belongs to the last process with that id. */
function tlEventsAdd(head, processes, threads, counters, events) {
	const ids = new Map(), loose = new Map();
	const processOf = (of) =>
		tlProcess(processes, ids.get(of.process) || `p${of.process}`, of.process, of.processName);

	for (const thread of head.threads.values())
		ids.set(thread.pid, thread.processKey);
	for (const of of events) {
		const thread = threads.get(of.key);

		if (of.kind === TL_COUNTER && !of.process)
			counters.push(tlEventTrack(of, of.name, 1));
		else if (of.kind === TL_COUNTER)
			processOf(of).children.push(tlEventTrack(of, of.name, 2));
		else if (thread && of.kind === TL_INSTANT)
			thread.instants = of.number;
		else if (thread)
			thread.children.push(tlEventTrack(of, tlSliceTitle(of), 3));
		else
			tlLooseThread(processOf(of), loose, of).children
				.push(tlEventTrack(of, of.kind === TL_INSTANT ? "instants" : tlSliceTitle(of), 3));
	}
	/* Lanes of one name are neighbours. */
	for (const { label, children } of loose.values())
		if (label === "asynchronous")
			children.sort((a, b) => a.label < b.label ? -1 : Number(a.label > b.label));
}

/* Makes the tracks of processes; the process that ran most comes first. */
function tlProcessTracks(head, events, running) {
	const processes = new Map(), threads = new Map(), loose = [];

	for (const thread of head.threads.values()) {
		const process = tlProcess(processes, thread.processKey || `t${thread.key}`, thread.pid || thread.tid,
			thread.processName || thread.name);
		const track = tlThreadTrack(thread);
		track.ns = running.get(thread.key) || 0;
		process.ns += track.ns;
		process.children.push(track);
		threads.set(thread.key, track);
	}
	tlEventsAdd(head, processes, threads, loose, events);
	const all = [...processes.values()].sort((a, b) => b.ns - a.ns || Number(a.pid > b.pid) - Number(a.pid < b.pid));
	for (const process of all) {
		process.children.sort((a, b) => (b.ns || 0) - (a.ns || 0));
		process.label = `${process.name || "process"} ${process.pid}`;
		/* A folded process shows sums of its threads' states. */
		process.folded = process.children.length > 3 && head.sums[TL_THREAD].size > 0;
		process.threads = process.children.filter((t) => t.type === "thread");
	}
	return { processes: all.map(tlProcessAlone), loose };
}

/* Replaces a process of one thread by that thread. */
function tlProcessAlone(process) {
	if (process.children.length !== 1 || process.children[0].type !== "thread")
		return process;
	const thread = process.children[0];
	thread.level = 1;
	return thread;
}

/* Makes all tracks; running: ns by key. */
function tlTracks(head, running) {
	const events = [], cpus = tlCpuTracks(head, events), { processes, loose } = tlProcessTracks(head, events, running);
	const sections = cpus.children.length ? [cpus] : [];

	if (loose.length)
		sections.push(tlTrack("section", "Counters", { id: "counters", children: loose }));
	if (processes.length)
		sections.push(tlTrack("section", "Processes and threads", { id: "threads", children: processes }));
	for (const section of sections)
		section.children.forEach(tlAbove);
	return sections;
}

/* Sets the parent's label, which distinguishes tracks of the same label. */
function tlAbove(track) {
	for (const child of track.children) {
		if (child.type !== "thread" && child.type !== "process")
			child.above = track.label;
		tlAbove(child);
	}
}

/* Returns the unfolded tracks, with their positions; and the height of all. */
function tlLayout(sections) {
	const shown = [];
	let y = 0;
	const add = (track) => {
		track.y = y;
		y += track.height;
		shown.push(track);
		if (!track.folded)
			track.children.forEach(add);
	};

	sections.forEach(add);
	return { shown, height: y };
}

/* Returns the first track in view, by its position. */
function tlTrackAt(layout, y) {
	let low = 0, high = layout.shown.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (layout.shown[middle].y <= y)
			low = middle + 1;
		else
			high = middle;
	}
	return Math.max(0, low - 1);
}
