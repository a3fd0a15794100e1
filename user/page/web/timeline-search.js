// SPDX-License-Identifier: GPL-2.0-only
// Search: threads by name and id, processes, CPUs, counters and events by name; times.

const TL_FOUND = 30;

const TL_UNITS = { ns: 1, us: 1e3, "\u00b5s": 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/*
 * Returns moments that a text may mean, in the forms of --time and of printed times, in ns from the trace's begin:
 * seconds of the clock (1991.099081), its nanoseconds (@NS), 1.5 or 200ms from the begin, -1s before the end.
 */
function tlSearchTimes(head, text) {
	const match = /^([@-]?)(\d{1,20})(?:\.(\d{1,9}))?\s*([nu\u00b5m]?s|[smh])?$/.exec(text), times = new Set();

	if (!match)
		return [];
	const [, sign, whole, part, unit] = match, seconds = Number(`${whole}.${part || 0}`);
	const clock = BigInt(whole) * BigInt(1e9) + BigInt((part || "").padEnd(9, "0"));
	if (sign !== "@")
		times.add(Math.round(sign ? head.span - seconds * TL_UNITS[unit || "s"] : seconds * TL_UNITS[unit || "s"]));
	if (sign !== "-" && (part || !sign) && (!unit || unit === "s"))
		times.add(Number(clock - head.begin));
	if (sign !== "-" && !part && !unit)
		times.add(Number(BigInt(whole) - head.begin));
	/* Printed times are cut to microseconds. */
	return [...times].filter((ns) => ns > -1e3 && ns <= head.span).map((ns) => Math.max(0, ns));
}

function tlSearchTime(view, ns) {
	const half = Math.min(view.to - view.from, Math.max(view.head.span / 100, 1e3)) / 2;

	view.show(ns - half, ns + half);
	view.dom.canvas.focus({ preventScroll: true });
}

/* Returns the possible meanings of a text: { label, rank, go, events: each go() goes to the next one }. */
function tlSearch(view, text) {
	const { head } = view, wanted = text.trim().toLowerCase(), found = [];

	if (!wanted)
		return found;
	for (const thread of head.threads.values()) {
		if (String(thread.tid) !== wanted && !thread.name.toLowerCase().includes(wanted))
			continue;
		found.push({ label: `${thread.name || "?"} ${thread.tid}`, rank: String(thread.tid) === wanted || thread.name.toLowerCase() === wanted
			? 0 : 1, go: () => tlSearchThread(view, thread.key) });
		if (found.length > 5000)
			break;
	}
	for (const track of view.loose)
		if (track.label.toLowerCase().includes(wanted))
			found.push({ label: tlSearchTitle(track), rank: track.label.endsWith(` ${wanted}`) ? 0 : 1, go: () => tlSearchTrack(view, track.id) });
	const names = new Set();
	head.strings.forEach((name, number) => {
		if (name.toLowerCase().includes(wanted) && view.eventNames.has(number))
			names.add(number);
	});
	for (const number of names)
		found.push({ label: `event ${cleanName(head.strings[number])}`, rank: head.strings[number].toLowerCase() === wanted ? 0 : 2,
			events: true, go: () => tlSearchEvent(view, new Set([number])) });
	for (const ns of tlSearchTimes(head, wanted))
		found.push({ label: `time ${tlMoment(head, ns)}`, rank: 0.5, go: () => tlSearchTime(view, ns) });
	const all = found.length;
	found.sort((a, b) => a.rank - b.rank).splice(TL_FOUND);
	/** @type {any} */ (found).all = all;
	/* Only names of outermost slices are found above. */
	if (head.tracks.size)
		found.push({ label: `events “${text}”`, rank: 3, events: true, go: () => tlSearchText(view, wanted) });
	return found;
}

function tlSearchTitle(track) {
	if (track.type === "counter")
		return `counter ${track.above ? `${track.above}: ` : ""}${track.label}`;
	return track.level === 1 && track.name ? `process ${track.label}` : track.label;
}

function tlSearchTrack(view, id) {
	view.reveal(id);
	view.dom.canvas.focus({ preventScroll: true });
	view.dirty();
}

async function tlSearchThread(view, key) {
	const thread = view.head.threads.get(key), middle = (view.from + view.to) / 2;

	view.reveal(`thread-${key}`);
	await tlGoTo(view, key, Math.max(thread.begin, Math.min(middle, thread.end - 1)));
}

/* Returns the strings that name events with most of a bin in a summary; others are found by text. */
function tlEventNames(head) {
	const names = new Set();

	for (const levels of head.sums[TL_SLICE].values())
		for (const level of levels)
			level.top.forEach((name) => names.add(name));
	names.delete(0);
	return names;
}

/* Compares events in the order of the search: by begin, then by track, then the outer one first. */
function tlEventOrder(a, b) {
	return a.from - b.from || a.kind - b.kind || a.track - b.track || a.i - b.i;
}

/* Goes to the first matching event after the selected one, or after the view's begin; then from the trace's begin. */
async function tlNextEvent(view, matches) {
	const start = { from: -1, kind: 0, track: 0, i: 0 };
	const after = (view.selected && view.selected.event) || { ...start, from: view.from - 1 };
	const { blocks } = view.head, first = blocks.findIndex((block) => block.end > after.from);
	const request = view.request = {};

	for (let step = 0; step <= blocks.length; step++) {
		const number = (Math.max(0, first) + step) % blocks.length, least = step ? start : after;
		view.dom.detail.textContent = `Searching: ${step} of ${blocks.length} blocks`;
		const data = await view.store.load(number);
		if (view.request !== request)
			return null;
		let best = null;
		for (const kind of [TL_SLICE, TL_INSTANT]) {
			const events = kind === TL_SLICE ? data.slices : data.instants;
			for (const [track, of] of events.tracks)
				for (let i = of.first; i < of.end; i++) {
					const event = { from: events.from[i], kind, track, i };
					const nearer = tlEventOrder(event, least) > 0 && (!best || tlEventOrder(event, best) < 0);
					if (nearer && matches(events, i, data))
						best = { ...event, events, data };
				}
		}
		if (best)
			return best;
	}
	view.dom.detail.textContent = "Nothing was found";
	return null;
}

/* Shows the track of slices or instants; instants of a thread are on the thread's own track. */
function tlRevealEvents(view, kind, number) {
	const { key } = view.head.tracks.get(number);

	if (!view.reveal(`${kind === TL_SLICE ? "slices" : "instants"}-${number}`) && key)
		view.reveal(`thread-${key}`);
}

async function tlSearchNext(view, matches) {
	const best = await tlNextEvent(view, matches);

	if (!best)
		return;
	tlRevealEvents(view, best.kind, best.track);
	tlShowSelected(view, tlSelectEvent(view, best.track, best.kind, best.events, best.i, best.data));
}

function tlSearchEvent(view, names) {
	return tlSearchNext(view, (events, i) => names.has(events.name[i]));
}

function tlSearchText(view, wanted) {
	return tlSearchNext(view, (events, i, data) => tlEventName(view, events, i, data).toLowerCase().includes(wanted));
}

function tlSearchShow(view) {
	const { search, found } = view.dom, matches = tlSearch(view, search.value);

	view.matches = matches;
	found.hidden = !search.value.trim();
	const all = /** @type {any} */ (matches).all || 0, hits = `${formatMany(all, "thread, track or name", "threads, tracks and names")}`;
	const count = make("li", { class: "tl-hits", role: "status" }, all > TL_FOUND ? `${hits}; the first ${TL_FOUND}:` : hits);

	found.replaceChildren(count, ...matches.map((match) => {
		const button = make("button", { type: "button" }, match.label);
		button.addEventListener("click", () => {
			found.hidden = true;
			match.go();
		});
		return make("li", {}, button);
	}));
}

function tlSearchInit(view) {
	const { search, found } = view.dom;
	let at = -1;

	view.eventNames = tlEventNames(view.head);
	view.loose = view.sections.flatMap((section) => section.children).flatMap((process) => [process, ...process.children])
		.filter((track) => ["process", "cpu", "counter"].includes(track.type));
	search.addEventListener("input", () => {
		at = -1;
		tlSearchShow(view);
	});
	search.addEventListener("keydown", (event) => {
		if (event.key === "Enter" && view.matches && view.matches.length) {
			event.preventDefault();
			if (at < 0 || !view.matches[at].events)
				at = (at + (event.shiftKey ? view.matches.length - 1 : 1)) % view.matches.length;
			found.hidden = true;
			view.matches[at].go();
		} else if (event.key === "Escape") {
			found.hidden = true;
			view.dom.canvas.focus();
		}
		event.stopPropagation();
	});
	tlSearchClose(found, search);
}

/* Closes the list when another element gets the focus. */
function tlSearchClose(found, search) {
	document.addEventListener("focusin", (event) => {
		if (event.target !== search && !found.contains(event.target))
			found.hidden = true;
	});
}
