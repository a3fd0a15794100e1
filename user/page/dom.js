// SPDX-License-Identifier: GPL-2.0-only
// Elements: text is only ever set as text.

/* An element with attributes and children, which are elements, or text. */
function make(name, attributes, ...children) {
	const element = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(key, value === true ? "" : String(value));
	element.append(...children.map((child) => child instanceof Node ? child : String(child)));
	return element;
}
