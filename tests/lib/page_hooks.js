// SPDX-License-Identifier: GPL-2.0-only
// Shows a page's timeline to tests: window.fxtrecPage.  browser.hooked() puts this text at the start of a page's scripts.

const tlLinkOnce = tlLinkInit;

/* Replaces the last step of the timeline's start. */
/* @ts-ignore: tsc takes a function for a constant. */
tlLinkInit = (view) => {
	/** @type {any} */ (window).fxtrecPage = tlTests(view);
	return tlLinkOnce(view);
};

/* Returns functions that let tests read the drawn rows and bins. */
function tlTests(view) {
	const at = (id) => view.tracks.shown.find((track) => track.id === id);

	return {
		view,
		/* Resolves once the whole view has been decoded and painted. */
		settled: () => new Promise((resolve) => {
			view.quiet = (view.quiet || []).concat(() => resolve(view.paints));
			view.dirty();
		}),
		show: (from, to) => view.show(from, to),
		tracks: () => view.tracks.shown.map((track) => ({ id: track.id, type: track.type, label: track.label, y: track.y })),
		/* Returns rows of a track in the window; null: not decoded yet. */
		rows: (id) => tlTestRows(view, at(id)),
		/* Returns the bins that are drawn for a track: shift, first, values, top. */
		bins: (id) => {
			const track = at(id), kind = track.type === "cpu" ? TL_CPU : track.type === "thread" ? TL_THREAD : TL_SLICE;
			const number = track.type === "cpu" ? track.cpu : track.type === "thread" ? track.thread.key : track.of.number;
			view.tiles.picture();
			const bins = view.tiles.bins(kind, number, view.from, view.to, tlShift(1 / view.painter.scale));
			return bins && { shift: bins.shift, first: bins.first, exact: bins.exact, values: bins.values.map((v) => [...v]),
				top: bins.top && [...bins.top] };
		},
		/* Returns all rows of all tracks of a kind: by number. */
		all: async (kind) => {
			const all = {};
			for (const number of view.head.index[kind].keys())
				all[number] = await tlTestAll(view, kind, number);
			return all;
		},
		levels: (kind) => [...view.head.sums[kind]].map(([number, levels]) => [number, levels.map((level) => ({ shift: level.shift,
			values: level.values.map((v) => [...v]), top: level.top && [...level.top] }))]),
		select: (key, ns) => tlSelectState(view, key, ns),
		selected: () => view.selected && { type: view.selected.type, key: view.selected.key, from: view.selected.from,
			to: view.selected.to, phase: view.selected.phase, name: view.selected.name,
			value: view.selected.value, waker: view.selected.waker || null },
		/* Returns the sleeps of a thread: begin, end, class, call, object, holder's key. */
		sleeps: async (key) => {
			const rows = [], { head } = view;
			tlEachState(await tlLoad(view.store, TL_THREAD, key, 0, head.span + 1), key, 0, head.span + 1, (t, i) => {
				const name = tlClass(head, t.phase[i], t.reason[i]), { call, object, holder } = head.reasons[t.reason[i]];
				if (name)
					rows.push([t.from[i], t.to[i], name, call, object, holder]);
			});
			return rows;
		},
		culprits: async () => tlCulprits(view, view.selected.rows),
		rangeShow: (from, to) => tlRangeShow(view, from, to),
		rangeSums: async (from, to) => {
			const sums = await tlRangeSums(view, from, to, () => true);
			return { cpus: [...sums.cpus], threads: [...sums.threads], reasons: [...sums.reasons] };
		},
	};
}

function tlTestRows(view, track) {
	const kind = { cpu: TL_CPU, thread: TL_THREAD, slices: TL_SLICE, instants: TL_INSTANT, counter: TL_COUNTER }[track.type];
	const number = track.type === "cpu" ? track.cpu : track.type === "thread" ? track.thread.key : track.of.number;
	const datas = view.store.dataOf(kind, number, view.from, view.to);

	return datas && tlTestEach(view, kind, number, datas, view.from, view.to);
}

/* Returns all rows of a track, with wakers for waits: [key, context]. */
async function tlTestAll(view, kind, number) {
	const datas = await tlLoad(view.store, kind, number, 0, view.head.span + 1), rows = [];

	if (kind !== TL_THREAD)
		return tlTestEach(view, kind, number, datas, 0, view.head.span + 1);
	tlEachState(datas, number, 0, view.head.span + 1, (t, i, data) => rows.push(tlState(number, t, i, data)));
	const all = [];
	for (const row of rows) {
		const waker = await tlWaker(view, row), sleeps = row.phase >= TL_SLEEP;
		all.push([row.from, row.to, row.phase, row.cpu, sleeps ? view.head.strings[row.what] : "", sleeps ? row.extra : 0,
			waker && [waker.key, waker.context]]);
	}
	return all;
}

function tlTestEach(view, kind, number, datas, from, to) {
	const { head } = view, rows = [];

	if (kind === TL_CPU)
		tlEachRun(datas, number, from, to, (begin, end, task) => rows.push([begin, end, task - 1]));
	else if (kind === TL_THREAD)
		tlEachState(datas, number, from, to, (t, i) => rows.push([t.from[i], t.to[i], t.phase[i], t.cpu[i],
			t.phase[i] >= TL_SLEEP ? head.strings[t.what[i]] : "", t.phase[i] >= TL_SLEEP ? t.extra[i] : 0]));
	else if (kind === TL_SLICE || kind === TL_INSTANT)
		(kind === TL_SLICE ? tlEachSlice : tlEachInstant)(datas, number, from, to, (s, i, data) => {
			const text = tlBlockText(data, s, i);
			rows.push([s.from[i], s.to[i], tlEventName(view, s, i, data), s.depth[i], text.args]);
		});
	else
		tlEachValue(datas, number, from, to, (begin, value) => rows.push([begin, value]));
	return rows;
}
