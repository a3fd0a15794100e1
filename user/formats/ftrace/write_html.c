// SPDX-License-Identifier: GPL-2.0-only
/* Writes systrace's HTML: a page around ftrace's text, which Trace Viewer and Perfetto open. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/side.h"
#include "formats/ftrace/dump.h"
#include "formats/ftrace/write.h"
#include "util/list.h"
#include "util/utf8.h"

/* Both programs search for lines of this text; ftrace's text follows at once. */
static const char before[] =
	"<!DOCTYPE html>\n"
	"<html>\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<title>Trace</title>\n"
	"</head>\n"
	"<body>\n"
	"<p>This page holds a trace. Open it in Perfetto or in Trace Viewer; \"fxtrec page FILE -o page.html\" makes\n"
	"a page of it that a browser shows by itself.</p>\n";

static const char script_begin[] = "  <script class=\"trace-data\" type=\"application/text\">\n";
static const char script_end[] = "  </script>\n";

static const char behind[] =
	"</body>\n"
	"</html>\n";

/* Bytes of a line of the dump, without the name. */
#define DUMP_LINE_BYTES	64u

struct html_process {
	__u64 pid;
	__u64 parent;
	char *name;		/* name as in the dump, terminated */
	size_t room;
	struct html_process *next;	/* list in the order of their first names */
};

/*
 * State of the writer.  Perfetto reads nothing after the text, and names come until its end: the text is in a temporary
 * file until then.
 */
struct html_writer {
	struct fxt_conversion *c;
	struct fxt_ftrace_writer *text;
	struct fxt_out *out, *side;
	struct fxt_map processes;	/* processes by id, with their last names */
	struct html_process *first, *last;
	__u64 dump_bytes;
};

static void html_free(struct html_writer *h)
{
	fxt_side_close(h->side);
	fxt_map_uninit(&h->processes, NULL);
	free(h);
}

static void *html_open(struct fxt_conversion *c, struct fxt_out *out)
{
	struct html_writer *h = calloc(1, sizeof(*h));
	int err;

	if (!h)
		return NULL;
	h->c = c;
	h->out = out;
	h->processes.memory.spill = &c->spill;
	h->side = fxt_side_open(&c->spool, &err);
	if (h->side)
		h->text = fxt_ftrace_open(c, h->side, FXT_FTRACE_CLASSIC | FXT_FTRACE_IN_HTML);
	if (h->text)
		return h;
	html_free(h);
	return NULL;
}

static struct html_process *process_need(struct html_writer *h, __u64 pid)
{
	struct html_process *p = fxt_map_get(&h->processes, pid);

	if (p)
		return p;
	p = fxt_map_new(&h->processes, pid, sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	fxt_list_append(h->first, h->last, p);
	h->dump_bytes += DUMP_LINE_BYTES;
	return p;
}

/* Writes a name for the dump, terminated, in FXT_FTRACE_NAME_MAX + 1 bytes; the text's comment has the exact name. */
static size_t name_make(char *to, const struct fxt_text *name)
{
	size_t at = 0, bytes;

	while (at < name->length) {
		bytes = fxt_utf8_length(name->bytes + at, name->length - at);
		if (at + (bytes ? bytes : 1) > FXT_FTRACE_NAME_MAX)
			break;
		memcpy(to + at, name->bytes + at, bytes);
		if (bytes < 2 && (!bytes || name->bytes[at] <= ' ' || name->bytes[at] == 0x7f || name->bytes[at] == '<'))
			to[at] = '_';
		at += bytes ? bytes : 1;
	}
	to[at] = '\0';
	return at + 1;
}

static int name_set(struct html_writer *h, const struct fxt_record *r)
{
	char name[FXT_FTRACE_NAME_MAX + 1];
	struct html_process *p = process_need(h, r->object.koid);
	size_t bytes = name_make(name, &r->name);

	if (!p)
		return -ENOMEM;
	fxt_arg_number(fxt_record_arg(r, "parent"), &p->parent);
	if (bytes > p->room) {
		p->room = 2 * p->room < bytes ? bytes : 2 * p->room;
		h->dump_bytes += 2 * p->room;
		p->name = fxt_arena_alloc(&h->processes.memory, p->room);
	}
	if (!p->name)
		return -ENOMEM;
	memcpy(p->name, name, bytes);
	return 0;
}

static int html_put(void *state, const struct fxt_record *r)
{
	struct html_writer *h = state;
	int err = r->kind == FXT_KIND_KERNEL_OBJECT && r->object.type == FXT_OBJECT_PROCESS ? name_set(h, r) : 0;

	return err ? err : fxt_ftrace_put(h->text, r);
}

/* Writes the names of processes, which are in no line of the text, as systrace does. */
static void dump_write(struct html_writer *h)
{
	struct html_process *p;
	char line[DUMP_LINE_BYTES];

	if (!h->first)
		return;
	fxt_out_text(h->out, script_begin);
	fxt_out_text(h->out, FXT_DUMP_BEGIN "\n" FXT_DUMP_OURS "\n" FXT_DUMP_PROCESSES "\n");
	for (p = h->first; p; p = p->next) {
		snprintf(line, sizeof(line), "- %u %u 0 0 0 0 S ", fxt_ftrace_pid(h->text, p->pid),
			 fxt_ftrace_pid(h->text, p->parent));
		if (*p->name) {
			fxt_out_text(h->out, line);
			fxt_out_text(h->out, p->name);
			fxt_out_text(h->out, " ");
			fxt_out_text(h->out, p->name);
			fxt_out_text(h->out, "\n");
		}
	}
	fxt_out_text(h->out, script_end);
}

static int html_close(void *state, bool failed)
{
	struct html_writer *h = state;
	int err;

	if (!failed) {
		fxt_out_text(h->out, before);
		dump_write(h);
		fxt_out_text(h->out, script_begin);
	}
	err = fxt_ftrace_close(h->text, failed);
	if (!failed && !err)
		err = fxt_side_copy(h->side, h->out);
	if (!failed && !err) {
		fxt_out_text(h->out, script_end);
		fxt_out_text(h->out, behind);
	}
	html_free(h);
	return err;
}

static __u64 html_held(const void *state)
{
	const struct html_writer *h = state;

	return fxt_ftrace_held(h->text) + h->side->bytes + h->side->filled + h->dump_bytes + sizeof(before) + sizeof(behind) +
	       2 * (sizeof(script_begin) + sizeof(script_end));
}

const struct fxt_format_writer fxt_writer_html = {
	.open = html_open,
	.put = html_put,
	.close = html_close,
	.held = html_held,
	.growth = 3,
};
