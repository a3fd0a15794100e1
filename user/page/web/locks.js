// SPDX-License-Identifier: GPL-2.0-only
// Locks: the waits for each, and its holders, as in "fxtrec report --by=lock".

const HOLDERS_NAMED = 3, LOCK_P99_LEAST = 100;

/* Returns "futex 0x7f40 of nginx". */
function lockTitle(lock) {
	const what = lock.object || lock.call || "a lock that isn't known";

	return cleanName(lock.process ? `${what} of ${lock.process}` : what);
}

function holdersCell(lock) {
	const cell = make("td", { class: "culprits" }), named = lock.holders.slice(0, HOLDERS_NAMED);

	for (const holder of named) {
		const chip = make("i", { "aria-hidden": "true" });

		chip.style.background = `var(--h${threadShade(lock.pid, holder.tid)})`;
		cell.append(make("span", { class: "culprit", "data-ns": holder.ns }, chip, make("bdi", {}, threadTitle(holder)),
			` ${formatShare(holder.ns, lock.ns)}`), " ");
	}
	if (lock.holders.length > named.length)
		cell.append(make("span", { class: "culprit" }, `${formatMany(lock.holders.length - named.length, "other")}`), " ");
	if (BigInt(lock.held_ns) < BigInt(lock.ns))
		cell.append(make("span", { class: "culprit" }, `not known ${formatShare(BigInt(lock.ns) - BigInt(lock.held_ns), lock.ns)}`));
	return cell;
}

/* Returns a cell with the longest wait, a link to it in the timeline. */
function longestCell(lock) {
	const to = BigInt(lock.longest_at_ns) + BigInt(lock.longest_ns);

	return make("td", { class: "number", "data-ns": lock.longest_ns },
		make("a", { href: `${momentLink(lock.longest_at_ns, to, lock.longest_key)}&at=${lock.longest_at_ns}`,
			title: "Show it in the timeline" }, formatMs(lock.longest_ns)));
}

function showLocks(root, data) {
	if (!data.locks)
		return;
	const columns = [
		{ title: "Lock", cell: (l) => make("td", { class: "lock" }, make("bdi", {}, lockTitle(l))) },
		{ title: "Waits", number: true, cell: (l) => countCell(l.count), sort: (l) => l.count },
		{ title: "Waited ms", number: true, cell: (l) => nsCell(l.ns), sort: (l) => l.ns },
		{ title: "Longest ms", number: true, cell: longestCell, sort: (l) => l.longest_ns },
		{ title: "p99 ms", hint: `Of ${LOCK_P99_LEAST} waits and more`, number: true, sort: (l) => l.p99_ns,
			cell: (l) => l.count >= LOCK_P99_LEAST ? nsCell(l.p99_ns) : make("td", { class: "number" }, "\u2013") },
		{ title: "Most waiters", number: true, cell: (l) => countCell(l.waiters_max), sort: (l) => l.waiters_max },
		{ title: "Hand-offs", hint: "Wakeups of a waiter by the holder", number: true, cell: (l) => countCell(l.handoffs), sort: (l) => l.handoffs },
		{ title: "Held by, at the start of waits", cell: holdersCell },
	];

	makeSection(root, "locks", "Locks",
		"Waits for locks, by lock. The longest wait is a link to its moment; there, the holder is a link to what it did.",
		makeTableOr("No thread is known to have waited for a lock.", columns, data.locks.locks,
			{ caption: "Locks that threads waited for", shown: 10, sorted: 2, stack: true }));
}
