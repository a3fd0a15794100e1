// SPDX-License-Identifier: GPL-2.0-only
// The answer of "fxtrec explain".

const FINDING_LEAST = 0.005;

/* Returns the links to the units with the longest parts of a finding. */
function findingMoments(finding) {
	const cell = make("td", { class: "culprits" });

	for (const moment of finding.moments)
		cell.append(make("a", { href: momentLink(moment.from_ns, moment.to_ns, moment.key), title: "Show it in the timeline" },
			`${formatMs(moment.ns)} ms`), " ");
	return cell;
}

function showExplain(root, data) {
	if (!data.explain || data.explain.answer === "nothing-recorded")
		return;
	const findings = data.explain.findings.filter((finding) => finding.share >= FINDING_LEAST);
	const columns = [
		{ title: "Share %", number: true, cell: (f) => make("td", { class: "number" }, (100 * f.share).toFixed(0)), sort: (f) => f.share },
		{ title: "ms", number: true, hint: "Of a late unit, on average", cell: (f) => nsCell(f.ns), sort: (f) => f.ns },
		{ title: "It", cell: (f) => make("td", { class: "lock", title: f.advice }, make("bdi", {}, cleanName(f.text, 500))) },
		{ title: "Moments", cell: findingMoments },
	];

	makeSection(root, "late", "Why it was late", cleanName(data.explain.text, 1000),
		...(findings.length ? [makeTableOr("", columns, findings, { caption: "Causes of the lateness", shown: 10, sorted: 0, stack: true })] : []));
}
