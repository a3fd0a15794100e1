// SPDX-License-Identifier: GPL-2.0-only
// Tables: heads that sort, rows that are shown on demand.

/*
 * columns: { title, hint, number, cell(row) -> td, sort(row) -> number or text }; without sort a column doesn't
 * sort.  options: caption, shown (rows at first), sorted (the column's index), compact (no wider than it
 * has to be).  Returns { element, show(rows) }, the latter for others than the first ones.
 */
function makeTable(columns, rows, options) {
	const body = make("tbody", {}), more = make("p", { class: "more" });
	const heads = columns.map((column) => make("th", { scope: "col", class: column.number ? "number" : null, title: column.hint },
		column.sort ? make("button", { type: "button", class: "head" }, column.title) : column.title));
	const box = make("div", { class: "table", tabindex: 0, role: "region", "aria-label": options.caption },
		make("table", {}, make("caption", {}, options.caption), make("thead", {}, make("tr", {}, ...heads)), body));
	const state = { rows, all: false, by: options.sorted === undefined ? -1 : options.sorted, up: false };

	function fillRows() {
		const sorted = state.by < 0 ? state.rows : sortRows(state.rows, columns[state.by].sort, state.up);
		const shown = state.all ? sorted : sorted.slice(0, options.shown || 12);

		body.replaceChildren(...shown.map((row) => make("tr", {}, ...columns.map((column) => column.cell(row)))));
		more.replaceChildren();
		if (shown.length < sorted.length || (state.all && sorted.length > (options.shown || 12)))
			more.append(makeButton(state.all ? "Show fewer" : `Show all ${formatCount(sorted.length)}`, () => {
				state.all = !state.all;
				fillRows();
			}));
		heads.forEach((head, i) => {
			if (i === state.by)
				head.setAttribute("aria-sort", state.up ? "ascending" : "descending");
			else
				head.removeAttribute("aria-sort");
		});
	}
	heads.forEach((head, i) => columns[i].sort && head.firstChild.addEventListener("click", () => {
		state.up = state.by === i ? !state.up : !columns[i].number;
		state.by = i;
		fillRows();
	}));
	fillRows();
	return {
		element: make("div", { class: options.compact ? "tablebox compact" : "tablebox" }, box, more),
		show(others) {
			state.rows = others;
			fillRows();
		},
	};
}

function sortRows(rows, value, up) {
	const keyed = rows.map((row, i) => [value(row), i, row]);

	keyed.sort((a, b) => {
		const order = typeof a[0] === "string" ? a[0].localeCompare(b[0]) : Number(a[0]) - Number(b[0]);

		return (up ? order : -order) || a[1] - b[1];
	});
	return keyed.map((entry) => entry[2]);
}
