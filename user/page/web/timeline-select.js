// SPDX-License-Identifier: GPL-2.0-only
// The selection: a thread's state, a slice, an instant, a counter's value; and its description on the page.

/* Selects a thread's state at a time; a wait of several rows is one state. */
async function tlSelectState(view, key, ns) {
	const request = view.request = {}, row = await tlStateAt(view, key, ns);

	if (view.request !== request)
		return null;
	if (!row)
		return tlSelect(view, null);
	const rows = await tlWait(view, row), first = rows[0], last = rows[rows.length - 1];
	const selected = Object.assign({}, first, { to: last.to, rows });
	selected.waker = await tlWaker(view, first);
	if (view.request !== request)
		return null;
	tlSelect(view, selected);
	const detail = await tlStateDetail(view, selected);
	if (view.request === request)
		tlDetailShow(view, detail);
	return selected;
}

function tlSelect(view, selected) {
	view.selected = selected;
	view.range = null;
	tlDetailRoom(view, selected !== null);
	view.dirty();
	tlLinkWrite(view);
	if (!selected)
		view.dom.detail.replaceChildren();
	return selected;
}

/* Shrinks the picture for the description of the selection; the focused track stays visible. */
function tlDetailRoom(view, selected) {
	const track = view.tracks.shown[view.focus], { scroll } = view.dom;
	const outside = () => track && (track.y < scroll.scrollTop || track.y + track.height > scroll.scrollTop + scroll.clientHeight);
	const before = outside();

	view.root.classList.toggle("selected", selected);
	if (!before && outside())
		scroll.scrollTop = Math.max(0, track.y - scroll.clientHeight / 2);
}

function tlFact(name, ...what) {
	return [make("dt", {}, name), make("dd", {}, ...what)];
}

/* Returns a button that goes to a thread at a time. */
function tlGo(view, key, ns, text) {
	const button = make("button", { type: "button", class: "tl-link" }, text);

	button.addEventListener("click", () => tlGoTo(view, key, ns));
	return button;
}

async function tlGoTo(view, key, ns) {
	if (!key)
		return;
	view.reveal(`thread-${key}`);
	if (ns < view.from || ns > view.to)
		view.show(ns - (view.to - view.from) / 2, ns + (view.to - view.from) / 2);
	await tlSelectState(view, key, ns);
}

function tlTable(caption, heads, rows) {
	return make("table", {}, make("caption", {}, caption),
		make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
		make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))))));
}

/* Returns the sleep before a wait, or the wait before a run. */
async function tlBefore(view, state) {
	const rows = await tlWait(view, await tlStateAt(view, state.key, state.from - 0.5));

	return rows[0] ? { rows, first: rows[0], from: rows[0].from, to: rows[rows.length - 1].to } : null;
}

function tlWakerFact(view, waker) {
	if (!waker)
		return tlFact("Woken by", "not known");
	const interrupted = waker.context === "task" ? "" : `a ${waker.context} on top of `;
	const where = waker.cpu >= 0 ? ` on CPU ${waker.cpu}` : "";
	if (waker.key === null)
		return tlFact("Woken by", `a timer${where}`);
	return tlFact("Woken by", interrupted, waker.key ? tlGo(view, waker.key, waker.ns, tlThreadName(view.head, waker.key)) : "idle",
		where);
}

async function tlStateDetail(view, state) {
	const { head } = view, thread = head.threads.get(state.key), facts = [], tables = [], phase = TL_PHASES[state.phase];

	facts.push(...tlFact("Thread", `${thread.name || "?"} ${thread.tid}`));
	if (thread.pid)
		facts.push(...tlFact("Process", `${thread.processName || "?"} ${thread.pid}`));
	if (view.report.has(state.key) && view.report.get(state.key).cgroup)
		facts.push(...tlFact("Control group", cleanName(view.report.get(state.key).cgroup, 300)));
	facts.push(...tlFact("State", phase[1] ? `${phase[2]} (${phase[1]})` : phase[2]));
	facts.push(...tlFact("Begins", tlMoment(head, state.from)), ...tlFact("Duration", tlExact(state.to - state.from)));
	if (state.phase === TL_RUN)
		await tlRunFacts(view, state, facts, tables);
	else if (tlIsWait(state))
		await tlWaitFacts(view, state.rows, state.waker, facts, tables);
	else
		await tlSleepFacts(view, state, facts, tables);
	return { title: `${thread.name || "?"} ${thread.tid}: ${TL_SHORT[state.phase]}`, facts, tables, key: state.key };
}

