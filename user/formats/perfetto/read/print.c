// SPDX-License-Identifier: GPL-2.0-only
/* Reads text that programs wrote to trace_marker, and other events of bundles that the feed turns into records. */
#include <errno.h>

#include "formats/perfetto/read/bundle_cursor.h"

int fxt_pf_feed(struct fxt_pf_cursor *cur, __u32 tid, __u64 ns, struct fxt_feed_event *e)
{
	struct fxt_pf_reader *rd = cur->rd;
	__u32 process = fxt_pf_process_of(rd, tid);
	struct fxt_feed_thread *t;
	int err = fxt_pf_host_put(rd, ns);

	if (err)
		return err;
	*e = (struct fxt_feed_event){ .tid = tid, .cpu = cur->cpu->cpu, .ns = ns };
	t = fxt_feed_thread(&rd->feed, tid);
	if (!t)
		return fxt_error_set(&rd->c->error, E2BIG, "%s: more threads than can be kept", rd->in->name);
	return process ? fxt_feed_thread_process(&rd->feed, t, process, ns) : 0;
}

int fxt_pf_print(struct fxt_pf_cursor *cur, __u32 tid, const char *text, __u64 ns)
{
	struct fxt_pf_reader *rd = cur->rd;
	bool known = fxt_pf_process_of(rd, tid);
	const struct fxt_feed_thread *t;
	size_t length = strlen(text);
	struct fxt_feed_event e;
	int err = fxt_pf_feed(cur, tid, ns, &e);

	while (length && text[length - 1] == '\n')
		length--;
	if (!err)
		err = fxt_feed_print(&rd->feed, &e, fxt_span(text, length));
	if (err || known)
		return err;
	/* The mark may contain the thread's process. */
	t = fxt_feed_thread(&rd->feed, tid);
	return t && t->process_known && t->process ? fxt_pf_thread_named(rd, tid, t->process, "", &ns) : 0;
}
