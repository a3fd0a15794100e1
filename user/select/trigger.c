// SPDX-License-Identifier: GPL-2.0-only
/* Triggers of snapshots that come from the kernel: lines of its log, and delays. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "fxt/linux.h"
#include "select/trigger.h"
#include "util/quantity.h"

#define LOG	"log="
#define PID_MAX "/proc/sys/kernel/pid_max"

/* Returns one more than the largest id that a thread can get. */
static __u32 tids(void)
{
	unsigned int most = FXTREC_TIDS_MAX;
	FILE *f = fopen(PID_MAX, "re");

	if (f && (fscanf(f, "%9u", &most) != 1 || most > FXTREC_TIDS_MAX))
		most = FXTREC_TIDS_MAX;
	if (f)
		fclose(f);
	return most;
}

/* Parses the bound of a delay, after a name of that many bytes. */
static int bound_parse(struct fxt_triggers *t, const char *text, size_t name, enum fxtrec_delay delay)
{
	__u64 *ns = &t->delays.bound_ns[delay];

	if (fxt_quantity_duration(text + name + 1, ns) || !*ns || *ns > FXTREC_DELAY_NS_MAX)
		return -EINVAL;
	t->given[delay] = text;
	t->delays.size = sizeof(t->delays);
	t->delays.tids = tids();
	return 0;
}

int fxt_trigger_add(struct fxt_triggers *t, const char *text)
{
	size_t name = strcspn(text, "=>");

	if (!text[name])
		return -EINVAL;
	if (name == 7 && !strncmp(text, "latency", name))
		return bound_parse(t, text, name, FXTREC_DELAY_LATENCY);
	if (name == 6 && !strncmp(text, "dsleep", name))
		return bound_parse(t, text, name, FXTREC_DELAY_DSLEEP);
	if (strncmp(text, LOG, strlen(LOG)) || !text[strlen(LOG)])
		return -EINVAL;
	if (t->log_count == FXT_TRIGGER_LOGS_MAX)
		return -E2BIG;
	t->given[FXTREC_DELAYS + t->log_count++] = text;
	return 0;
}

/* Returns the number of the first GLOB that a line of the kernel's log matches, or -1. */
static int log_match(const struct fxt_triggers *t, const char *text, size_t bytes)
{
	char line[FXT_MESSAGE_BYTES_MAX + 1];
	unsigned int i;

	if (bytes > FXT_MESSAGE_BYTES_MAX)
		return -1;
	memcpy(line, text, bytes);
	line[bytes] = '\0';
	for (i = 0; i < t->log_count; i++)
		if (!fnmatch(t->given[FXTREC_DELAYS + i] + strlen(LOG), line, 0))
			return i;
	return -1;
}

int fxt_trigger_of(const struct fxt_triggers *t, const __u64 *w)
{
	__u64 name = fxt_field(*w, 48, 63);
	int log;

	switch (fxt_field(*w, 32, 47)) {
	case FXT_STR_KERNEL_LOG:
		log = log_match(t, (const char *)(w + 2), fxt_field(*w, 48, 62));
		return log < 0 ? -1 : (int)FXTREC_DELAYS + log;
	case FXT_STR_FXTREC:
		return name == FXT_STR_LATENCY ? FXTREC_DELAY_LATENCY : name == FXT_STR_DSLEEP ? FXTREC_DELAY_DSLEEP : -1;
	default:
		return -1;
	}
}

const char *fxt_trigger_name(unsigned int trigger)
{
	return trigger == FXTREC_DELAY_LATENCY ? "latency" : trigger == FXTREC_DELAY_DSLEEP ? "dsleep" : "kernel log";
}
