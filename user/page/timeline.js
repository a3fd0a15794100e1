// SPDX-License-Identifier: GPL-2.0-only
// The timeline.

/* root: an empty section; data: of main.js. */
function startTimeline(root, data) {
	root.hidden = !data;
}
