// SPDX-License-Identifier: GPL-2.0-only
// The part of the canvas that has time, as pixels: thousands of bars per picture, which are put onto it at once.

class TlPixels {
	constructor() {
		this.width = this.height = 0;
		this.image = null;
		this.words = new Uint32Array(0);
	}

	/* Sets the size in the device's pixels, and fills all of them with one colour. */
	clear(width, height, word) {
		if (this.width !== width || this.height !== height) {
			this.image = width > 0 && height > 0 ? new ImageData(width, height) : null;
			this.words = this.image ? new Uint32Array(this.image.data.buffer) : new Uint32Array(0);
			this.width = width;
			this.height = height;
		}
		this.words.fill(word);
	}

	/* Draws a bar from column x to the one before end; the upper and lower edges may be within a pixel. */
	bar(x, end, top, bottom, word) {
		const { words, width } = this, above = Math.max(0, top), below = Math.min(this.height, bottom);
		const first = Math.ceil(above), last = Math.floor(below);

		if (above >= below)
			return;
		if (first > last) {
			this.mix(x, end, last, below - above, word);
			return;
		}
		if (above < first)
			this.mix(x, end, first - 1, first - above, word);
		for (let row = first * width; row < last * width; row += width)
			for (let at = row + x; at < row + end; at++)
				words[at] = word;
		if (last < below)
			this.mix(x, end, last, below - last, word);
	}

	mix(x, end, row, part, word) {
		const { words } = this, from = row * this.width;

		for (let at = from + x; at < from + end; at++)
			words[at] = tlMixed(words[at], word, part);
	}
}

/* Returns a colour as a pixel's word. */
function tlWord(colors, color) {
	let word = colors.words.get(color);

	if (word === undefined) {
		word = new Uint32Array(colourParts(color).buffer)[0];
		colors.words.set(color, word);
	}
	return word;
}

/* Mixes a pixel that another one covers in part: two of its bytes at a time. */
function tlMixed(under, over, part) {
	const b = Math.round(part * 256), a = 256 - b;
	const odd = (under >>> 8 & 0xff00ff) * a + (over >>> 8 & 0xff00ff) * b, even = (under & 0xff00ff) * a + (over & 0xff00ff) * b;

	return (odd & 0xff00ff00 | even >>> 8 & 0xff00ff) >>> 0;
}
