// SPDX-License-Identifier: GPL-2.0-only
// Links to the view by the address's fragment: #from=NS&to=NS&thread=KEY&at=NS, on the trace's clock; for a slice
// ...&track=ID&at=NS&nth=N, where N is the number of slices of the track before it with the same begin.

function tlLinkText(view) {
	const parts = [`from=${tlClock(view.head, view.from)}`, `to=${tlClock(view.head, view.to)}`], { selected, range } = view;

	if (selected && selected.type === "state")
		parts.push(`thread=${selected.key}`, `at=${tlClock(view.head, selected.from)}`);
	else if (selected)
		parts.push(`track=${selected.track}`, `at=${tlClock(view.head, selected.from)}`,
			...(selected.event && selected.event.nth ? [`nth=${selected.event.nth}`] : []));
	else if (range)
		parts.push(`range=${tlClock(view.head, range.from)},${tlClock(view.head, range.to)}`);
	return `#${parts.join("&")}`;
}

/* Writes the address, once the view rests: changing it takes milliseconds, and browsers refuse frequent changes. */
function tlLinkWrite(view) {
	if (view.reading)
		return;
	clearTimeout(view.linking);
	view.linking = setTimeout(() => {
		requestIdleCallback(() => {
			const text = tlLinkText(view);
			if (location.hash !== text)
				history.replaceState(null, "", text);
		}, { timeout: 500 });
	}, 600);
}

/* Returns ns from the trace's begin; NaN for a text that isn't a time. */
function tlLinkTime(view, text) {
	return /^\d{1,20}$/.test(text || "") ? Number(BigInt(text) - view.head.begin) : NaN;
}

async function tlLinkRead(view) {
	const parts = new URLSearchParams(location.hash.slice(1));
	const from = tlLinkTime(view, parts.get("from")), to = tlLinkTime(view, parts.get("to")), at = tlLinkTime(view, parts.get("at"));
	const key = Number(parts.get("thread")), moment = Number.isNaN(at) ? (from + to) / 2 : at;

	/* A time outside of this trace belongs to another one. */
	if (!(from < to) || to < 0 || from > view.head.span)
		return false;
	view.reading = true;
	const margin = Number.isNaN(at) && view.head.threads.has(key) ? (to - from) * 0.25 : 0;
	view.show(from - margin, to + margin);
	if (view.head.threads.has(key) && view.reveal(`thread-${key}`))
		await tlSelectState(view, key, moment);
	else if (parts.has("track"))
		await tlLinkEvent(view, parts.get("track"), at, Number(parts.get("nth")));
	else if (parts.has("cpu"))
		view.reveal(`cpu-${Number(parts.get("cpu"))}`);
	if (parts.has("range")) {
		const [begin, end] = parts.get("range").split(",").map((text) => tlLinkTime(view, text));
		if (begin < end)
			await tlRangeShow(view, begin, end);
	}
	view.reading = false;
	return true;
}

async function tlLinkEvent(view, id, at, nth) {
	const match = /^(slices|instants|counter)-(\d+)$/.exec(id), number = match ? Number(match[2]) : -1;
	const kind = match && match[1] === "slices" ? TL_SLICE : TL_INSTANT, each = kind === TL_SLICE ? tlEachSlice : tlEachInstant;
	/** @type {any[]} */
	const found = [];

	if (match && match[1] === "counter" && view.head.index[TL_COUNTER].has(number) && !Number.isNaN(at)) {
		view.reveal(id);
		await tlSelectValue(view, number, at);
		return;
	}
	if (!view.head.index[kind].has(number) || Number.isNaN(at))
		return;
	each(await tlLoad(view.store, kind, number, at, at + 1), number, at, at + 1, (s, i, data) => {
		if (s.from[i] === at)
			found.push([s, i, data]);
	});
	tlRevealEvents(view, kind, number);
	if (found.length)
		tlSelectEvent(view, number, kind, ...(found[nth] || found[0]));
}

function tlLinkInit(view) {
	addEventListener("hashchange", async () => {
		if (await tlLinkRead(view))
			view.root.scrollIntoView({ block: "start" });
	});
	return tlLinkRead(view).then((moved) => moved && view.root.scrollIntoView({ block: "start" }));
}
