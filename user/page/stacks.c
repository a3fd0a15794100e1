// SPDX-License-Identifier: GPL-2.0-only
/* Time asleep by stack, for the page's flame graph. */
#include <stdlib.h>
#include <string.h>

#include "page/stacks.h"
#include "show/flame/flame.h"
#include "util/json_writer.h"

#define LINES_MAX	2000u
#define BYTES_MAX	((size_t)1 << 20)

static int longest(const void *a, const void *b)
{
	const struct fxt_flame_line *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return strcmp(x->text, y->text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct fxt_flame_line *)a)->text, ((const struct fxt_flame_line *)b)->text);
}

/* Keeps the longest lines; returns the time of the others. */
static __u64 lines_cut(struct fxt_flame_lines *l)
{
	size_t kept = 0, bytes = 0;
	__u64 ns = l->ns;

	if (!l->count)
		return 0;
	qsort(l->line, l->count, sizeof(*l->line), longest);
	while (kept < l->count && kept < LINES_MAX && (bytes += strlen(l->line[kept].text)) <= BYTES_MAX)
		ns -= l->line[kept++].ns;
	l->count = kept;
	qsort(l->line, l->count, sizeof(*l->line), by_text);
	return ns;
}

static void stacks_json(struct fxt_json_writer *w, const struct fxt_flame *f, struct fxt_flame_lines *l)
{
	size_t i;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "ns", l->ns);
	fxt_json_put_number(w, "idle_ns", l->idle);
	fxt_json_put_number(w, "unknown_ns", f->unknown);
	fxt_json_put_number(w, "left_out_ns", lines_cut(l));
	fxt_json_key(w, "lines");
	fxt_json_open(w, '[');
	for (i = 0; i < l->count; i++) {
		fxt_json_open(w, '[');
		fxt_json_string(w, l->line[i].text, strlen(l->line[i].text));
		fxt_json_number(w, l->line[i].ns);
		fxt_json_close(w, ']');
	}
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
}

int fxt_page_stacks_write(struct fxt_page *page, const struct fxt_flame *f, const struct fxt_origins *origins)
{
	struct fxt_json_writer w = { 0 };
	struct fxt_flame_lines lines;
	int err = fxt_flame_lines_init(&lines, f, origins, false);

	if (!err) {
		stacks_json(&w, f, &lines);
		err = fxt_page_json(page, "stacks", &w);
	}
	fxt_flame_lines_uninit(&lines);
	return err;
}
