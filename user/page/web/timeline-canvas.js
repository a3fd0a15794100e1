// SPDX-License-Identifier: GPL-2.0-only
// A canvas of the timeline: maps times to positions, draws boxes and texts.

const TL_FONT = "11px system-ui, sans-serif";

class TlCanvas {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d", { alpha: false });
		this.width = this.height = this.left = 0;
		this.ratio = 1;
		this.from = this.to = this.scale = 0;
		this.widths = new Map();	// widths of characters
		this.themed();
	}

	themed() {
		this.colors = tlColors();
		this.hatch = null;
	}

	/* Sets the size in CSS pixels; left: where time begins. */
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
		this.ratio = ratio;
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

	/* Returns the part of a text that fits a width, and the width it uses. */
	fit(text, width) {
		const cut = "\u2026", dots = text === cut ? 0 : this.fit(cut, width).used;
		let used = 0, at = 0, whole = { text: "", used: 0 };

		for (const character of text) {
			if (!this.widths.has(character))
				this.widths.set(character, this.context.measureText(character).width);
			used += this.widths.get(character);
			if (used > width)
				return whole;
			at += character.length;
			if (used + dots <= width)
				whole = { text: text.slice(0, at) + cut, used: used + dots };
		}
		return { text, used };
	}

	text(text, x, y, width, color) {
		const part = this.fit(text, width).text;

		if (!part)
			return;
		this.context.fillStyle = color;
		this.context.fillText(part, x, y);
	}

	/* Draws a track's name, cut before its number and the number of tracks below it. */
	title(text, x, y, width, color) {
		const [tail] = / \d+( \(\d+\))?$/.exec(text) || [""], number = tail.trim(), room = width - this.fit(number, width).used;

		this.text(this.fit(text, width).text === text || room < width / 3 ? text :
			this.fit(text.slice(0, -tail.length || undefined), room).text + number, x, y, width, color);
	}

	/* Returns stripes for unknown or lost time. */
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

	/* Draws a box of time, with its text; at least part of a pixel wide. */
	box(from, to, y, height, color, text) {
		const x = Math.max(this.left, this.x(from)), end = Math.min(this.width, this.x(to)), width = end - x;

		this.context.fillStyle = color;
		this.context.fillRect(x, y, Math.max(width > 2 ? width - 0.5 : width, 0.4), height);
		if (text && width > 24)
			this.text(text, x + 4, y + height / 2 + 0.5, width - 7, tlInkOn(this.colors, color));
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
		const above = track.type === "counter" ? 8 : Math.min(track.height, 26) / 2 + 0.5;
		this.title(text, inset + 4, track.at + above,
			(this.left - inset - 8) * (fold ? 0.9 : 1), track.type === "slices" ? colors.faint : colors.ink);
		context.font = TL_FONT;
		if (track.note)
			this.text(track.note, inset + 4, track.at + track.height - 7, this.left - inset - 8, colors.faint);
		context.fillStyle = colors.line;
		context.fillRect(0, track.at + track.height - 0.5, this.width, 0.5);
	}

	/* Draws losses of a CPU, or of all. */
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
	return `${loss.events ? formatMany(loss.events, "event") : "some events"} lost${loss.cpu >= 0 ? ` on CPU ${loss.cpu}` : ""}`;
}
