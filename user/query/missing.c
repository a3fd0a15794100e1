// SPDX-License-Identifier: GPL-2.0-only
/* Replaces all other files of this folder where SQLite is not installed: there are no queries. */
#include <errno.h>

#include "query/query.h"

struct fxt_query *fxt_query_open(const struct fxt_query_source *source)
{
	static char none;

	(void)source;
	return (struct fxt_query *)&none;
}

void fxt_query_close(struct fxt_query *q)
{
	(void)q;
}

const char *fxt_query_error(const struct fxt_query *q)
{
	(void)q;
	return "built without SQLite: install libsqlite3-dev and build again";
}

int fxt_query_prepare(struct fxt_query *q, const char *sql)
{
	(void)q;
	(void)sql;
	return -ENOSYS;
}

int fxt_query_print(struct fxt_query *q, enum fxt_query_format format, FILE *out)
{
	(void)q;
	(void)format;
	(void)out;
	return -ENOSYS;
}
