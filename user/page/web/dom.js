// SPDX-License-Identifier: GPL-2.0-only
// Elements: names and texts of a trace are only ever set as text.

const SVG_SPACE = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
	for (const [key, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(key, value === true ? "" : String(value));
	element.append(...children.filter((child) => child !== null)
		.map((child) => child instanceof Node ? child : String(child)));
	return element;
}

/* Returns an element with attributes and children, which are elements, text, or null for none. */
function make(name, attributes, ...children) {
	return fill(document.createElement(name), attributes, children);
}

function makeSvg(name, attributes, ...children) {
	return fill(document.createElementNS(SVG_SPACE, name), attributes, children);
}

/* Returns a button with an action. */
function makeButton(text, action, attributes = {}) {
	const button = make("button", { type: "button", ...attributes }, text);

	button.addEventListener("click", action);
	return button;
}

/* Adds a section to the page, with its heading, and a line that explains how to read it. */
function makeSection(root, id, title, hint, ...children) {
	const section = make("section", { id, "aria-labelledby": `${id}-title` },
		make("h2", { id: `${id}-title` }, title), hint ? make("p", { class: "hint" }, hint) : null, ...children);

	root.append(section);
	return section;
}

/* Returns the fragment of a span of time, a quarter wider on both sides; and of a thread, if a key is given. */
function momentLink(from, to, key) {
	const margin = (BigInt(to) - BigInt(from)) / 4n, start = BigInt(from) - margin;

	return `#from=${start > 0n ? start : 0n}&to=${BigInt(to) + margin}${key === undefined ? "" : `&thread=${key}`}`;
}

/* Returns a thread's name as a link to the thread in the timeline. */
function threadLink(thread, facts) {
	const title = threadTitle(thread);

	if (thread.key === 0)
		return make("bdi", {}, title);
	return make("a", { href: `#from=${facts.from_ns}&to=${facts.to_ns}&thread=${thread.key}`, class: "name", title },
		make("bdi", {}, title));
}

/* Returns a cell with a name that is cut where it is too wide. */
function nameCell(name, attributes = {}) {
	return make("td", { class: "thread", ...attributes }, make("bdi", { class: "name", title: name }, name));
}

/* Returns a cell with a rounded time, which also holds the exact one. */
function nsCell(ns) {
	return make("td", { class: "number", "data-ns": ns }, formatMs(ns));
}

function countCell(count) {
	return make("td", { class: "number", "data-count": count }, formatCount(count));
}

/* Returns a cell with a CPU's number, which is a name, not a count. */
function cpuCell(cpu) {
	return make("td", { class: "number", "data-count": cpu }, cpu);
}

/* Draws a picture of the box's width in CSS pixels, now and whenever the width or the theme changes. */
function drawWhenSized(box, draw) {
	let drawn = 0;

	new ResizeObserver(() => {
		if (box.clientWidth && box.clientWidth !== drawn) {
			drawn = box.clientWidth;
			draw(drawn);
		}
	}).observe(box);
	document.addEventListener("themechange", () => box.clientWidth && draw(box.clientWidth));
}

function themeColour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
