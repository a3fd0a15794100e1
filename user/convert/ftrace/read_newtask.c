// SPDX-License-Identifier: GPL-2.0-only
/* New threads and new names, in ftrace's text and in other recorders' files. */
#include <errno.h>
#include <linux/sched.h>

#include "convert/ftrace/read.h"

int fxt_ftrace_named(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 tid, __u32 process,
		     struct fxt_span name)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(p, tid);
	int err = t ? 0 : -E2BIG;

	if (!err && process)
		err = fxt_ftrace_task_process(p, t, process, line->ns);
	return err ? err : fxt_ftrace_task_name(p, t, name, line->ns, true);
}

int fxt_ftrace_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 tid, __u64 flags,
		       struct fxt_span name)
{
	struct fxt_ftrace_task *creator = line->nobody ? NULL : fxt_ftrace_task(p, line->tid);
	__u32 process = tid;

	if (!creator && !line->nobody)
		return -E2BIG;
	if (flags & CLONE_THREAD)
		process = creator ? fxt_ftrace_process_of(creator) : 0;
	return fxt_ftrace_named(p, line, tid, process, name);
}

/* Removes a name, which may have spaces, and the key behind it. */
static bool name_before(struct fxt_span *s, const char *key, struct fxt_span *name)
{
	const char *end = memmem(s->at, s->bytes, key, strlen(key));

	if (!end)
		return false;
	*name = fxt_span(s->at, end - s->at);
	s->bytes -= name->bytes + strlen(key);
	s->at = end + strlen(key);
	return true;
}

/* "pid=11 comm=srv clone_flags=3d0f00 oom_score_adj=0" */
int fxt_ftrace_read_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields, name;
	__u64 flags;
	__u32 tid;
	int err;

	if (!fxt_span_skip(&s, "pid=") || !fxt_span_u32(&s, &tid) || !fxt_span_skip(&s, " comm=") ||
	    !name_before(&s, " clone_flags=", &name) || !fxt_span_hex(&s, &flags))
		return 1;
	err = fxt_ftrace_newtask(p, line, tid, flags, name);
	return err ? err : fxt_ftrace_read_other(p, line);
}

/* "pid=11 oldcomm=srv newcomm=worker oom_score_adj=0", since 6.16 without "pid=" */
int fxt_ftrace_read_rename(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields, old, name;
	__u32 tid = line->tid;
	int err;

	if (fxt_span_skip(&s, "pid=") && !(fxt_span_u32(&s, &tid) && fxt_span_skip(&s, " ")))
		return 1;
	if (!fxt_span_skip(&s, "oldcomm=") || !name_before(&s, " newcomm=", &old) ||
	    !name_before(&s, " oom_score_adj=", &name))
		return 1;
	err = fxt_ftrace_named(p, line, tid, 0, name);
	return err ? err : fxt_ftrace_read_other(p, line);
}
