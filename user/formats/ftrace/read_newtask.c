// SPDX-License-Identifier: GPL-2.0-only
/* Reads new threads and new names of ftrace's text. */
#include <errno.h>

#include "feed/fields.h"
#include "formats/ftrace/read.h"

static const struct newtask_keys {
	const char *pid, *comm, *flags;
} newtask_keys[] = {
#define ROW(pid, comm, flags)	{ pid "=", " " comm "=", " " flags "=" },
	FXT_FIELDS_NEWTASK(ROW)
#undef ROW
};

/* Removes all bytes up to the last occurrence of a key, and the key: a name before it may contain the key. */
static bool name_before(struct fxt_span *s, const char *key, struct fxt_span *name)
{
	size_t bytes = strlen(key), i = s->bytes;

	for (; i >= bytes; i--) {
		if (memcmp(s->at + i - bytes, key, bytes))
			continue;
		*name = fxt_span(s->at, i - bytes);
		s->at += i;
		s->bytes -= i;
		return true;
	}
	return false;
}

/*
 * Finds the new name in "OLD newcomm=NEW", where each name may contain the key: it follows the thread's known name, or
 * the first split into two short enough names, or the first split.
 */
static bool new_name(const struct fxt_feed_thread *t, struct fxt_span both, struct fxt_span *name)
{
	static const char key[] = " newcomm=";
	const char *from = both.at, *end = both.at + both.bytes, *at;
	bool fits = false;

	name->at = NULL;
	for (; (at = memmem(from, end - from, key, strlen(key))); from = at + 1) {
		size_t old = at - both.at;
		struct fxt_span rest = fxt_span(at + strlen(key), end - at - strlen(key));

		if (t->name_bytes && t->name_bytes == old && !memcmp(t->name, both.at, old)) {
			*name = rest;
			return true;
		}
		if (!name->at || (!fits && old <= FXT_FTRACE_COMM_BYTES && rest.bytes <= FXT_FTRACE_COMM_BYTES)) {
			*name = rest;
			fits = old <= FXT_FTRACE_COMM_BYTES && rest.bytes <= FXT_FTRACE_COMM_BYTES;
		}
	}
	return name->at;
}

/* Parses "pid=11 comm=srv clone_flags=3d0f00 oom_score_adj=0". */
static bool newtask_fields(const struct fxt_ftrace_line *line, const struct newtask_keys *k, __u32 *tid,
			   struct fxt_span *name, __u64 *flags)
{
	struct fxt_span s = line->fields;

	return fxt_span_skip(&s, k->pid) && fxt_span_u32(&s, tid) && fxt_span_skip(&s, k->comm) &&
	       name_before(&s, k->flags, name) &&
	       (line->decimal ? fxt_span_number(&s, flags) : fxt_span_hex(&s, flags));
}

int fxt_ftrace_read_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	const struct newtask_keys *k;
	struct fxt_span name;
	__u64 flags;
	__u32 tid;
	int err;

	for (FXT_FTRACE_EACH(k, newtask_keys)) {
		if (!newtask_fields(line, k, &tid, &name, &flags))
			continue;
		err = fxt_feed_newtask(&p->feed, &line->head, tid, flags, name);
		return err ? err : fxt_ftrace_read_other(p, line);
	}
	return 1;
}

/* Reads "pid=11 oldcomm=srv newcomm=worker oom_score_adj=0", since 6.16 without "pid=". */
int fxt_ftrace_read_rename(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields, both, name;
	struct fxt_feed_thread *t;
	__u32 tid = line->head.tid;
	int err;

	if (fxt_span_skip(&s, "pid=") && !(fxt_span_u32(&s, &tid) && fxt_span_skip(&s, " ")))
		return 1;
	if (!fxt_span_skip(&s, "oldcomm=") || !name_before(&s, " oom_score_adj=", &both))
		return 1;
	t = fxt_feed_thread(&p->feed, tid);
	if (!t)
		return -E2BIG;
	if (!new_name(t, both, &name))
		return 1;
	err = fxt_feed_named(&p->feed, &line->head, tid, 0, name);
	return err ? err : fxt_ftrace_read_other(p, line);
}
