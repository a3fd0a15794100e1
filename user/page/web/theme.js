// SPDX-License-Identifier: GPL-2.0-only
// Light and dark: the system's preference, until the switch changes it; paper is light.

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	setPalette(theme === "dark");
	document.dispatchEvent(new Event("themechange"));
}

/* Adds the switch. */
function startTheme() {
	const system = matchMedia("(prefers-color-scheme: dark)");
	const button = makeButton("", () => choose(current() === "dark" ? "light" : "dark"), { id: "theme" });
	let chosen = null;

	function current() {
		return chosen || (system.matches ? "dark" : "light");
	}
	function choose(theme) {
		chosen = theme;
		button.textContent = current() === "dark" ? "Light" : "Dark";
		button.setAttribute("aria-label", `Switch to ${current() === "dark" ? "light" : "dark"} colours`);
		setTheme(current());
	}
	system.addEventListener("change", () => choose(chosen));
	addEventListener("beforeprint", () => setTheme("light"));
	addEventListener("afterprint", () => setTheme(current()));
	choose(null);
	return button;
}
