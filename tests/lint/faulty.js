// SPDX-License-Identifier: GPL-2.0-only
// What a static analyser has to find.

function faulty(number) {
	const unused = 1;

	return number + missing;
}
