// SPDX-License-Identifier: GPL-2.0-only
// Numbers and names as text.

const TIME_UNITS = [{ unit: "s", size: 1e9 }, { unit: "ms", size: 1e6 }, { unit: "\u00b5s", size: 1e3 }];

/* Formats 1234567 as "1 234 567". */
function formatCount(number) {
	return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/* Formats a rate; below ten, with two significant digits. */
function formatRate(rate) {
	return rate && rate < 9.95 ? String(Number(rate.toPrecision(2))) : formatCount(Math.round(rate));
}

/* Formats "1 loss", "2 losses". */
function formatMany(count, one, many = `${one}s`) {
	return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}

/* Formats nanoseconds as milliseconds with three decimals, without the unit: for columns of tables. */
function formatMs(ns) {
	const [whole, part] = (Number(ns) / 1e6).toFixed(3).split(".");

	return `${formatCount(whole)}.${part}`;
}

/* Formats a duration with three or four digits and its unit. */
function formatTime(ns) {
	const value = Number(ns);

	for (const { unit, size } of TIME_UNITS) {
		const scaled = value / size;

		if (scaled >= 1)
			return `${scaled.toFixed(scaled >= 100 ? 1 : scaled >= 10 ? 2 : 3)} ${unit}`;
	}
	return `${value} ns`;
}

/* Formats a duration for an axis, with no more digits than it needs. */
function formatTick(ns) {
	const value = Number(ns);

	for (const { unit, size } of TIME_UNITS)
		if (Math.abs(value) >= size)
			return `${Number((value / size).toFixed(6))} ${unit}`;
	return value ? `${value} ns` : "0";
}

/* Returns the nanoseconds from one time of the trace's clock to another; both may be beyond 2^53. */
function nsBetween(from, to) {
	return Number(BigInt(to) - BigInt(from));
}

/* Formats seconds since the start of the trace's window, with six decimals. */
function formatMoment(ns, facts) {
	return `${(nsBetween(facts.from_ns, ns) / 1e9).toFixed(6)} s`;
}

/* Formats seconds of the trace's clock, with nine decimals. */
function formatClock(ns) {
	const text = String(ns).padStart(10, "0");

	return `${text.slice(0, -9)}.${text.slice(-9)}`;
}

/* Formats a share with one decimal; a smaller one with its significant digits. */
function formatShare(part, whole) {
	const share = 100 * Number(part) / Number(whole);

	if (!whole)
		return "\u2013";
	return `${share > 0 && share < 0.05 ? share.toFixed(Math.min(6, 1 - Math.floor(Math.log10(share)))) : share.toFixed(1)} %`;
}

/* Returns a name of the trace on one line: invisible characters are shown, and a long name is cut. */
function cleanName(name, limit = 120) {
	const text = String(name).slice(0, limit + 1)
		.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
		.replace(/[\p{Default_Ignorable_Code_Point}\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu, "\ufffd");

	return text.length > limit ? `${text.slice(0, limit)}\u2026` : text;
}

/* Returns "name:tid" of a thread, a wait or a culprit; "swapper" for idle. */
function threadTitle(thread) {
	return thread.key === 0 ? "swapper" : `${cleanName(thread.comm)}:${thread.tid}`;
}

function culpritTitle(culprit, by = "thread") {
	if (culprit.kind === "thread")
		return groupTitle(by, culprit);
	return culprit.name ? `${culprit.kind} ${cleanName(culprit.name)}` : culprit.kind;
}
