// SPDX-License-Identifier: GPL-2.0-only
// Faults that a static analyser has to find.

function faulty(number) {
	const unused = 1;

	return number + missing;
}
