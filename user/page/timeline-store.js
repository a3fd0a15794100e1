// SPDX-License-Identifier: GPL-2.0-only
// Which blocks are decoded: those that are asked for first, then as many as there is room for.

/* Rows that are kept in memory: some 40 bytes each. */
const TL_ROWS_KEPT = 8e6;

class TlStore {
	constructor(head, changed) {
		this.head = head;
		this.changed = changed;		// called when blocks have been decoded
		this.wanted = [];
		this.rows = head.blocks.map(() => 0);
		for (const kind of head.index)
			for (const of of kind.values())
				of.blocks.forEach((block, i) => this.rows[block] += of.rows[i]);
		this.kept = 0;
		this.clock = 0;
		this.busy = false;
		this.waiting = [];		// promises of certain blocks
		this.failed = null;
		this.asked = new Set();		// for the picture that is painted
		this.askedRows = 0;
		this.rowsLeft = TL_ROWS_PICTURE;	// that it may go through for sums
	}

	/* A block's data, or null: it is decoded soon. */
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

	/* A picture begins: what was in view of the one before isn't asked for any more. */
	picture() {
		this.wanted = this.waiting.map((w) => w.number);
		this.asked.clear();
		this.askedRows = 0;
		this.rowsLeft = TL_ROWS_PICTURE;
	}

	/* Whether a picture may ask for these blocks, too: what doesn't fit into memory would be read again and again. */
	fits(numbers) {
		const more = numbers.filter((number) => !this.asked.has(number));
		const rows = more.reduce((sum, number) => sum + this.rows[number], 0);

		if (this.askedRows + rows > TL_ROWS_KEPT * 0.75)
			return false;
		more.forEach((number) => this.asked.add(number));
		this.askedRows += rows;
		return true;
	}

	/* A promise of a block's data. */
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
		const columns = await tlInflate(`tl-${number}`);
		block.data = tlBlockDecode(columns, block.begin);
		block.used = ++this.clock;
		this.kept += this.rows[number];
		this.room();
		const ready = this.waiting.filter((w) => w.number === number);
		this.waiting = this.waiting.filter((w) => w.number !== number);
		ready.forEach((w) => w.resolve(block.data));
	}

	/* In the background: the browser draws between two blocks. */
	async work() {
		this.busy = true;
		try {
			while (this.wanted.length) {
				await this.decode(this.wanted.shift());
				this.changed();
				await new Promise((resolve) => setTimeout(resolve, 0));
			}
		} catch (error) {
			this.failed = error;
			this.changed();
		}
		this.busy = false;
	}

	/* Once nothing else is to do: all blocks, if there is room for them. */
	prefetch() {
		if (this.rows.reduce((sum, rows) => sum + rows, 0) <= TL_ROWS_KEPT)
			this.head.blocks.filter((b) => !b.data).forEach((b) => this.want(b.number));
	}

	/* Numbers of the blocks that have rows of a track which touch from..to; all of them reach into it. */
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
			if (blocks[of.blocks[i] + of.reach[i]].end > from)
				found.push(of.blocks[i]);
			else if (kind === TL_CPU || kind === TL_THREAD || kind === TL_COUNTER || kind === TL_INSTANT)
				break;
		}
		return found.reverse();
	}

	/* How many rows of a track are in from..to, about. */
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

	/* The data of those blocks; null where one isn't decoded yet, or they are too many. */
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

/* The first of ascending numbers, from low to high, that is beyond a value. */
function tlBeyond(numbers, low, high, value) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (numbers[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Calls with each run of a CPU that touches from..to: begin, end, key and one (0: not known). */
function tlEachRun(datas, cpu, from, to, call) {
	for (const data of datas) {
		const of = data.cpus.get(cpu);

		for (let i = Math.max(0, tlBeyond(of.times, 0, of.count, from) - 1); i < of.count && of.times[i] < to; i++)
			if (of.times[i + 1] > from)
				call(of.times[i], of.times[i + 1], of.task[i]);
	}
}

/* Calls with each row of a thread that touches from..to: the rows' arrays, and the number in them. */
function tlEachState(datas, key, from, to, call) {
	for (const data of datas) {
		const of = data.threads.get(key), t = data.t;

		for (let i = Math.max(of.first, tlBeyond(t.from, of.first, of.end, from) - 1); i < of.end && t.from[i] < to; i++)
			if (t.to[i] > from)
				call(t, i, data);
	}
}

/* Slices overlap: all of a block that begin before the end are looked at. */
function tlEachSlice(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.slices.tracks.get(track), s = data.slices, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = of.first; i < end; i++)
			if (s.to[i] >= from)
				call(s, i, data);
	}
}

function tlEachInstant(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.instants.tracks.get(track), s = data.instants, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = tlBeyond(s.from, of.first, end, from - 1); i < end; i++)
			call(s, i, data);
	}
}

/* Values from the one that holds at the begin on. */
function tlEachValue(datas, track, from, to, call) {
	for (const data of datas) {
		const of = data.counters.tracks.get(track), s = data.counters, end = tlBeyond(s.from, of.first, of.end, to);

		for (let i = Math.max(of.first, tlBeyond(s.from, of.first, end, from) - 1); i < end; i++)
			call(s.from[i], s.value[i]);
	}
}
