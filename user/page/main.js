// SPDX-License-Identifier: GPL-2.0-only
// Starts the page's parts.

const pageData = { facts: pageJson("facts"), report: pageJson("report"), blame: pageJson("blame") };

document.title = `${pageData.facts.file} \u2013 fxtrec`;
showMatters(document.getElementById("matters"), pageData);
startTimeline(document.getElementById("timeline"), pageData);
