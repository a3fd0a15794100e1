// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of object: the names of the files, pipes and sockets that threads wait for. */
#include "query/scan.h"

/* Puts a row of object: ts, object, name, machine. */
static int object_put(void *scan, const struct fxt_sleep_reason *reason, __u64 ns)
{
	char object[FXT_WAIT_OBJECT_BYTES], name[FXT_WAIT_NAME_BYTES];
	struct fxt_query_scan *s = scan;
	struct fxt_machine *m = s->pass->m;
	struct fxt_query_row row = { 0 };

	fxt_wait_name(name, &m->wait_names, &m->tasks, reason);
	if (!*name)
		return 0;
	row.v[0] = fxt_query_number(ns);
	row.v[1] = fxt_query_text(s, fxt_wait_object(object, reason));
	row.v[2] = fxt_query_text(s, name);
	row.v[3] = fxt_query_number(m->tasks.machine);
	return fxt_query_row_put(s, &row);
}

static int finish(struct fxt_query_scan *s)
{
	return fxt_wait_names_each(&s->pass->m->wait_names, object_put, s);
}

const struct fxt_query_table fxt_query_object = {
	.name = "object",
	.columns = "ts,object,name,machine",
	.finish = finish,
};
