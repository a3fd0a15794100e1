// SPDX-License-Identifier: GPL-2.0-only
/* "fxtrec record --page": makes the page of the recorded file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/page.h"
#include "cmd/record.h"
#include "util/report.h"

int cmd_record_page(const struct fxt_record_options *o)
{
	char *file = strdup(o->path), *page = *o->page ? strdup(o->page) : cmd_page_name(o->path);
	int status = FXT_FAILED;

	if (!file || !page)
		fxt_report("no memory");
	else if (!strcmp(file, page))
		fxt_report("%s: the recording has this name: --page=PAGE gives another one", page);
	else
		status = cmd_page_make(file, page);
	free(file);
	free(page);
	return status;
}
