// SPDX-License-Identifier: GPL-2.0-only
/* Windows of critical paths: in an array, or in a heap by their ends. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/path/steps.h"
#include "util/array.h"

int fxt_path_windows_put(struct fxt_path_windows *w, const struct fxt_path_window *window)
{
	int err = fxt_array_more(w->window, w->count);

	if (err)
		return err;
	w->window[w->count++] = *window;
	return 0;
}

int fxt_path_windows_put_ordered(struct fxt_path_windows *w, const struct fxt_path_window *window)
{
	size_t at = w->count;
	int err = fxt_path_windows_put(w, window);

	for (; !err && at && w->window[(at - 1) / 2].to > window->to; at = (at - 1) / 2)
		w->window[at] = w->window[(at - 1) / 2];
	if (!err)
		w->window[at] = *window;
	return err;
}

struct fxt_path_window fxt_path_windows_take_first(struct fxt_path_windows *w)
{
	struct fxt_path_window first = w->window[0], last = w->window[--w->count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < w->count) {
		if (child + 1 < w->count && w->window[child + 1].to < w->window[child].to)
			child++;
		if (w->window[child].to >= last.to)
			break;
		w->window[at] = w->window[child];
		at = child;
	}
	w->window[at] = last;
	return first;
}
