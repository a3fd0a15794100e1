// SPDX-License-Identifier: GPL-2.0-only
// Decodes blocks in a worker, which runs the page's own script; in the page itself where there can be none.

/* Returns a block's data, from the text in the page. */
async function tlDecode(text, begin) {
	return tlBlockDecode(await tlInflate(base64Bytes(text)), begin);
}

/* Collects the buffers of all arrays in a block's data. */
function tlBuffers(value, found) {
	if (ArrayBuffer.isView(value))
		found.add(value.buffer);
	else if (value instanceof Map)
		value.forEach((of) => tlBuffers(of, found));
	else if (value !== null && typeof value === "object")
		Object.values(value).forEach((of) => tlBuffers(of, found));
	return found;
}

/* Runs in the worker: receives a block, and sends its data back. */
function startWorker() {
	const worker = /** @type {any} */ (globalThis);

	worker.onmessage = async ({ data: { text, begin } }) => {
		try {
			const data = await tlDecode(text, begin);
			worker.postMessage({ data }, [...tlBuffers(data, new Set())]);
		} catch (error) {
			worker.postMessage({ failed: String(error.message) });
		}
	};
}

/* Decodes one block at a time. */
class TlDecoder {
	constructor(script) {
		this.script = script;
		this.worker = null;
		this.refused = false;
	}

	/* Starts the worker, which takes some ms.  A browser may refuse at once, or by an event later. */
	start() {
		if (this.worker || this.refused)
			return;
		try {
			const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
			this.worker = new Worker(address);
		} catch {
			this.refused = true;
		}
	}

	async decode(text, begin) {
		this.start();
		if (!this.worker)
			return tlDecode(text, begin);
		const answer = await new Promise((resolve) => {
			this.worker.onmessage = (event) => resolve(event.data);
			this.worker.onerror = (event) => {
				event.preventDefault();
				resolve(null);
			};
			this.worker.postMessage({ text, begin });
		});
		if (!answer) {
			this.worker = null;
			this.refused = true;
			return tlDecode(text, begin);
		}
		if (answer.failed)
			throw new Error(answer.failed);
		return answer.data;
	}
}
