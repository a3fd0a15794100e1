// SPDX-License-Identifier: GPL-2.0-only
// The page's script and its blocks of data.

/* Text of the script itself; in a worker, there is no document. */
const PAGE_SCRIPT = globalThis.document ? document.currentScript.textContent : "";

/*
 * Parses JSON exactly: times in ns and ids may be beyond 2^53, where a Number isn't exact, so integers of 16 digits and
 * more become BigInt, all others Number.
 */
function exactJson(text) {
	const marked = text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g,
		(part) => part[0] === '"' ? part : `{"$big":"${part}"}`);

	return JSON.parse(marked, (_, value) => value !== null && typeof value === "object" &&
		typeof value.$big === "string" ? BigInt(value.$big) : value);
}

function pageJson(id) {
	const block = document.getElementById(id);

	return block && exactJson(block.textContent);
}

/* Returns the text of a block of Base64; null where there is no such block. */
function pageText(id) {
	const block = document.getElementById(id);

	return block && block.textContent;
}

function base64Bytes(base64) {
	const decode = Reflect.get(Uint8Array, "fromBase64");

	/* Newer browsers have their own decoder. */
	if (decode)
		return decode.call(Uint8Array, base64);
	const text = atob(base64), bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}
