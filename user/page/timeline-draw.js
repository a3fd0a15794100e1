// SPDX-License-Identifier: GPL-2.0-only
// Draws tracks: rows where each has a pixel or more, sums of bins where there are too many.

const TL_FONT = "11px system-ui, sans-serif";

class TlPainter {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d", { alpha: false });
		this.width = this.height = this.left = 0;
		this.from = this.to = this.scale = 0;
		this.themed();
	}

	themed() {
		this.colors = tlColors();
		this.hatch = null;
	}

	/* Of CSS pixels; left: where time begins. */
	size(width, height, left) {
		const ratio = window.devicePixelRatio || 1;

		if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.width = `${width}px`;
			this.canvas.style.height = `${height}px`;
		}
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.context.font = TL_FONT;
		this.context.textBaseline = "middle";
		this.charWidth = this.context.measureText("abcdefghij0123456789").width / 20;
		this.width = width;
		this.height = height;
		this.left = left;
	}

	time(from, to) {
		this.from = from;
		this.to = to;
		this.scale = (this.width - this.left) / (to - from);
	}

	x(ns) {
		return this.left + (ns - this.from) * this.scale;
	}

	clear() {
		this.context.fillStyle = this.colors.ground;
		this.context.fillRect(0, 0, this.width, this.height);
	}

	/* A text in a box, cut to what fits. */
	text(text, x, y, width, color) {
		const room = Math.floor(width / this.charWidth);

		if (room < 2)
			return;
		this.context.fillStyle = color;
		this.context.fillText(text.length > room ? `${text.slice(0, room - 1)}…` : text, x, y);
	}

	/* A track's name, cut before its last word, which is a number. */
	title(text, x, y, width, color) {
		const room = Math.floor(width / this.charWidth), tail = (/ \d+$/.exec(text) || [""])[0].trim();

		this.text(text.length <= room || !tail || tail.length > room - 3 ? text :
			`${text.slice(0, room - tail.length - 1)}…${tail}`, x, y, width, color);
	}

	/* Stripes, where something isn't known or lost. */
	stripes(color) {
		const tile = document.createElement("canvas"), c = tile.getContext("2d");

		tile.width = tile.height = 8;
		c.strokeStyle = color;
		c.lineWidth = 1.5;
		for (const at of [-8, 0, 8]) {
			c.beginPath();
			c.moveTo(at, 8);
			c.lineTo(at + 8, 0);
			c.stroke();
		}
		return this.context.createPattern(tile, "repeat");
	}

	hatched(x, y, width, height) {
		this.hatch = this.hatch || this.stripes(this.colors.unknown);
		this.context.fillStyle = this.hatch;
		this.context.fillRect(x, y, width, height);
	}

	/* A box of time, with its text; at least part of a pixel. */
	box(from, to, y, height, color, text) {
		const x = Math.max(this.left, this.x(from)), end = Math.min(this.width, this.x(to)), width = end - x;

		this.context.fillStyle = color;
		this.context.fillRect(x, y, Math.max(width > 2 ? width - 0.5 : width, 0.4), height);
		if (text && width > 24)
			this.text(text, x + 4, y + height / 2 + 0.5, width - 7, tlInkOn(this.colors, color));
	}

	/* Rows of a CPU. */
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
		return tlHue(this.colors, thread ? thread.processKey || key : key);
	}

	/* Rows of a thread. */
	states(datas, key, y, height) {
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
			else
				this.state(from, t.to[i], phase, t.cpu[i], y, height);
		});
		waited();
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

	/* Values of bins, one on another from the bottom: what is all of the time fills the height, what is less has a pixel. */
	stack(bins, y, height, fills) {
		for (let bin = 0; bin < bins.count; bin++) {
			/* Whole pixels: else a seam shows between two. */
			const x = Math.max(this.left, Math.round(this.x((bins.first + bin) * bins.width)));
			const width = Math.min(this.width, Math.round(this.x((bins.first + bin + 1) * bins.width))) - x;
			let bottom = y + height;

			for (let i = 0; i < fills.length; i++) {
				const part = bins.values[i][bin] / bins.width * height;
				if (!part)
					continue;
				const fill = typeof fills[i] === "function" ? fills[i](bins.top[bin]) : fills[i];
				if (fill !== this.lastFill)
					this.context.fillStyle = this.lastFill = fill;
				const pixels = Math.max(part, 1);
				bottom = Math.max(y, bottom - pixels);
				this.context.fillRect(x, bottom, width, pixels);
			}
		}
	}

	/* Rows, if there are not many of them; else sums. */
	mixed(view, kind, track, y, height, rows, fills) {
		const { store } = view, shift = tlShift(1 / this.scale), room = this.width - this.left;

		this.lastFill = null;
		if (store.estimate(kind, track, this.from, this.to) < room / 4) {
			const datas = store.dataOf(kind, track, this.from, this.to);

			if (datas) {
				rows(datas);
				return;
			}
		}
		const bins = tlTrackBins(view.head, store, kind, track, this.from, this.to, shift);
		if (bins)
			this.stack(bins, y, height, fills);
	}

	cpu(view, track) {
		const { colors } = this, y = track.at + 2, height = track.height - 4;

		this.context.fillStyle = colors.idle;
		this.context.fillRect(this.left, y, this.width - this.left, height);
		this.mixed(view, TL_CPU, track.cpu, y, height, (datas) => this.runs(view, datas, track.cpu, y, height),
			[(task) => this.taskColor(view, task - 1), colors.unknown]);
	}

	thread(view, track) {
		const { colors } = this, y = track.at + 3, height = track.height - 6, key = track.thread.key;
		const x = Math.max(this.left, this.x(track.thread.begin)), end = Math.min(this.width, this.x(track.thread.end));

		if (end > x) {
			this.context.fillStyle = colors.sleep;
			this.context.fillRect(x, y + height / 2 - 0.5, end - x, 1);
		}
		this.mixed(view, TL_THREAD, key, y, height, (datas) => this.states(datas, key, y, height),
			[colors.run, colors.wait, colors.blocked, colors.unknown]);
		if (track.instants !== undefined)
			this.instants(view, { of: view.head.tracks.get(track.instants), at: track.at, height: 7 });
	}

	slices(view, track) {
		const { colors } = this, { head } = view, lane = TL_HEIGHTS.slices, y = track.at + 1;

		this.mixed(view, TL_SLICE, track.of.number, y, lane - 2, (datas) => {
			tlEachSlice(datas, track.of.number, this.from, this.to, (s, i, data) => {
				const depth = Math.min(TL_DEPTHS - 1, s.depth[i] >> 1);
				const name = s.name[i] ? head.strings[s.name[i]] : tlBlockText(data, s, i).name;
				this.box(s.from[i], s.to[i], y + depth * lane, lane - 2, tlHue(colors, s.name[i]), cleanName(name) || "?");
			});
		}, [(name) => tlHue(colors, name)]);
	}

	instants(view, track) {
		const { store } = view, number = track.of.number, middle = track.at + track.height / 2;
		const mark = (x) => {
			this.context.beginPath();
			this.context.moveTo(x, middle - 4);
			this.context.lineTo(x + 3.5, middle + 3);
			this.context.lineTo(x - 3.5, middle + 3);
			this.context.fill();
		};

		this.context.fillStyle = this.colors.irq;
		if (store.estimate(TL_INSTANT, number, this.from, this.to) < this.width) {
			const datas = store.dataOf(TL_INSTANT, number, this.from, this.to);
			if (datas) {
				tlEachInstant(datas, number, this.from, this.to, (s, i) => mark(this.x(s.from[i])));
				return;
			}
		}
		const bins = tlLevelBins(view.head.sums[TL_INSTANT].get(number), this.from, this.to, 0);
		for (let bin = 0; bin < bins.count; bin++)
			if (bins.values[0][bin])
				mark(this.x((bins.first + bin + 0.5) * bins.width));
	}

	/* A counter: steps, or the range of each bin. */
	counter(view, track) {
		const { of } = track, { colors } = this, y = track.at + 2, height = track.height - 4, low = Math.min(0, of.low);
		const scale = height / (of.high - low || 1), bottom = y + height;

		this.context.fillStyle = colors.accent;
		this.context.globalAlpha = 0.55;
		const datas = view.store.estimate(TL_COUNTER, of.number, this.from, this.to) <= TL_VALUES_DRAWN ?
			view.store.dataOf(TL_COUNTER, of.number, this.from, this.to) : null;
		if (datas)
			this.counterRows(datas, of.number, (value) => (value - low) * scale, bottom);
		else
			this.counterBins(tlLevelBins(view.head.sums[TL_COUNTER].get(of.number), this.from, this.to, tlShift(1 / this.scale)),
				(step) => (of.low - low + (step / 253) * (of.high - of.low)) * scale, bottom);
		this.context.globalAlpha = 1;
	}

	counterRows(datas, track, heightOf, bottom) {
		let before = null, value = 0;
		const step = (to) => {
			const x = Math.max(this.left, this.x(before)), height = Math.max(1, heightOf(value));
			this.context.fillRect(x, bottom - height, Math.max(0.5, this.x(to) - x), height);
		};

		tlEachValue(datas, track, this.from, this.to, (at, of) => {
			if (before !== null)
				step(at);
			before = at;
			value = of;
		});
		if (before !== null)
			step(this.to);
	}

	counterBins(bins, heightOf, bottom) {
		let height = 0;

		for (let bin = 0; bin < bins.count; bin++) {
			const high = Math.round(bins.values[1][bin] / bins.width * 255), x = this.x((bins.first + bin) * bins.width);
			if (high)
				height = Math.max(1, heightOf(high - 1));
			this.context.fillRect(Math.max(x, this.left), bottom - height, bins.width * this.scale, height);
		}
	}

	/* What a folded process did: all its threads' coarsest sums. */
	process(view, track) {
		const y = track.at + 3, height = track.height - 6;

		if (!track.folded || !track.threads || !track.threads.length)
			return;
		track.sums = track.sums || tlProcessSums(view.head, track);
		if (track.sums)
			this.stack(tlLevelBins([track.sums], this.from, this.to, track.sums.shift), y, height,
				[this.colors.run, this.colors.wait]);
	}

	label(track, focused) {
		const { colors } = this, inset = 10 + 12 * track.level, fold = track.type === "section" || track.type === "process";
		const context = this.context;

		context.fillStyle = track.type === "section" ? colors.line : colors.label;
		context.fillRect(0, track.at, track.type === "section" ? this.width : this.left, track.height);
		if (focused) {
			context.fillStyle = colors.accent;
			context.fillRect(0, track.at, 3, track.height);
		}
		if (track.children.length)
			this.text(track.folded ? "▸" : "▾", inset - 8, track.at + Math.min(track.height, 26) / 2, 20, colors.faint);
		context.font = fold ? `600 ${TL_FONT}` : TL_FONT;
		const text = track.type === "process" && track.children.length > 1 && this.left > TL_LEFT_NARROW ?
			`${track.label} (${track.children.length})` : track.label;
		this.title(text, inset + 4, track.at + Math.min(track.height, 26) / 2 + 0.5,
			(this.left - inset - 8) * (fold ? 0.9 : 1), track.type === "slices" ? colors.faint : colors.ink);
		context.font = TL_FONT;
		context.fillStyle = colors.line;
		context.fillRect(0, track.at + track.height - 0.5, this.width, 0.5);
	}

	/* Losses of a CPU, or of all. */
	losses(view, height) {
		const context = this.context;
		let last = -1;

		this.lostStripes = this.lostStripes && this.lostColor === this.colors.lost ? this.lostStripes : this.stripes(this.colors.lost);
		this.lostColor = this.colors.lost;
		for (const loss of view.lossesIn(this.from, this.to)) {
			const x = Math.max(this.left, this.x(loss.from)), end = Math.max(x + 2, Math.min(this.width, this.x(loss.to)));
			if (end <= last)
				continue;
			last = end;
			context.fillStyle = this.lostStripes;
			context.globalAlpha = 0.5;
			context.fillRect(x, 0, end - x, height);
			context.globalAlpha = 1;
			if (end - x > 60)
				this.text(tlLossText(loss), x + 4, 12, end - x - 8, this.colors.lost);
		}
	}
}