async function tlRunFacts(view, state, facts, tables) {
	const before = await tlBefore(view, state), after = await tlStateAt(view, state.key, state.to);

	facts.push(...tlFact("CPU", String(state.cpu)));
	if (after)
		facts.push(...tlFact("Then", `${TL_SHORT[after.phase]} for ${tlDuration(after.to - after.from)}`));
	if (before && tlIsWait(before.first)) {
		facts.push(...tlFact("Waited before", tlGo(view, state.key, before.from, tlExact(before.to - before.from))));
		await tlWaitFacts(view, before.rows, await tlWaker(view, before.first), facts, tables);
	}
}

async function tlWaitFacts(view, rows, waker, facts, tables) {
	const sums = await tlCulprits(view, rows), all = sums.reduce((sum, of) => sum + of.ns, 0);

	if (rows[0].phase === TL_WAKEUP)
		facts.push(...tlWakerFact(view, waker));
	facts.push(...tlFact("In the queue of", rows.map((row) => `CPU ${row.cpu}`).join(", then ")));
	tables.push(tlTable("What ran while it waited", ["What", "Time", "Share"], sums.slice(0, 12).map((of) => [
		of.kind === "thread" ? tlGo(view, of.key, rows[0].from, of.name) : of.kind === "idle" || of.kind === "unknown" ? of.name :
			`${of.kind} ${of.name}`, tlDuration(of.ns), `${(of.ns / all * 100).toFixed(1)} %`])));
}

/* Returns the facts of a sleep's reason; the holder is a link to its state at the sleep's start. */
function tlReasonFacts(view, state) {
	const { head } = view, { call, object, holder } = head.reasons[state.reason], name = tlClass(head, state.phase, state.reason), facts = [];

	if (!name || name === "stopped")
		return facts;
	facts.push(...tlFact("Waits for", name === "unknown" ? "not known" : `${TL_CLASSES.get(name)[1]} (${name})`));
	if (call)
		facts.push(...tlFact("Call", call));
	if (object !== "")
		facts.push(...tlFact("Object", object === null ? "not kept: the page has too many reasons" : object));
	if (holder)
		facts.push(...tlFact(name === "child" ? "Until the end of" : "Held by", head.index[TL_THREAD].has(holder) ?
			tlGo(view, holder, state.from, tlThreadName(head, holder)) : tlThreadName(head, holder)));
	return facts;
}

async function tlSleepFacts(view, state, facts, tables) {
	const strings = view.head.strings, after = await tlStateAt(view, state.key, state.to);

	facts.push(...tlReasonFacts(view, state));
	if (state.phase === TL_BLOCKED && state.extra)
		facts.push(...tlFact("For I/O", state.extra === 2 ? "yes" : "no"));
	if (state.phase >= TL_SLEEP && state.what)
		facts.push(...tlFact("In", strings[state.what]));
	if (tlIsWait(after))
		facts.push(...tlWakerFact(view, await tlWaker(view, after)));
	if (state.phase >= TL_SLEEP && state.more)
		tables.push(tlTable("Stack", ["Function"], strings[state.more].split(" < ").map((name) => [name])));
}

