// SPDX-License-Identifier: GPL-2.0-only
// What matters: the page's first part.

function showMatters(root, data) {
	root.append(make("h1", {}, data.facts.file));
}
