// SPDX-License-Identifier: GPL-2.0-only
// Groupings of threads in the tables, and the colour of a thread or a group, the same everywhere.

/* Groupings: the name in ids of blocks, the title of the choice, and the head of the column. */
const GROUPINGS = [["thread", "Threads", "Thread"], ["process", "Processes", "Process"], ["comm", "Names", "Name"],
	["cgroup", "Control groups", "Control group"]];
const GROUPS_WORTH = 40;	// number of waiting threads; with fewer, each thread is a row
const HUES = 48, SHADES = 3;

/* Returns the rows of a grouping; null where the page has none. */
function groupRows(part, by, data) {
	const id = by === "thread" ? part : `${part}-${by}`, block = data[id] = data[id] || pageJson(id);

	if (!block)
		return null;
	return part === "blame" ? block.victims : block[{ thread: "threads", process: "processes", comm: "comms", cgroup: "cgroups" }[by]];
}

/*
 * Returns the number of rows that have four fifths of all waits; Infinity where the rows have less, or one has unknown
 * processes.
 */
function rowsOfMost(rows, by, all) {
	let sum = 0, count = 0;

	for (; count < rows.length && sum < all * 0.8; count++) {
		if (by === "process" && rows[count].pid === undefined)
			return Infinity;
		sum += Number(rows[count].wait_ns);
	}
	return sum < all * 0.8 ? Infinity : count;
}

/* Returns the grouping that needs the fewest rows for most waits; threads where these are few. */
function suitingGroup(data) {
	const all = Number(data.totals.wait_wakeup_ns) + Number(data.totals.wait_preempted_ns), threads = data.blame.victims;
	let best = "thread", least = rowsOfMost(threads, "thread", all);

	if (threads.length < GROUPS_WORTH || least <= 10)
		return best;
	for (const by of ["process", "comm"]) {
		const count = rowsOfMost(groupRows("blame", by, data) || [], by, all);
		if (count < least)
			[best, least] = [by, count];
	}
	return best;
}

function groupTitle(by, row) {
	if (by === "thread")
		return threadTitle(row);
	if (by === "process")
		return row.pid === undefined ? "(unknown)" : `${cleanName(row.process || "")}:${row.pid}`;
	return row[by] === null || row[by] === undefined ? "(unknown)" : cleanName(row[by]);
}

/* Returns a choice of the grouping. */
function makeGroupChoice(name, chosen, change) {
	const box = make("fieldset", { class: "kinds" }, make("legend", {}, "Rows are"));

	for (const [by, title] of GROUPINGS) {
		const input = make("input", { type: "radio", name, value: by, checked: by === chosen });

		input.addEventListener("change", () => change(by));
		box.append(make("label", {}, input, title));
	}
	return box;
}

/* Hues by thread or group, in the order of first display: the greatest come first, far from each other. */
const hueNumbers = new Map();

function hueOf(what) {
	if (!hueNumbers.has(what))
		hueNumbers.set(what, hueNumbers.size % HUES);
	return hueNumbers.get(what);
}

/* Returns the number of a thread's colour in the palette: its process's hue, in a shade of its own. */
function threadShade(pid, tid) {
	return hueOf(`process ${pid === null || pid === undefined ? tid : pid}`) * SHADES + Number(BigInt(tid) % BigInt(SHADES));
}

function groupShade(by, row) {
	if (by === "thread")
		return threadShade(row.pid, row.tid);
	return hueOf(by === "process" && row.pid !== undefined ? `process ${row.pid}` : `${by} ${groupTitle(by, row)}`) * SHADES;
}

/* Returns the palette: CSS colours by number. */
function makePalette(dark) {
	const colours = [];

	for (let i = 0; i < HUES; i++)
		for (let shade = 0; shade < SHADES; shade++) {
			const hue = Math.round(i * 137.5 % 360);
			colours.push(dark ? `hsl(${hue} 38% ${34 + i % 3 * 4 + shade * 5}%)` :
				`hsl(${hue} ${52 + i % 3 * 6}% ${74 + i % 2 * 4 - shade * 6}%)`);
		}
	return colours;
}

/* Sets the colours of the theme as properties of the page. */
function setPalette(dark) {
	makePalette(dark).forEach((colour, i) => document.documentElement.style.setProperty(`--h${i}`, colour));
}