/* Selects a slice or an instant. */
function tlSelectEvent(view, track, kind, events, at, data) {
	const of = view.head.tracks.get(track), text = tlBlockText(data, events, at), strings = view.head.strings;
	const name = events.name[at] ? strings[events.name[at]] : text.name;
	/* nth: index among the track's events with the same begin. */
	const nth = at - tlBeyond(events.from, events.tracks.get(track).first, at, events.from[at] - 1);
	const selected = { type: kind === TL_SLICE ? "slice" : "instant", key: of.key, from: events.from[at], to: events.to[at],
		track: `${kind === TL_SLICE ? "slices" : "instants"}-${track}`, number: track, name,
		depth: kind === TL_SLICE ? events.depth[at] >> 1 : 0, event: { from: events.from[at], kind, track, i: at, nth } };

	view.request = {};
	tlSelect(view, selected);
	const facts = tlFact("Name", name || "?");
	facts.push(...tlFact("Category", strings[events.category[at]]), ...tlFact("Begins", tlMoment(view.head, selected.from)));
	if (kind === TL_SLICE)
		facts.push(...tlFact("Duration", events.depth[at] & 1 ? "its end is not in the trace" : tlExact(selected.to - selected.from)));
	if (of.key)
		facts.push(...tlFact("Thread", tlGo(view, of.key, selected.from, tlThreadName(view.head, of.key))));
	tlDetailShow(view, { title: name || "?", facts, key: of.key,
		tables: text.args.length ? [tlTable("Arguments", ["Name", "Value"], text.args)] : [] });
	return selected;
}

/* Selects a counter's value at a time. */
async function tlSelectValue(view, number, ns) {
	const request = view.request = {}, of = view.head.tracks.get(number), found = await tlValueAt(view, number, ns);

	if (view.request !== request)
		return null;
	if (!found)
		return tlSelect(view, null);
	const selected = tlSelect(view, { type: "counter", key: of.key, ...found, track: `counter-${number}`, number,
		name: of.name });
	tlDetailShow(view, { title: `${of.name}: ${tlValueText(found.value)}`, key: of.key, tables: [], facts: [
		...tlFact("Value", String(found.value)), ...tlFact("Begins", tlMoment(view.head, found.from)),
		...tlFact("Duration", found.to < view.head.span ? tlExact(found.to - found.from) : "up to the trace's end"),
		...tlFact("Of all", tlValuesText(of.low, of.high))] });
	return selected;
}

function tlDetailShow(view, { title, facts, tables, key }) {
	const close = make("button", { type: "button", "aria-label": "Close", class: "tl-close" }, "×");

	close.addEventListener("click", () => tlSelect(view, null));
	view.dom.detail.replaceChildren(make("h3", {}, title), close, make("div", { class: "tl-facts" }, make("dl", {}, ...facts),
		...tables));
	view.detailKey = key;
}

/* Selects the next or the previous state of the selected thread; the next or previous slice of its track. */
async function tlStepSelected(view, forward) {
	const { selected } = view;

	if (!selected)
		return;
	if (selected.type === "state" || selected.type === "counter") {
		const ns = forward ? selected.to : selected.from - 0.5, state = selected.type === "state";
		if (ns < 0 || ns >= view.head.span + (state ? 0 : 1))
			return;
		const found = await (state ? tlSelectState(view, selected.key, ns) : tlSelectValue(view, selected.number, ns));
		if (found)
			tlShowSelected(view, found);
	} else {
		await tlStepEvent(view, selected, forward);
	}
}

async function tlStepEvent(view, selected, forward) {
	const kind = selected.type === "slice" ? TL_SLICE : TL_INSTANT, { index } = view.head;
	const each = kind === TL_SLICE ? tlEachSlice : tlEachInstant, blocks = index[kind].get(selected.number).blocks;
	/** @type {any} */
	let best = null;

	for (const number of forward ? blocks : [...blocks].reverse()) {
		const block = view.head.blocks[number];
		if (forward ? block.end <= selected.from : block.begin > selected.from)
			continue;
		each([await view.store.load(number)], selected.number, -1, view.head.span + 1, (s, i, data) => {
			const event = { from: s.from[i], kind, track: selected.number, i }, order = tlEventOrder(event, selected.event);
			if ((forward ? order > 0 : order < 0) && (!best || (tlEventOrder(event, best) < 0) === forward))
				best = { ...event, s, data };
		});
		if (best)
			break;
	}
	if (best)
		tlShowSelected(view, tlSelectEvent(view, selected.number, kind, best.s, best.i, best.data));
}

/* Moves the view as little as needed to show the selection. */
function tlShowSelected(view, selected) {
	const length = view.to - view.from;

	if (selected.from < view.from || selected.from > view.to - length * 0.05) {
		const middle = (selected.from + Math.min(selected.to, selected.from + length)) / 2;
		view.show(middle - length / 2, middle + length / 2);
	}
}
