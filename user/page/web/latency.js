// SPDX-License-Identifier: GPL-2.0-only
// Latencies: a histogram on logarithmic axes, and quantiles.

const LATENCY_KINDS = [
	{ id: "latency", title: "From wakeup to run", colour: "--wait" },
	{ id: "preempted", title: "From preemption to run", colour: "--preempted" },
];
const LATENCY_QUANTILES = [["p50_ns", "p50"], ["p90_ns", "p90"], ["p99_ns", "p99"], ["p999_ns", "p99.9"],
	["max_ns", "Longest"]];
const BARS_AN_OCTAVE = 4, LATENCY_HEIGHT = 190;

/* Returns counts by the logarithm of their duration: [the bar's number, count]. */
function latencyBars(histogram) {
	const bars = new Map();

	for (const [upper, count] of histogram) {
		const bar = Math.floor(Math.log2(Math.max(Number(upper), 1)) * BARS_AN_OCTAVE);

		bars.set(bar, (bars.get(bar) || 0) + count);
	}
	return bars;
}

/* Returns axes for all kinds: from the first to the last decade, and the greatest count. */
function latencyAxes(kinds) {
	const bars = kinds.flatMap((kind) => [...kind.bars]);
	const first = Math.min(...bars.map((bar) => bar[0])), last = Math.max(...bars.map((bar) => bar[0])) + 1;
	const decade = (bar) => bar / BARS_AN_OCTAVE * Math.log10(2);

	return { from: Math.floor(decade(first)), to: Math.max(Math.ceil(decade(last)), Math.floor(decade(first)) + 1),
		most: Math.max(...bars.map((bar) => bar[1])) };
}

function drawLatency(kind, axes, width) {
	const left = 44, right = 12, top = 22, foot = 22, height = LATENCY_HEIGHT;
	const log = Math.log10(axes.most + 1) || 1;
	const x = (ns) => left + (width - left - right) * (Math.log10(Math.max(ns, 1)) - axes.from) / (axes.to - axes.from);
	const y = (count) => height - foot - (height - foot - top) * Math.log10(count + 1) / log;
	const svg = makeSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
		"aria-label": `${kind.title}: histogram of ${formatMany(kind.sums.count, "wait")}; the table has its quantiles` });

	for (let count = 1; count <= axes.most; count *= 10)
		svg.append(makeSvg("line", { class: "grid", x1: left, x2: width - right, y1: y(count), y2: y(count) }),
			makeSvg("text", { x: left - 6, y: y(count) + 4, "text-anchor": "end" },
				count >= 1e6 ? `${count / 1e6}M` : count >= 1e3 ? `${count / 1e3}k` : count));
	for (let decade = axes.from; decade <= axes.to; decade++)
		svg.append(makeSvg("line", { class: "grid", x1: x(10 ** decade), x2: x(10 ** decade), y1: top,
			y2: height - foot + 4 }),
		makeSvg("text", { x: x(10 ** decade), y: height - 6, "text-anchor": decade === axes.to ? "end" : "middle" },
			formatTick(10 ** decade)));
	for (const [bar, count] of kind.bars) {
		const from = 2 ** (bar / BARS_AN_OCTAVE), to = 2 ** ((bar + 1) / BARS_AN_OCTAVE);
		const rect = makeSvg("rect", { x: x(from) + 0.5, y: y(count), width: Math.max(1, x(to) - x(from) - 1),
			height: height - foot - y(count) },
			makeSvg("title", {}, `${formatTime(Math.round(from))} to ${formatTime(Math.round(to))}: ${formatCount(count)}`));

		rect.style.fill = `var(${kind.colour})`;
		svg.append(rect);
	}
	drawQuantiles(svg, kind, x, top, height - foot, width);
	return svg;
}

/* Marks the quantiles; a name that would overlap another one is left out. */
function drawQuantiles(svg, kind, x, top, bottom, width) {
	let free = 0;

	for (const [member, title] of LATENCY_QUANTILES) {
		const at = x(Number(kind.sums[member])), name = member === "max_ns" ? "max" : title, room = 7 * name.length;
		const end = at + room > width;

		svg.append(makeSvg("line", { class: "mark", x1: at, x2: at, y1: top - 6, y2: bottom }));
		if ((end ? at - room : at) < free)
			continue;
		svg.append(makeSvg("text", { class: "mark", x: end ? at - 3 : at + 3, y: top - 6,
			"text-anchor": end ? "end" : "start" }, name));
		free = at + room + 6;
	}
}

function makeLatencyPicture(kind, axes) {
	const box = make("div", { class: "picture" });

	drawWhenSized(box, (width) => box.replaceChildren(drawLatency(kind, axes, width)));
	return make("figure", {}, make("figcaption", {}, kind.title,
		make("span", { class: "faint" }, ` ${formatMany(kind.sums.count, "wait")}`)), box);
}

function showLatency(root, data) {
	const kinds = LATENCY_KINDS.filter((kind) => data.totals[kind.id].count).map((kind) =>
		({ ...kind, sums: data.totals[kind.id], bars: latencyBars(data.totals[kind.id].histogram) }));
	const section = makeSection(root, "latency", "How late threads ran",
		"Waits that ended, by their duration; both axes are logarithmic.");

	if (!kinds.length) {
		section.append(make("p", { class: "none" }, "No wait ended."));
		return;
	}
	const axes = latencyAxes(kinds);
	const columns = [{ title: "Wait", cell: (kind) => make("th", { scope: "row" }, kind.title) },
		{ title: "Count", number: true, cell: (kind) => countCell(kind.sums.count) },
		...LATENCY_QUANTILES.map(([member, title]) => ({ title, number: true, cell: (kind) =>
			make("td", { class: "number", "data-ns": kind.sums[member] }, formatTime(kind.sums[member])) }))];

	section.append(make("div", { class: "pair" }, ...kinds.map((kind) => makeLatencyPicture(kind, axes))),
		makeTable(columns, kinds, { caption: "Latencies of all threads", compact: true }).element);
}
