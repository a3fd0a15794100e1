// SPDX-License-Identifier: GPL-2.0-only
// Tables: heads that sort, rows that are shown on demand.

/*
 * Makes a table.  columns: { title, hint, number, cell(row) -> td, sort(row) -> number or text }; a column without sort
 * doesn't sort.  options: caption, shown (rows at first), sorted (the column's index), compact (as narrow as possible),
 * stack (in a narrow window, a row becomes lines).  Returns { element, show(rows) }; show() replaces the rows.
 */
function makeTable(columns, rows, options) {
	const body = make("tbody", { role: "rowgroup" }), more = make("p", { class: "more" });
	const heads = columns.map((column) => make("th", { scope: "col", role: "columnheader", title: column.hint,
		class: column.number ? "number" : null },
		column.sort ? make("button", { type: "button", class: "head" }, column.title) : column.title));
	const box = make("div", { class: "table", tabindex: 0, role: "region", "aria-label": options.caption },
		make("table", { role: "table" }, make("caption", {}, options.caption),
			make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)), body));
	const state = { rows, all: false, by: options.sorted === undefined ? -1 : options.sorted, up: false };

	function fillRows() {
		const sorted = state.by < 0 ? state.rows : sortRows(state.rows, columns[state.by].sort, state.up);
		const shown = state.all ? sorted : sorted.slice(0, options.shown || 12);

		body.replaceChildren(...shown.map((row) =>
			make("tr", { role: "row" }, ...columns.map((column) => cellOf(column, row)))));
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
		element: make("div", { class: ["tablebox", options.compact && "compact", options.stack && "stack"]
			.filter((word) => word).join(" ") }, box, more),
		show(others) {
			state.rows = others;
			fillRows();
		},
	};
}

/* Returns the table's element, or a text where there are no rows. */
function makeTableOr(text, columns, rows, options) {
	return rows.length ? makeTable(columns, rows, options).element : make("p", { class: "none" }, text);
}

/* Returns a cell with its role and its column's title, which don't depend on the layout. */
function cellOf(column, row) {
	const cell = column.cell(row);

	cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
	cell.dataset.title = column.title;
	return cell;
}

function sortRows(rows, value, up) {
	const keyed = rows.map((row, i) => [value(row), i, row]);

	keyed.sort((a, b) => {
		const order = typeof a[0] === "string" ? a[0].localeCompare(b[0]) : Number(a[0]) - Number(b[0]);

		return (up ? order : -order) || a[1] - b[1];
	});
	return keyed.map((entry) => entry[2]);
}
