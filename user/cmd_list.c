// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec list: what "fxtrec record -e" takes, and which of it this kernel has. */
#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "command.h"
#include "record/events.h"
#include "report.h"

#define TRACEFS	"/sys/kernel/tracing/events"

static const struct argp argp = {
	NULL, NULL, NULL,
	"Lists the groups of events that \"fxtrec record -e\" takes, their tracepoints, and whether this "
	"kernel has them.",
	NULL, NULL, NULL,
};

/* By tracefs, which only root may look into; else by the kernel's own types. */
static const char *kernel_has(const char *subsystem, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), TRACEFS "/%s/%s", subsystem, name);
	if (!access(path, F_OK) || libbpf_find_vmlinux_btf_id(name, BPF_TRACE_RAW_TP) > 0)
		return "yes";
	return access(TRACEFS "/sched", F_OK) && access("/sys/kernel/btf/vmlinux", F_OK) ? "unknown" :
		"no";
}

static void show(const struct fxt_event_group *g)
{
	char *text = strdupa(g->tracepoints), *name, *subsystem;

	printf("%s%s\n", g->name, g->events ? "" : "  (always)");
	while ((name = strsep(&text, " "))) {
		subsystem = strsep(&name, ":");
		if (name)
			printf("  %s:%-*s %s\n", subsystem, 36 - (int)strlen(subsystem), name,
			       kernel_has(subsystem, name));
	}
}

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

int cmd_list(int argc, char **argv)
{
	const struct fxt_event_group *g;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	libbpf_set_print(say_nothing);
	for (g = fxt_event_groups; g->name; g++)
		show(g);
	if (fflush(stdout) || ferror(stdout))
		return fxt_report("standard output: can't be written");
	return FXT_DONE;
}
