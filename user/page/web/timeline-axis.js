// SPDX-License-Identifier: GPL-2.0-only
// The axis above the tracks: an overview of the trace that marks the view, times, and the chosen range.

/* Draws how busy all CPUs are, as far as this is known, in the overview's pixels. */
function tlOverviewPaint(view, painter) {
	const { head } = view, cpus = [...head.sums[TL_CPU].values()], context = painter.context;
	const count = Math.max(1, Math.floor(painter.width - painter.left)), busy = new Float64Array(count);
	/* Many CPUs are summed in wider bins, for as much work as 64 CPUs. */
	const shift = tlShift(head.span / count) + tlShift(cpus.length / 64);

	for (const levels of cpus) {
		const bins = tlLevelBins(levels, 0, head.span, shift), ratio = bins.width / (head.span / count);
		for (let bin = 0; bin < bins.count; bin++)
			tlSpread(busy, bin * ratio, (bin + 1) * ratio, bins.values[0][bin] / bins.width / cpus.length);
	}
	context.fillStyle = painter.colors.run;
	for (let x = 0; x < count; x++) {
		const height = busy[x] ? Math.max(1, busy[x] * (TL_OVERVIEW - 6)) : 0;

		context.fillRect(painter.left + x, TL_OVERVIEW - 2 - height, 1, height);
	}
}

/* Copies the overview, which is drawn once. */
function tlOverviewCopy(view, painter) {
	const key = [painter.canvas.width, painter.left, painter.colors.ground, painter.colors.run].join();

	if (view.overviewKey !== key) {
		tlOverviewPaint(view, painter);
		const copy = document.createElement("canvas");
		copy.width = painter.canvas.width;
		copy.height = painter.canvas.height;
		copy.getContext("2d").drawImage(painter.canvas, 0, 0);
		Object.assign(view, { overview: copy, overviewKey: key });
		return;
	}
	painter.context.setTransform(1, 0, 0, 1, 0, 0);
	painter.context.drawImage(view.overview, 0, 0);
	painter.size(painter.width, painter.height, painter.left);
}

function tlAxisPaint(view, width, left) {
	const painter = view.axis, { colors } = painter, { head } = view;

	painter.size(width, TL_AXIS_HEIGHT, left);
	painter.clear();
	tlOverviewCopy(view, painter);
	const context = painter.context;
	painter.time(0, head.span);
	const x = painter.x(view.from), end = Math.max(x + 2, painter.x(view.to));
	for (const loss of tlLossColumns(view, painter)) {
		context.fillStyle = colors.lost;
		context.fillRect(loss, TL_OVERVIEW - 3, 2, 3);
	}
	context.fillStyle = colors.accent;
	context.globalAlpha = 0.18;
	context.fillRect(x, 0, end - x, TL_OVERVIEW);
	context.globalAlpha = 1;
	context.strokeStyle = colors.accent;
	context.strokeRect(x + 0.5, 0.5, Math.max(1, end - x - 1), TL_OVERVIEW - 1);
	painter.text("all of the trace", 8, TL_OVERVIEW / 2, left - 12, colors.faint);
	tlTicks(view, painter);
}

/* Returns the columns of pixels that have a loss. */
function tlLossColumns(view, painter) {
	const columns = new Set();

	for (const loss of view.losses)
		columns.add(Math.round(painter.x(loss.from)));
	return columns;
}

function tlTicks(view, painter) {
	const { colors, context } = painter, room = painter.width - painter.left;

	painter.time(view.from, view.to);
	const step = tlStep((view.to - view.from) / (room / 110)), y = TL_OVERVIEW + 12;
	painter.text(`${tlDuration(view.to - view.from)} in view`, 8, y, painter.left - 12, colors.ink);
	for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
		const x = painter.x(at);
		context.fillStyle = colors.line;
		context.fillRect(x, TL_OVERVIEW + 2, 1, TL_AXIS_HEIGHT - TL_OVERVIEW - 2);
		painter.text(tlAxisText(at, step), x + 4, y, Math.min(106, painter.width - x - 4), colors.faint);
	}
	if (view.range) {
		const from = Math.max(painter.left, painter.x(view.range.from)), to = Math.min(painter.width, painter.x(view.range.to));
		context.fillStyle = colors.accent;
		context.fillRect(from, TL_AXIS_HEIGHT - 14, Math.max(1, to - from), 3);
		painter.text(tlDuration(view.range.to - view.range.from), from + 2, TL_AXIS_HEIGHT - 5, Math.max(60, to - from), colors.accent);
	}
}

/* Draws the range, the selection, and the arrow from its waker over the tracks. */
function tlOverlay(view, tracks) {
	const { painter } = view, { context, colors } = painter;

	context.save();
	context.beginPath();
	context.rect(painter.left, 0, painter.width - painter.left, painter.height);
	context.clip();
	if (view.range) {
		const x = painter.x(view.range.from), end = painter.x(view.range.to);
		context.fillStyle = colors.accent;
		context.globalAlpha = 0.12;
		context.fillRect(x, 0, end - x, painter.height);
		context.globalAlpha = 1;
	}
	if (view.selected)
		tlSelectedPaint(view, tracks);
	context.restore();
}

function tlSelectedPaint(view, tracks) {
	const { painter, selected } = view, { context, colors } = painter;
	const x = painter.x(selected.from), end = painter.x(selected.to);

	for (const track of tracks) {
		const own = track.type === "thread" && track.thread.key === selected.key && selected.type === "state";
		const marked = track.instants !== undefined && selected.type === "instant" && track.instants === selected.number;
		if (!own && !marked && track.id !== selected.track)
			continue;
		context.strokeStyle = colors.ink;
		context.lineWidth = 2;
		if (selected.type === "slice" && selected.depth < TL_DEPTHS)
			context.strokeRect(x, track.at + 1 + selected.depth * TL_HEIGHTS.slices, Math.max(2, end - x), TL_HEIGHTS.slices);
		else
			context.strokeRect(x, track.at + 1.5, Math.max(2, end - x), track.height - 3);
		context.lineWidth = 1;
		if (own && selected.waker)
			tlArrow(view, tracks, selected.waker, track);
	}
}

/* Draws an arrow from the waker, or from the CPU that it ran on, or from the edge that it is beyond. */
function tlArrow(view, tracks, waker, to) {
	const { painter } = view, { context, colors } = painter, x = painter.x(waker.ns), y = to.at + to.height / 2;
	const from = tracks.find((t) => t.type === "thread" && t.thread.key === waker.key) ||
		tracks.find((t) => t.type === "cpu" && t.cpu === waker.cpu);
	const begin = from ? from.at + from.height / 2 : 0, down = begin < y ? -1 : 1;

	context.strokeStyle = context.fillStyle = colors.ink;
	context.lineWidth = 1.5;
	context.beginPath();
	context.arc(x, begin, 3, 0, 7);
	context.fill();
	context.beginPath();
	context.moveTo(x, begin);
	context.bezierCurveTo(x - 18, (begin + y) / 2, x - 18, (begin + y) / 2, x, y + down * 6);
	context.stroke();
	context.beginPath();
	context.moveTo(x, y + down);
	context.lineTo(x - 5, y + down * 8);
	context.lineTo(x + 3, y + down * 9);
	context.fill();
	context.lineWidth = 1;
}