function tlLossText(loss) {
	return `${loss.events || "some"} events lost${loss.cpu >= 0 ? ` on CPU ${loss.cpu}` : ""}`;
}

/* The mean of a process's threads, in 256 bins at most. */
function tlProcessSums(head, track) {
	const shift = tlShift(head.span / 256), count = Math.floor(head.span / 2 ** shift) + 1;
	const sums = [new Float64Array(count), new Float64Array(count)], bytes = sums.map(() => new Uint8Array(count));

	for (const { thread } of track.threads) {
		const levels = head.sums[TL_THREAD].get(thread.key);
		if (!levels)
			continue;
		const bins = tlLevelBins(levels, 0, head.span, shift), ratio = bins.width / 2 ** shift;
		for (let bin = 0; bin < bins.count; bin++)
			for (let value = 0; value < 2; value++)
				tlSpread(sums[value], bin * ratio, (bin + 1) * ratio, bins.values[value][bin] / bins.width);
	}
	const most = Math.max(...sums.map((of) => of.reduce((a, b) => Math.max(a, b), 0)), 1);
	sums.forEach((of, i) => of.forEach((value, bin) => bytes[i][bin] = Math.min(255, value / most * 255 / 2)));
	return { shift, bins: count, values: bytes, top: null };
}

function tlSpread(to, from, end, value) {
	for (let bin = Math.floor(from); bin < Math.min(end, to.length); bin++)
		to[bin] += value * (Math.min(end, bin + 1) - Math.max(from, bin));
}
