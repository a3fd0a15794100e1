// SPDX-License-Identifier: GPL-2.0-only
// The decoded blocks: requested ones first, then as many as fit.

/* The most rows in memory, of about 40 bytes each. */
const TL_ROWS_KEPT = 8e6;

class TlStore {
	constructor(head, changed) {
		this.head = head;
		/* called when blocks that a picture asked for have been decoded, and when all have */
		this.changed = changed;
		this.decoder = new TlDecoder(PAGE_SCRIPT);
		this.wanted = [];
		this.rows = head.blocks.map(() => 0);
		for (const kind of head.index)
			for (const of of kind.values())
				of.blocks.forEach((block, i) => this.rows[block] += of.rows[i]);
		this.kept = 0;
		this.decoded = 0;		// number of blocks that were decoded so far
		this.clock = 0;
		this.busy = false;
		this.waiting = [];		// promises of blocks
		this.failed = null;
		this.asked = new Set();		// for the picture that is being painted
		this.askedRows = 0;
	}

	/* Returns a block's data, or null: it is decoded soon. */
	get(number) {
		const block = this.head.blocks[number];

		block.used = ++this.clock;
		if (!block.data)
			this.want(number);
		return block.data;
	}

	want(number) {
		if (!this.wanted.includes(number))
			this.wanted.push(number);
		if (!this.busy)
			this.work();
	}

	/* Starts a picture: blocks of the previous picture are not requested any more. */
	picture() {
		this.wanted = this.waiting.map((w) => w.number);
		this.asked.clear();
		this.askedRows = 0;
	}

	/*
	 * Returns whether a picture may ask for these blocks, too: more than fits into memory would be decoded again
	 * and again.
	 */
	fits(numbers) {
		const more = numbers.filter((number) => !this.asked.has(number));
		const rows = more.reduce((sum, number) => sum + this.rows[number], 0);

		if (this.askedRows + rows > TL_ROWS_KEPT * 0.75)
			return false;
		more.forEach((number) => this.asked.add(number));
		this.askedRows += rows;
		return true;
	}

	/* Returns a promise of a block's data. */
	load(number) {
		const data = this.get(number);

		return data ? Promise.resolve(data) : new Promise((resolve) => this.waiting.push({ number, resolve }));
	}

	room() {
		const old = this.head.blocks.filter((b) => b.data).sort((a, b) => a.used - b.used);

		while (this.kept > TL_ROWS_KEPT && old.length > 4) {
			const block = old.shift();
			block.data = null;
			this.kept -= this.rows[block.number];
		}
	}

	async decode(number) {
		const block = this.head.blocks[number];

		if (block.data)
			return;
		block.data = await this.decoder.decode(pageText(`tl-${number}`), block.begin);
		block.used = ++this.clock;
		this.decoded++;
		this.kept += this.rows[number];
		this.room();
		const ready = this.waiting.filter((w) => w.number === number);
		this.waiting = this.waiting.filter((w) => w.number !== number);
		ready.forEach((w) => w.resolve(block.data));
	}

	/*
	 * Decodes blocks in the background: blocks of the picture come first, and the browser draws between two blocks.
	 */
	async work() {
		const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

		this.busy = true;
		try {
			await turn();
			while (this.wanted.length) {
				const number = this.wanted.shift();
				await this.decode(number);
				if (this.asked.has(number) || !this.wanted.length)
					this.changed();
				await turn();
			}
		} catch (error) {
			this.failed = error;
			this.changed();
		}
		this.busy = false;
	}

	/* Requests all blocks once there is nothing else to do, if they fit. */
	prefetch() {
		if (this.rows.reduce((sum, rows) => sum + rows, 0) <= TL_ROWS_KEPT)
			this.head.blocks.filter((b) => !b.data).forEach((b) => this.want(b.number));
	}

	/*
	 * Returns the numbers of the blocks that have rows of a track which touch from..to, including rows that reach
	 * into it.
	 */
	blocksOf(kind, track, from, to) {
		const of = this.head.index[kind].get(track), blocks = this.head.blocks, found = [];
		let low = 0, high = of ? of.blocks.length : 0;

		if (!high)
			return found;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (blocks[of.blocks[middle]].begin < to)
				low = middle + 1;
			else
				high = middle;
		}
		for (let i = low - 1; i >= 0; i--) {
			/* The end is included, as an instant may be there. */
			if (blocks[of.blocks[i] + of.reach[i]].end >= from) {
				found.push(of.blocks[i]);
				continue;
			}
			/* A value holds until the next one. */
			if (kind === TL_COUNTER)
				found.push(of.blocks[i]);
			if (kind === TL_CPU || kind === TL_THREAD || kind === TL_COUNTER || kind === TL_INSTANT)
				break;
		}
		return found.reverse();
	}

	/* Estimates the number of rows of a track in from..to. */
	estimate(kind, track, from, to) {
		const of = this.head.index[kind].get(track), blocks = this.head.blocks;
		let rows = 0;

		if (!of)
			return 0;
		for (let i = 0; i < of.blocks.length; i++) {
			const block = blocks[of.blocks[i]];
			const part = (Math.min(to, block.end) - Math.max(from, block.begin)) / Math.max(1, block.end - block.begin);
			if (part > 0)
				rows += of.rows[i] * Math.min(1, part);
		}
		return rows;
	}

	/* Returns the data of those blocks; null where one isn't decoded yet, or they are too many. */
	dataOf(kind, track, from, to) {
		const numbers = this.blocksOf(kind, track, from, to);
		let all = true;

		if (!this.fits(numbers))
			return null;
		const data = numbers.map((number) => {
			const of = this.get(number);
			all = all && of !== null;
			return of;
		});

		return all ? data : null;
	}
}
