// SPDX-License-Identifier: GPL-2.0-only
// The timeline's colours: the page's own, and one for each process and name.

const TL_DEFAULTS = {
	ground: "#f3f4f6", panel: "#ffffff", ink: "#1b1e23", faint: "#6b7280", line: "#d9dce1", accent: "#1a5fb4",
	run: "#2e9e5b", wait: "#e08a00", preempted: "#c65d00", sleep: "#e6e9ee", blocked: "#b3261e", stopped: "#8a6fb0",
	throttled: "#7a5230",
	unknown: "#b8bcc4", idle: "#f3f4f6", irq: "#7b4fc4", lost: "#d0268f", lock: "#c2255c", disk: "#6a3fb5",
	network: "#1f78c8", pipe: "#0b7f96", memory: "#6f7d0c", child: "#51678a", kernel: "#878d94", reasonless: "#a1917a",
};

/* Legend of threads: where a pixel has many states, their shares of its time are stacked. */
const TL_LEGEND = [["--run", "running"], ["--wait", "runnable, waits for a CPU"], ["--preempted", "preempted"],
	["--throttled", "throttled: its group has used its share"],
	["--blocked", "uninterruptible sleep"], ["--sleep", "sleeps"], ["--stopped", "stopped"], ["--unknown", "not known"]];

/* Classes of sleeps with a reason: colour and meaning.  TL_THIN: a line, as nobody works for them. */
const TL_CLASSES = new Map([["lock", ["lock", "a lock"]], ["disk", ["disk", "files and disks"]], ["network", ["network", "the network"]],
	["pipe", ["pipe", "pipes and messages"]], ["memory", ["memory", "memory"]], ["child", ["child", "a child's or thread's end"]],
	["kernel", ["kernel", "kernel threads and other kernel work"]], ["stopped", ["stopped", "stopped"]], ["idle", ["sleep", "work, or a time"]],
	["unknown", ["reasonless", "unknown"]]]);
const TL_THIN = ["kernel", "idle", "unknown"];

/* Returns the class of a thread's state; null: it isn't a sleep, or the trace has no reasons. */
function tlClass(head, phase, reason) {
	if (head.reasons.length < 2 || phase < TL_SLEEP || phase > TL_TRACED)
		return null;
	return phase >= TL_STOPPED ? "stopped" : head.reasons[reason].class;
}

/* Returns the present colours, light or dark. */
function tlColors() {
	const style = getComputedStyle(document.documentElement), colors = {};

	for (const [name, value] of Object.entries(TL_DEFAULTS))
		colors[name] = style.getPropertyValue(`--${name}`).trim() || value;
	/* The picture is on a panel, like the page's cards. */
	[colors.ground, colors.label] = [colors.panel, colors.ground];
	const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	probe.fillStyle = colors.ground;
	probe.fillRect(0, 0, 1, 1);
	const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
	colors.dark = red + green + blue < 384;
	colors.hues = makePalette(colors.dark);
	colors.inks = new Map();
	colors.words = new Map();
	return colors;
}

/* Returns a CSS colour's luminance, as the contrast of WCAG 2.1 weighs it: 0 is black, 1 white. */
function tlLuminance(color) {
	const parts = [...colourParts(color)].slice(0, 3).map((part) => part / 255)
		.map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

	return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/* Returns the colour of text on a colour: near black or white, the one with the greater contrast. */
function tlInkOn(colors, color) {
	if (!colors.inks.has(color))
		colors.inks.set(color, tlLuminance(color) > 0.18 ? "#0b0d10" : "#ffffff");
	return colors.inks.get(color);
}

/* Returns the colour of a name by its number: the same for the same number, and far from the next number's. */
function tlHue(colors, number) {
	return colors.hues[(Math.imul(number, 0x9e3779b1) >>> 16) % HUES * SHADES];
}

/* Phases by number: colour, letter, name. */
const TL_PHASES = [
	["unknown", "?", "Not known"], ["run", "", "Running"], ["wait", "R", "Runnable: waits for a CPU since it was woken"],
	["preempted", "R+", "Runnable: preempted"], ["sleep", "S", "Sleeping"], ["sleep", "I", "Idle"], ["sleep", "P", "Parked"],
	["blocked", "D", "Uninterruptible sleep"], ["stopped", "T", "Stopped"], ["stopped", "t", "Stopped by a tracer"],
	["throttled", "R", "Throttled: its control group has used its share"],
];
const TL_SHORT = ["not known", "Running", "Runnable", "Preempted", "Sleeping", "Idle", "Parked", "Blocked", "Stopped", "Traced",
	"Throttled"];
