// SPDX-License-Identifier: GPL-2.0-only
// Starts the page's parts.

const PAGE_PLACES = [["late", "Late"], ["waiters", "Waits"], ["cpus", "CPUs"], ["latency", "Latency"], ["locks", "Locks"], ["timeline", "Timeline"],
	["blocked", "Blocked"], ["threads", "Threads"]];

/* Adds links to the sections, which leave the address alone: its fragment is the timeline's. */
function makeContents() {
	const list = make("nav", { "aria-label": "Sections" });

	for (const [id, title] of PAGE_PLACES.filter((place) => document.getElementById(place[0]))) {
		const link = make("a", { href: `#${id}` }, title);

		link.addEventListener("click", (event) => {
			const place = document.getElementById(id);

			event.preventDefault();
			place.scrollIntoView();
			place.tabIndex = -1;
			place.focus({ preventScroll: true });
		});
		list.append(link);
	}
	return list;
}

function startPage() {
	const data = { facts: pageJson("facts"), totals: pageJson("totals"), report: pageJson("report"),
		blame: pageJson("blame"), heat: pageJson("heat"), stacks: pageJson("stacks"), locks: pageJson("locks"), explain: pageJson("explain") };
	const file = cleanName(data.facts.file.split("/").pop());

	document.title = `${file} \u2013 fxtrec`;
	data.by = suitingGroup(data);
	if (data.report.cpus.length || data.report.threads.length) {
		showExplain(document.getElementById("matters"), data);
		showMatters(document.getElementById("matters"), data);
		showBlocked(document.getElementById("details"), data);
		showThreads(document.getElementById("details"), data);
	} else {
		showBare(document.getElementById("matters"), data);
	}
	document.getElementById("top").append(make("h1", { title: cleanName(data.facts.file, 500) },
		make("span", { class: "mark" }, "fxtrec"), " ", make("bdi", {}, file)), makeContents(), startTheme());
	document.getElementById("foot").textContent =
		`Made by fxtrec ${data.facts.fxtrec}. This page asks no network for anything.`;
	startTimeline(document.getElementById("timeline"), data);
}

/* The timeline's worker runs the same script. */
if (globalThis.document)
	startPage();
else
	startWorker();
