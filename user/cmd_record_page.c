// SPDX-License-Identifier: GPL-2.0-only
/* "fxtrec record --page": the page of the file that was recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_page.h"
#include "cmd_record.h"
#include "util/report.h"

/* The recording's name with another suffix; to be freed.  NULL without memory. */
static char *page_name(const char *path)
{
	size_t length = strlen(path), end;
	char *name;

	if (fxt_path_ends(path, length, ".gz"))
		length -= 3;
	else if (fxt_path_ends(path, length, ".zst"))
		length -= 4;
	for (end = length; end && path[end - 1] != '.' && path[end - 1] != '/'; end--)
		;
	if (end > 1 && path[end - 1] == '.' && path[end - 2] != '/')
		length = end - 1;
	return asprintf(&name, "%.*s.html", (int)length, path) < 0 ? NULL : name;
}

int cmd_record_page(const struct fxt_record_options *o)
{
	char *file = strdup(o->path), *page = *o->page ? strdup(o->page) : page_name(o->path);
	int status = FXT_FAILED;

	if (!file || !page)
		fxt_report("no memory");
	else if (!strcmp(file, page))
		fxt_report("%s: the recording has this name: --page=PAGE gives another one", page);
	else
		status = cmd_page_make(file, page);
	if (!status)
		fxt_report("%s: a page that shows it", page);
	free(file);
	free(page);
	return status;
}
