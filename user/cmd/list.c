// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec list: lists the events of "fxtrec record -e", and whether this kernel has them. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "cmd/command.h"
#include "select/tracepoints.h"
#include "show/print.h"
#include "util/report.h"

const struct argp cmd_list_argp = {
	NULL, NULL, NULL,
	"Lists the groups of events that \"fxtrec record -e\" accepts, their tracepoints, and whether this "
	"kernel has them.",
	NULL, NULL, NULL,
};

/* Prints whether the kernel has it: by tracefs, which only root can read, else by the kernel's BTF. */
static void has_show(const char *pattern, const char *name)
{
	int count = fxt_tracepoints_count(pattern);

	if (count > 1)
		printf("yes, %d\n", count);
	else if (count == 1 || (count < 0 && libbpf_find_vmlinux_btf_id(name, BPF_TRACE_RAW_TP) > 0))
		puts("yes");
	else
		puts(count < 0 ? "unknown" : "no");
}

static void show(const struct fxt_event_group *g)
{
	char *text = strdupa(g->tracepoints), *pattern;

	printf("%s%s\n", g->name, g->events ? "" : "  (always)");
	while ((pattern = strsep(&text, " "))) {
		const char *colon = strchr(pattern, ':');

		printf("  %-36s ", pattern);
		has_show(pattern, colon ? colon + 1 : pattern);
	}
}

int cmd_list(int argc, char **argv)
{
	const struct fxt_event_group *g;

	argp_parse(&cmd_list_argp, argc, argv, 0, NULL, NULL);
	libbpf_set_print(NULL);
	for (g = fxt_event_groups; g->name; g++)
		show(g);
	return fxt_print_finish(stdout, FXT_DONE);
}
