// SPDX-License-Identifier: GPL-2.0-only
// Waits of known kinds in a program of Node, with a log of the waits: runtime_waits.js FILE.  The program that starts
// this one writes bytes to its input, once this one is ready.
"use strict";
const fs = require("fs"), timers = require("timers/promises");
const file = fs.openSync(process.argv[2], "w"), lines = [], word = new Int32Array(new SharedArrayBuffer(4));

async function waits(call, wait) {
	for (let i = 0; i < 20; i++) {
		const from = process.hrtime.bigint();
		await wait();
		lines.push(`wait ${process.pid} ${from} ${process.hrtime.bigint()} ${call}`);
	}
}

fs.writeSync(1, "ready\n");
(async () => {
	await waits("read", () => fs.readSync(0, Buffer.alloc(1)));
	await waits("fsync", () => { fs.writeSync(file, "x".repeat(4096), 0); fs.fsyncSync(file); });
	await waits("futex", () => Atomics.wait(word, 0, 0, 20));
	await waits("epoll_wait", () => timers.setTimeout(20));
	await waits("epoll_wait", () => fs.promises.readFile(process.argv[2]));
	console.log(lines.join("\n") + "\npid " + process.pid);
})();
