// SPDX-License-Identifier: GPL-2.0-only
// Draws tracks: rows where each has a pixel or more, sums of bins where there are too many.

/* The most rows that a picture draws as boxes; the most values of a counter, and of all counters, that it reads. */
const TL_BOXES_PICTURE = 8000, TL_VALUES_DRAWN = 30000, TL_VALUES_PICTURE = 200000;

/* Draws tracks as pixels first; a track's method returns a function that draws the rest over them, or null. */
class TlPainter extends TlCanvas {
	constructor(canvas) {
		super(canvas);
		this.pixels = new TlPixels();
	}

	begin() {
		this.clear();
		this.pixels.clear(this.canvas.width - this.column(this.left), this.canvas.height, tlWord(this.colors, this.colors.ground));
		this.boxesLeft = TL_BOXES_PICTURE;
		this.valuesLeft = TL_VALUES_PICTURE;
	}

	/* Puts the pixels, below all other parts of the picture. */
	put() {
		if (this.pixels.image)
			this.context.putImageData(this.pixels.image, this.column(this.left), 0);
	}

	/* Returns the device's column at a position. */
	column(x) {
		return Math.round(x * this.ratio);
	}

	/* Returns the column of the pixels at a time. */
	columnAt(ns) {
		return Math.max(0, Math.min(this.pixels.width, Math.round((ns - this.from) * this.scale * this.ratio)));
	}

	bar(from, to, y, height, color) {
		const x = this.columnAt(from), end = Math.min(this.pixels.width, Math.max(x + 1, this.columnAt(to)));

		this.pixels.bar(x, end, y * this.ratio, (y + height) * this.ratio, tlWord(this.colors, color));
	}

	/*
	 * Stacks values of bins from the bottom: a value of all of the time fills the height, and a smaller one has a
	 * pixel at least.
	 */
	stack({ bins, from, to }, y, height, fills) {
		const { ratio, pixels } = this, most = height * ratio, begin = this.columnAt(from), last = this.columnAt(to);
		const end = Math.min(bins.count, Math.ceil(to / bins.width) - bins.first);
		let top = -1, topWord = 0;

		for (let bin = Math.max(0, Math.floor(from / bins.width) - bins.first); bin < end; bin++) {
			/* Whole pixels, as a seam would show between two partial ones. */
			const x = Math.max(begin, this.columnAt((bins.first + bin) * bins.width));
			const next = Math.min(last, this.columnAt((bins.first + bin + 1) * bins.width));
			let bottom = (y + height) * ratio;

			for (let i = 0; i < fills.length; i++) {
				const part = bins.values[i][bin] / bins.width * most;
				if (!part)
					continue;
				let word = fills[i];
				if (typeof word === "function") {
					if (bins.top[bin] !== top) {
						top = bins.top[bin];
						topWord = tlWord(this.colors, word(top));
					}
					word = topWord;
				}
				const size = Math.max(part, ratio);
				bottom = Math.max(y * ratio, bottom - size);
				pixels.bar(x, next, bottom, bottom + size, word);
			}
		}
	}

	words(...names) {
		return names.map((name) => tlWord(this.colors, this.colors[name]));
	}

	/* Draws rows if they are few, else sums. */
	mixed(view, kind, track, y, height, rows, fills) {
		const { store, tiles } = view, { from, to } = this, shift = tlShift(1 / this.scale);
		const few = store.estimate(kind, track, from, to) < (this.width - this.left) / 4;
		const datas = few ? store.dataOf(kind, track, from, to) : null;
		/* In bursts, there may be many more rows than estimated. */
		const count = datas ? tlRowsCount(datas, kind, track, from, to) : 0;

		if (datas && count <= this.boxesLeft) {
			this.boxesLeft -= count;
			return () => rows(datas);
		}
		const pieces = few && !datas ? tiles.level(kind, track, from, to, shift) : tiles.pieces(kind, track, from, to, shift);
		for (const piece of pieces)
			this.stack(piece, y, height, fills);
		return null;
	}

	cpu(view, track) {
		const { colors } = this, y = track.at + 2, height = track.height - 4;

		this.bar(this.from, this.to, y, height, colors.idle);
		return this.mixed(view, TL_CPU, track.cpu, y, height, (datas) => this.runs(view, datas, track.cpu, y, height),
			[(task) => this.taskColor(view, task - 1), ...this.words("unknown")]);
	}

