// SPDX-License-Identifier: GPL-2.0-only
/* What programs wrote to trace_marker, in bundles: read as in ftrace's text. */
#include <errno.h>

#include "formats/ftrace/read.h"
#include "formats/ftrace/text.h"
#include "formats/perfetto/read/bundle_cursor.h"

/* Reads what ftrace's text has as well; NULL without memory. */
static struct fxt_ftrace_parser *parser_of(struct fxt_pf_reader *rd)
{
	if (!rd->marks) {
		rd->marks = fxt_ftrace_parser_open(rd->c, rd->in->name);
		if (rd->marks)
			fxt_ftrace_parser_nameless(rd->marks);
	}
	return rd->marks;
}

int fxt_pf_parser_line(struct fxt_pf_cursor *cur, __u32 tid, __u64 ns, struct fxt_ftrace_line *line)
{
	struct fxt_pf_reader *rd = cur->rd;
	struct fxt_ftrace_parser *p = parser_of(rd);
	__u32 process = fxt_pf_process_of(rd, tid);
	struct fxt_ftrace_task *t;
	int err;

	if (!p)
		return -ENOMEM;
	err = fxt_pf_host_put(rd, ns);
	if (err)
		return err;
	*line = (struct fxt_ftrace_line){ .tid = tid, .cpu = cur->cpu->cpu, .ns = ns };
	p->names = rd->calls;
	t = fxt_ftrace_task(p, tid);
	if (!t)
		return fxt_error_set(&rd->c->error, E2BIG, "%s: more threads than can be kept", rd->in->name);
	return process ? fxt_ftrace_task_process(p, t, process, ns) : 0;
}

int fxt_pf_print(struct fxt_pf_cursor *cur, __u32 tid, const char *text, __u64 ns)
{
	struct fxt_pf_reader *rd = cur->rd;
	struct fxt_ftrace_marker m = {
		.tid = tid,
		.process = fxt_pf_process_of(rd, tid),
		.cpu = cur->cpu->cpu,
		.ns = ns,
	};
	bool known = m.process;
	size_t length = strlen(text);
	int err;

	if (!parser_of(rd))
		return -ENOMEM;
	while (length && text[length - 1] == '\n')
		length--;
	err = fxt_pf_host_put(rd, ns);
	if (!err)
		err = fxt_ftrace_parser_mark(rd->marks, &m, text, length);
	if (err || known || !m.process)
		return err;
	return fxt_pf_thread_named(rd, tid, m.process, "", &ns);
}
