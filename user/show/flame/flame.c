// SPDX-License-Identifier: GPL-2.0-only
/* Time asleep by stack, as folded lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/flame/flame.h"
#include "util/array.h"
#include "util/buffer.h"
#include "util/utf8.h"

static int line_compare(const void *a, const void *b)
{
	return strcmp(((const struct fxt_flame_line *)a)->text, ((const struct fxt_flame_line *)b)->text);
}

/* Copies a frame's name; replaces ';' and line breaks, which separate frames and stacks. */
static void frame_put(struct fxt_buffer *to, const char *name, size_t length)
{
	size_t bytes;
	bool shown;

	for (; length; name += bytes, length -= bytes) {
		bytes = fxt_utf8_shown(name, length, &shown);
		if (*name == ';' || !shown)
			fxt_buffer_put(to, shown ? ":" : "?", 1);
		else
			fxt_buffer_put(to, name, bytes);
	}
}

/* Builds "process;thread;outermost;...;innermost", terminated. */
static int line_build(struct fxt_buffer *to, const struct fxt_flame_place *place)
{
	const struct fxt_task *task = place->task;
	const char *process = task->name, *end, *at;

	if (task->process)
		process = task->process->name[0] ? task->process->name : process;
	frame_put(to, process, strlen(process));
	fxt_buffer_put(to, ";", 1);
	frame_put(to, task->name, strlen(task->name));
	for (end = place->stack + strlen(place->stack); end > place->stack; end = at > place->stack ? at - 3 : at) {
		for (at = end; at > place->stack && (at < place->stack + 3 || memcmp(at - 3, " < ", 3)); at--)
			;
		fxt_buffer_put(to, ";", 1);
		frame_put(to, at, end - at);
	}
	fxt_buffer_put(to, "", 1);
	return to->failed ? -ENOMEM : 0;
}

static int line_add(struct fxt_flame_lines *l, const char *text, __u64 ns)
{
	int err = fxt_array_more(l->line, l->count);

	if (err)
		return err;
	l->line[l->count++] = (struct fxt_flame_line){ text, ns };
	l->ns += ns;
	return 0;
}

/* Merges lines of the same text. */
static void lines_merge(struct fxt_flame_lines *l)
{
	size_t from, to = 0;

	if (!l->count)
		return;
	qsort(l->line, l->count, sizeof(*l->line), line_compare);
	for (from = 1; from < l->count; from++) {
		if (!strcmp(l->line[from].text, l->line[to].text))
			l->line[to].ns += l->line[from].ns;
		else
			l->line[++to] = l->line[from];
	}
	l->count = to + 1;
}

/* Adds the host's name or number, for several machines. */
static void host_put(struct fxt_buffer *to, const struct fxt_origin *o)
{
	char number[32];
	int length = snprintf(number, sizeof(number), "machine %u", o->m->tasks.machine);

	if (o->host)
		frame_put(to, o->host, strlen(o->host));
	else
		frame_put(to, number, length);
	fxt_buffer_put(to, ";", 1);
}

static int machine_add(struct fxt_flame_lines *l, const struct fxt_flame *f, const struct fxt_origin *host, bool all)
{
	struct fxt_flame_place *place;
	struct fxt_buffer buffer = { 0 };
	int err = 0;

	for (place = f->first; place && !err; place = place->next) {
		struct fxt_text text;
		const char *copy;

		if (!fxt_selection_task(f->selection, place->task))
			continue;
		if (!all && fxt_flame_idle(f, place)) {
			l->idle += place->ns;
			continue;
		}
		buffer.length = 0;
		if (host)
			host_put(&buffer, host);
		err = line_build(&buffer, place);
		if (err)
			break;
		text = (struct fxt_text){ .bytes = buffer.bytes, .length = buffer.length - 1 };
		copy = fxt_tasks_text(&f->m->tasks, &text);
		err = copy ? line_add(l, copy, place->ns) : -ENOMEM;
	}
	fxt_buffer_uninit(&buffer);
	return err;
}

int fxt_flame_lines_init(struct fxt_flame_lines *l, const struct fxt_flame *flames,
			 const struct fxt_origins *origins, bool all)
{
	__u32 i;
	int err = 0;

	*l = (struct fxt_flame_lines){ 0 };
	for (i = 0; i < origins->count && !err; i++)
		err = machine_add(l, &flames[i], origins->count > 1 ? origins->of[i] : NULL, all);
	lines_merge(l);
	return err;
}

void fxt_flame_lines_uninit(struct fxt_flame_lines *l)
{
	free(l->line);
}

void fxt_flame_folded(FILE *out, const struct fxt_flame_lines *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		fprintf(out, "%s %llu\n", l->line[i].text, l->line[i].ns);
}