	thread(view, track) {
		const y = track.at + 3, height = track.height - 6, { key, begin, end } = track.thread;

		if (end > this.from && begin < this.to)
			this.bar(begin, end, y + height / 2 - 0.5, 1, this.colors.sleep);
		const rows = this.mixed(view, TL_THREAD, key, y, height, (datas) => this.states(view, datas, key, y, height),
			this.words("run", "wait", "blocked", "unknown"));
		if (track.instants === undefined)
			return rows;
		const instants = this.instants(view, { of: view.head.tracks.get(track.instants), at: track.at, height: 7 });
		return () => {
			if (rows)
				rows();
			instants();
		};
	}

	slices(view, track) {
		const { colors } = this, lane = TL_HEIGHTS.slices, y = track.at + 1;

		return this.mixed(view, TL_SLICE, track.of.number, y, lane - 2, (datas) => {
			tlEachSlice(datas, track.of.number, this.from, this.to, (s, i, data) => {
				const depth = s.depth[i] >> 1;
				if (depth >= TL_DEPTHS)
					return;
				const name = tlEventName(view, s, i, data);
				this.box(s.from[i], s.to[i], y + depth * lane, lane - 2, tlHue(colors, s.name[i]), cleanName(name) || "?");
			});
		}, [(name) => tlHue(colors, name)]);
	}

	/* Draws at most one mark per pixel. */
	instants(view, track) {
		const { store } = view, number = track.of.number, middle = track.at + track.height / 2, { context } = this;
		const datas = store.estimate(TL_INSTANT, number, this.from, this.to) < this.width ?
			store.dataOf(TL_INSTANT, number, this.from, this.to) : null;
		let last = -1;
		const mark = (ns) => {
			const x = this.x(ns);
			if (this.column(x) === last)
				return;
			last = this.column(x);
			context.moveTo(x, middle - 4);
			context.lineTo(x + 3.5, middle + 3);
			context.lineTo(x - 3.5, middle + 3);
		};

		return () => {
			context.fillStyle = this.colors.irq;
			context.beginPath();
			if (datas)
				tlEachInstant(datas, number, this.from, this.to, (s, i) => mark(s.from[i]));
			else
				this.instantBins(tlLevelBins(view.head.sums[TL_INSTANT].get(number), this.from, this.to, 0), mark);
			context.fill();
		};
	}

	instantBins(bins, mark) {
		for (let bin = 0; bin < bins.count; bin++)
			if (bins.values[0][bin])
				mark((bins.first + bin + 0.5) * bins.width);
	}

	/* Draws a counter: steps, or the range of each bin, up and down from the line of zero. */
	counter(view, track) {
		const { of } = track, { store, head } = view, { from, to, ratio, pixels } = this;
		const rows = store.estimate(TL_COUNTER, of.number, from, to), high = Math.max(0, of.high);
		const scale = (track.height - 4) / (high - Math.min(0, of.low) || 1), zero = track.at + 2 + high * scale;
		const datas = rows <= Math.min(TL_VALUES_DRAWN, this.valuesLeft) ?
			store.dataOf(TL_COUNTER, of.number, from, to) : null;
		const columns = { low: new Float64Array(pixels.width).fill(Infinity),
			high: new Float64Array(pixels.width).fill(-Infinity) };

		if (datas) {
			this.valuesLeft -= rows;
			this.counterRows(columns, datas, of.number);
		} else {
			const levels = head.sums[TL_COUNTER].get(of.number);
			this.counterBins(columns, of, tlLevelBins(levels, from, to, tlShift(1 / this.scale)));
		}
		const [accent, ground, line] = this.words("accent", "ground", "line"), word = tlMixed(ground, accent, 0.55);
		if (of.low < 0)
			pixels.bar(0, pixels.width, zero * ratio, zero * ratio + 1, line);
		columns.high.forEach((value, x) => {
			const top = zero - Math.max(0, value) * scale, bottom = zero - Math.min(0, columns.low[x]) * scale;
			/* A value of zero has a pixel. */
			const least = bottom - top < 1 ? 1 - (bottom - top) : 0, down = high ? 0 : least;
			if (value !== -Infinity)
				pixels.bar(x, x + 1, (top - least + down) * ratio, (bottom + down) * ratio, word);
		});
		return null;
	}

	/* Extends the range of columns from one time to another. */
	counterStep(columns, from, to, low, high) {
		const x = this.columnAt(from), end = Math.max(x + 1, this.columnAt(to));

		for (let at = x; at < end; at++) {
			columns.low[at] = Math.min(columns.low[at], low);
			columns.high[at] = Math.max(columns.high[at], high);
		}
	}

