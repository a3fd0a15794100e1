// SPDX-License-Identifier: GPL-2.0-only
// Cached sums of bins: a tile has a track's bins of one width in an aligned piece of time.

/* Bins of a tile; number of cached tiles, of about 5 KB; and ms that a picture may take to sum up new ones. */
const TL_TILE = 128, TL_TILES_KEPT = 4000, TL_SUMS_MS = 4;

/* The most rows of a track that are summed up: with such bins in a level, and without. */
const TL_ROWS_DRAWN = 6000, TL_ROWS_SUMMED = 30000;

class TlTiles {
	constructor(head, store) {
		this.head = head;
		this.store = store;
		this.makers = [tlCpuBins, tlThreadBins, tlSliceBins];
		this.makers[TL_PROCESS] = (datas, id, ...rest) => tlProcessBins(head.processes.get(id), datas, ...rest);
		this.recent = new Map();
		this.older = new Map();
		this.made = 0;			// number of tiles that were summed up so far
		this.picture();
	}

	/* Starts a picture. */
	picture() {
		this.left = TL_SUMS_MS;		// for summing alone: however long a picture takes, it gets a new tile
		this.missing = false;		// whether tiles are left to the next picture
	}

	/*
	 * Keeps a tile.  Half of the tiles are dropped at once: those that no picture used since the other half came.
	 */
	keep(key, tile) {
		if (this.recent.size >= TL_TILES_KEPT / 2) {
			this.older = this.recent;
			this.recent = new Map();
		}
		this.recent.set(key, tile);
		return tile;
	}

	/* Returns a tile's bins; null: blocks are being decoded, or the picture has no time left. */
	get(kind, track, shift, number) {
		const key = `${kind} ${track} ${shift} ${number}`, kept = this.recent.get(key), old = kept || this.older.get(key);

		if (old)
			return kept || this.keep(key, old);
		const from = number * TL_TILE * 2 ** shift, to = from + TL_TILE * 2 ** shift;
		const datas = this.store.dataOf(kind, track, from, to);
		if (!datas)
			return null;
		if (this.left <= 0) {
			this.missing = true;
			return null;
		}
		this.made++;
		const started = performance.now(), tile = this.makers[kind](datas, track, from, to, shift);
		this.left -= performance.now() - started;
		return this.keep(key, tile);
	}

	/* Returns a part of a track by its level. */
	level(kind, track, from, to, shift) {
		const levels = this.head.sums[kind].get(track);

		return levels ? [{ bins: tlLevelBins(levels, from, to, shift), from, to, exact: false }] : [];
	}

	/* Returns whether a track is summed up from its rows: they are few enough, and their blocks fit into memory. */
	sums(kind, track, from, to, shift) {
		const levels = this.head.sums[kind].get(track), most = levels && levels[0].shift <= shift ? TL_ROWS_DRAWN : TL_ROWS_SUMMED;

		return this.store.estimate(kind, track, from, to) <= most && this.store.fits(this.store.blocksOf(kind, track, from, to));
	}

	/* Returns a track in from..to: bins, and the part that each of them covers; exact: they come from rows. */
	pieces(kind, track, from, to, shift) {
		const ns = TL_TILE * 2 ** shift, pieces = [];
		let gap = from;		// no tile covers the time from here on

		if (!this.sums(kind, track, from, to, shift))
			return this.level(kind, track, from, to, shift);
		for (let number = Math.floor(from / ns); number * ns < to; number++) {
			const tile = this.get(kind, track, shift, number);
			if (!tile)
				continue;
			const begin = Math.max(from, number * ns), end = Math.min(to, (number + 1) * ns);
			if (begin > gap)
				pieces.push(...this.level(kind, track, gap, begin, shift));
			pieces.push({ bins: tile, from: begin, to: end, exact: true });
			gap = end;
		}
		if (gap < to)
			pieces.push(...this.level(kind, track, gap, to, shift));
		return pieces;
	}

	/* Returns the same as one piece: from the level alone if a tile is missing; null: no data. */
	bins(kind, track, from, to, shift) {
		const pieces = this.pieces(kind, track, from, to, shift);

		if (!pieces.length || !pieces.every((piece) => piece.exact)) {
			const [level] = this.level(kind, track, from, to, shift);
			return level ? Object.assign(level.bins, { exact: false }) : null;
		}
		const bins = tlBins(from, to, shift, pieces[0].bins.values, pieces[0].bins.top !== null);
		for (const { bins: tile } of pieces)
			tlBinsCopy(bins, tile);
		return Object.assign(bins, { exact: true });
	}
}
