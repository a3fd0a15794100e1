// SPDX-License-Identifier: GPL-2.0-only
/* Parses the command line of "fxtrec record": events to record, and events that trigger a snapshot. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/record.h"
#include "select/tracepoints.h"
#include "util/near.h"
#include "util/shell.h"

struct found {
	char *text;
	bool subsystem;		/* the pattern asks for the whole subsystem */
};

static int tracepoint_found(void *arg, const char *subsystem, const char *name)
{
	struct found *f = arg;

	snprintf(f->text, FXT_NEAR_BYTES, ": did you mean \"%.40s:%.40s\"?", subsystem, f->subsystem ? "*" : name);
	return 1;
}

/* Suggests a group of a similar name, or a tracepoint or a subsystem of this name. */
static const char *events_hint(char text[FXT_NEAR_BYTES], const char *wrong)
{
	struct found found = { .text = text };
	const struct fxt_event_group *g;
	struct fxt_near near;
	char pattern[128];

	fxt_near_init(&near, wrong);
	for (g = fxt_event_groups; g->name; g++)
		fxt_near_try(&near, g->name);
	fxt_near_text(text, &near);
	if (near.best || !*wrong || strpbrk(wrong, ":/"))
		return text;
	snprintf(pattern, sizeof(pattern), "*:%.80s", wrong);
	if (fxt_tracepoints_each(pattern, tracepoint_found, &found) > 0)
		return text;
	found.subsystem = true;
	snprintf(pattern, sizeof(pattern), "%.80s:*", wrong);
	fxt_tracepoints_each(pattern, tracepoint_found, &found);
	return text;
}

void cmd_record_events(const struct argp_state *state, const char *arg, struct fxt_events *events)
{
	char wrong[80], hint[FXT_NEAR_BYTES];

	if (fxt_events_parse(events, arg, wrong, sizeof(wrong)))
		argp_error(state, "-e %s: \"%s\" is no group of events (\"fxtrec list\" has them) and no "
			   "subsystem:name, as sched:sched_switch, or block:* for all of block%s", arg, wrong,
			   events_hint(hint, wrong));
}

#define USAGE	"--trigger=%s: it is log=GLOB, latency>TIME or dsleep>TIME, TIME an hour at most"

void cmd_record_trigger(const struct argp_state *state, const char *arg, struct fxt_triggers *triggers)
{
	static const char *const names[] = { "latency", "dsleep", "log", NULL };
	char name[32], text[FXT_SHELL_TAKEN], hint[FXT_NEAR_BYTES];
	int err = fxt_trigger_add(triggers, arg);

	if (!err)
		return;
	if (err == -E2BIG)
		argp_error(state, "--trigger=%s: one too many", arg);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(arg, "=<> "), arg);
	if (!strcmp(arg, "latency") || !strcmp(arg, "dsleep"))
		argp_error(state, USAGE ": %s: --trigger='%s>5ms'", arg, fxt_shell_taken(text), arg);
	fxt_near_hint(hint, name, names);
	argp_error(state, USAGE "%s", arg, strstr(hint, name) ? "" : hint);
}
