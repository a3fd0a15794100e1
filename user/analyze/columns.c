// SPDX-License-Identifier: GPL-2.0-only
/* The columns of a report. */
#include <string.h>

#include "analyze/columns.h"

#define COLUMN(id, text, of_kind, of_group, value, ...)	\
	[FXT_COLUMN_##id] = { .name = text, .kind = FXT_KIND_##of_kind, .group = FXT_GROUP_##of_group, __VA_ARGS__ },
#define COLUMN_NAME(id, text, ...)	text,
const struct fxt_column fxt_columns[] = { FXT_REPORT_COLUMNS(COLUMN) };
const char *const fxt_report_column_names[] = { FXT_REPORT_COLUMNS(COLUMN_NAME) NULL };

void fxt_columns_by_group(enum fxt_report_column columns[])
{
	enum fxt_column_group group;
	unsigned int c, count = 0;

	for (group = 0; group < FXT_GROUPS; group++)
		for (c = 0; c < FXT_COLUMNS; c++)
			if (fxt_columns[c].group == group)
				columns[count++] = c;
}

enum fxt_report_column fxt_report_column_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < FXT_COLUMNS && strcmp(fxt_columns[i].name, name); i++)
		;
	return i;
}
