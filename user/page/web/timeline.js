// SPDX-License-Identifier: GPL-2.0-only
// Starts the timeline.

/* Starts the timeline.  root: an empty section; data: that of main.js. */
async function startTimeline(root, data) {
	try {
		const head = await tlHead();
		if (!head) {
			root.hidden = true;
			return;
		}
		const view = new TlView(root, head, data);
		tlPointerInit(view);
		tlKeyInit(view);
		tlSearchInit(view);
		for (const painter of [view.painter, view.axis])
			document.addEventListener("themechange", () => painter.themed());
		document.addEventListener("themechange", () => view.dirty());
		/* Paper has the light colours, and waits for no frame. */
		addEventListener("beforeprint", () => view.paint());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			view.painter.themed();
			view.axis.themed();
			view.dirty();
		});
		new ResizeObserver(() => view.dirty()).observe(view.dom.scroll);
		view.paint();
		performance.mark("fxtrec-first-picture");
		requestIdleCallback(() => view.store.decoder.start());
		await tlLinkInit(view);
	} catch (error) {
		root.replaceChildren(make("p", { role: "alert" }, `The timeline can't be shown: ${error.message}`));
		throw error;
	}
}
