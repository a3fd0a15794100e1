// SPDX-License-Identifier: GPL-2.0-only
// Formats times for the timeline.

function tlDuration(ns) {
	return formatTime(Math.round(ns));
}

/* Formats a duration with all digits. */
function tlExact(ns) {
	return `${tlDuration(ns)}${ns >= 1e3 ? ` (${Math.round(ns)} ns)` : ""}`;
}

/* Formats a moment for an axis with steps of that length. */
function tlAxisText(ns, step) {
	const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / 1e9))));

	return `${(ns / 1e9).toFixed(digits)} s`;
}

/* Returns nanoseconds of the trace's clock. */
function tlClock(head, ns) {
	return head.begin + BigInt(Math.round(ns));
}

function tlClockText(head, ns) {
	return `${formatClock(tlClock(head, ns))} s`;
}

/* Formats a moment on both clocks: the trace's, as in commands, and from its begin, as on the axis. */
function tlMoment(head, ns) {
	return `${tlClockText(head, ns)} (${(ns / 1e9).toFixed(6)} s from the begin)`;
}

/* Returns the step of an axis: 1, 2 or 5 times a power of ten, at least that long. */
function tlStep(least) {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));

	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) || 1;
}

/* Formats a counter's value, with six digits if it is not an integer. */
function tlValueText(value) {
	return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(6)));
}

function tlValuesText(low, high) {
	return low === high ? tlValueText(low) : `${tlValueText(low)} to ${tlValueText(high)}`;
}

function tlThreadName(head, key) {
	const thread = head.threads.get(key);

	return key === 0 ? "idle" : thread ? `${cleanName(thread.name) || "?"} ${thread.tid}` : `thread ${key}`;
}
