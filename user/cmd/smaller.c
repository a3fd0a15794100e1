// SPDX-License-Identifier: GPL-2.0-only
/*
 * The smaller executable, in place of larger.c and of the commands that need other libraries.  A start loads all
 * libraries that an executable is linked with: a recording took 5 ms and 5 MB for libraries that it doesn't use.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/larger.h"
#include "cmd/page.h"
#include "util/program.h"
#include "util/report.h"

static char **command_line;

void cmd_larger_init(int argc, char **argv)
{
	command_line = calloc(argc + 1, sizeof(*argv));
	if (command_line)
		memcpy(command_line, argv, argc * sizeof(*argv));
}

bool cmd_larger(void)
{
	/* Where make has it, and where it is installed, from this executable's folder. */
	static const char *const places[] = { "fxtrec-larger", "../libexec/fxtrec/fxtrec-larger" };
	char own[PATH_MAX], path[2 * PATH_MAX], *name;
	size_t i;

	if (!command_line || fxt_program_path(own, sizeof(own)) || !(name = strrchr(own, '/')))
		return false;
	*name = '\0';
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s/%s", own, places[i]);
		execv(path, command_line);
	}
	return false;
}

#define MISSING(command)								\
const struct argp cmd_##command##_argp = { .doc = "This command is " FXT_PROGRAM_MISSING "." };	\
int cmd_##command(int argc, char **argv)					\
{										\
	(void)argc;								\
	return fxt_report("%s is " FXT_PROGRAM_MISSING, argv[0]);				\
}
MISSING(top)
MISSING(query)
MISSING(page)
MISSING(open)
MISSING(mcp)
MISSING(gate)

int cmd_page_make(char *file, char *page)
{
	return fxt_report("%s: no page of it, %s: the page is " FXT_PROGRAM_MISSING, file, page);
}

char *cmd_page_name(const char *path)
{
	return strdup(path);
}