	counterRows(columns, datas, track) {
		let before = null, value = 0;

		tlEachValue(datas, track, this.from, this.to, (at, of) => {
			if (before !== null)
				this.counterStep(columns, before, at, value, value);
			before = at;
			value = of;
		});
		if (before !== null)
			this.counterStep(columns, before, this.to, value, value);
	}

	counterBins(columns, of, bins) {
		/** @type {any} */
		let last = null;

		tlEachStep(of, bins, (bin, low, high) => {
			const at = (bins.first + bin) * bins.width;
			if (last !== null)
				this.counterStep(columns, last.end, at, last.high, last.high);
			this.counterStep(columns, at, at + bins.width, low, high);
			last = { end: at + bins.width, high };
		});
		if (last !== null && last.end < this.to)
			this.counterStep(columns, last.end, this.to, last.high, last.high);
	}

	/* Draws the sums of a folded process. */
	process(view, track) {
		const { from, to } = this;

		if (!track.folded || !track.threads || !track.threads.length)
			return null;
		tlProcessAdd(view.head, track);
		for (const piece of view.tiles.pieces(TL_PROCESS, track.id, from, to, tlShift(1 / this.scale)))
			this.stack(piece, track.at + 3, track.height - 6, this.words("run", "wait"));
		return null;
	}

	/* Draws rows of a CPU. */
	runs(view, datas, cpu, y, height) {
		const { head } = view;

		tlEachRun(datas, cpu, this.from, this.to, (from, to, task) => {
			if (task === 1)
				return;
			if (!task) {
				const x = Math.max(this.left, this.x(from));
				this.hatched(x, y, Math.min(this.width, this.x(to)) - x, height);
				return;
			}
			const thread = head.threads.get(task - 1);
			this.box(from, to, y, height, this.taskColor(view, task - 1), thread ? `${thread.name || "?"} ${thread.tid}` : "?");
		});
	}

	taskColor(view, key) {
		const thread = view.head.threads.get(key);

		if (view.selected && view.selected.key === key)
			return this.colors.accent;
		return thread ? this.colors.hues[threadShade(thread.pid, thread.tid)] : tlHue(this.colors, key);
	}

	/* Draws rows of a thread. */
	states(view, datas, key, y, height) {
		let wait = null;
		const waited = () => {
			if (wait)
				this.state(wait.from, wait.to, wait.phase, 0, y, height);
			wait = null;
		};

		/* A wait is a row for each queue. */
		tlEachState(datas, key, this.from, this.to, (t, i) => {
			const phase = t.phase[i], from = t.from[i];

			if (wait && wait.phase === phase && wait.to === from) {
				wait.to = t.to[i];
				return;
			}
			waited();
			if (phase === TL_WAKEUP || phase === TL_PREEMPTED)
				wait = { from, to: t.to[i], phase };
			else if (tlClass(view.head, phase, t.reason[i]))
				this.sleep(view, from, t.to[i], phase, t.reason[i], y, height);
			else
				this.state(from, t.to[i], phase, t.cpu[i], y, height);
		});
		waited();
	}

	/* Draws a sleep in its class's colour; an interruptible sleep that isn't for anybody's work is a line. */
	sleep(view, from, to, phase, number, y, height) {
		const { colors } = this, reason = view.head.reasons[number], name = tlClass(view.head, phase, number);
		const full = phase >= TL_BLOCKED, color = full && name === "unknown" ? colors.blocked : colors[TL_CLASSES.get(name)[0]];
		const holder = `${name === "child" ? "end of" : "held by"} ${tlThreadName(view.head, reason.holder)}`;
		const text = reason.holder ? `${name}, ${holder}` : reason.call ? `${name}: ${reason.call}` : name;

		if (!full && TL_THIN.includes(name))
			this.box(from, to, y + height / 2 - 1.5, 3, color, "");
		else
			this.box(from, to, y, height, color, phase > TL_BLOCKED ? TL_SHORT[phase] : text);
	}

	state(from, to, phase, cpu, y, height) {
		const { colors } = this, color = colors[TL_PHASES[phase][0]], x = Math.max(this.left, this.x(from));

		if (phase === TL_UNKNOWN)
			this.hatched(x, y, Math.min(this.width, this.x(to)) - x, height);
		else if (color === colors.sleep)
			this.box(from, to, y + height / 2 - 1.5, 3, color, "");
		else
			this.box(from, to, y, height, color, phase === TL_RUN ? `Running on CPU ${cpu}` : TL_SHORT[phase]);
	}
}
