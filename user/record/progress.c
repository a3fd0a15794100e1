// SPDX-License-Identifier: GPL-2.0-only
/* The progress line, and the summary. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "describe/late.h"
#include "record/recording.h"
#include "select/filter.h"
#include "files/once.h"
#include "util/quantity.h"
#include "util/time.h"
#include "util/report.h"

#define RENEW_NS	(SECOND_NS / 4)

struct counts {
	__u64 records;		/* of scheduling */
	__u64 lost;
};

static void count(const struct fxt_recording *r, struct counts *counts)
{
	struct fxt_ring_state s;
	unsigned int i, kind, cause;

	*counts = (struct counts){};
	for (i = 0; i < r->drain.source->cpu_count; i++) {
		for (kind = 0; kind < FXTREC_RINGS; kind++) {
			fxt_drain_state(&r->drain, i, kind, &s);
			counts->records += s.records;
			for (cause = 0; cause < FXTREC_LOSSES; cause++)
				counts->lost += s.lost[cause];
		}
	}
	counts->lost += fxt_late_events(&r->session->source);
}

/* Returns whether the tool runs in the background of a shell, where its line would disturb the foreground's output. */
static bool in_background(void)
{
	pid_t foreground = tcgetpgrp(STDERR_FILENO);

	return foreground >= 0 && foreground != getpgrp();
}

void fxt_progress_show(struct fxt_progress *p, const struct fxt_recording *r)
{
	__u64 now, elapsed;
	struct counts counts;
	char size[32];

	/* COMMAND has the terminal for itself: the line would disturb its output or screen. */
	if (!p->last)
		*p = (struct fxt_progress){
			.shown = isatty(STDERR_FILENO) && !r->session->options->command,
			.last = r->session->started,
		};
	now = fxt_clock_mono();
	elapsed = now - p->last;
	/* The thread drains the rings: it must not wait for a terminal. */
	if (!p->shown || elapsed < RENEW_NS || !fxt_report_ready(0) || in_background())
		return;
	count(r, &counts);
	fprintf(stderr, "\r%7.1f s  %llu events  %llu/s  %s  %llu lost\033[K",
		(now - r->session->started) / 1e9, counts.records,
		(counts.records - p->records) * SECOND_NS / elapsed,
		fxt_quantity_show(size, sizeof(size), fxt_recording_bytes(r)), counts.lost);
	p->last = now;
	p->records = counts.records;
}

void fxt_progress_end(const struct fxt_progress *p)
{
	if (p->shown && fxt_report_ready(0) && !in_background())
		fputs("\r\033[K", stderr);
}

static void late_report(const struct fxt_source *source)
{
	struct fxtrec_late *late = fxt_late_read(source);
	__u32 cpu;

	for (cpu = 0; late && cpu < source->cpu_ids; cpu++)
		if (late[cpu].events)
			fxt_report("cpu %u lost %llu scheduling events (no ring: it came after the "
				   "recording began)", cpu, late[cpu].events);
	free(late);
}

/* Returns the number of renames that were left out on all CPUs. */
static __u64 surplus_report(const struct fxt_session *session, bool report)
{
	__u64 surplus = 0;
	unsigned int i;

	for (i = 0; i < session->source.cpu_count; i++) {
		__u64 of = fxt_session_surplus(session, i);

		if (of && report)
			fxt_report("cpu %u lost %llu names and messages (of threads that rename again "
				   "and again)", session->source.cpus[i].cpu, of);
		surplus += of;
	}
	return surplus;
}

void fxt_progress_losses(const struct fxt_session *session,
			 struct fxt_ring_state (*ends)[FXTREC_RINGS])
{
	const struct fxt_source *source = &session->source;
	static const char *const rings[FXTREC_RINGS] = {
		"scheduling events", "names and messages", "other events",
	};
	static const char *const causes[FXTREC_LOSSES] = {
		"ring full: a larger -b helps", "nested",
	};
	struct fxt_ring_state s;
	unsigned int i, kind, cause;

	for (i = 0; i < source->cpu_count; i++) {
		for (kind = 0; kind < FXTREC_RINGS; kind++) {
			if (ends)
				s = ends[i][kind];
			else
				fxt_ring_state_read(&source->cpus[i].area->ring[kind], &s);
			for (cause = 0; cause < FXTREC_LOSSES; cause++)
				if (s.lost[cause])
					fxt_report("cpu %u lost %llu %s (%s)", source->cpus[i].cpu,
						   s.lost[cause], rings[kind], causes[cause]);
		}
	}
	late_report(source);
	surplus_report(session, true);
	if (session->missed)
		fxt_report("lost %llu events (nested probes)", session->missed);
}

/*
 * Reports the parts of the recording that a filter of threads doesn't restrict, or that -C leaves out though chosen
 * threads depend on them.
 */
static void filter_report(const struct fxt_source *source)
{
	const struct fxt_filter *filter = source->filter;

	if (!filter || !fxt_filter_threads(filter))
		return;
	if (source->events & FXTREC_EVENTS_POWER)
		fxt_report("power events are of all CPUs, whichever threads are chosen");
	if (filter->kernel.flags & FXTREC_FILTER_CPUS)
		fxt_report("switches on CPUs that -C leaves out are not recorded, even while chosen threads wait there");
}

void fxt_progress_summary(const struct fxt_recording *r, const char *name, int err)
{
	static const char *const clocks[] = { "mono", "boot", "tsc" };
	const struct fxt_session *session = r->session;
	__u64 bytes = fxt_recording_bytes(r), surplus = surplus_report(session, false);
	__u64 marks = fxt_marks_lost(session->marks);
	struct counts counts;
	char size[32], mean[48] = "", lost[64] = "";

	count(r, &counts);
	counts.lost += session->missed;
	if (counts.records)
		snprintf(mean, sizeof(mean), ", %.1f bytes an event", (double)bytes / counts.records);
	if (counts.lost)
		snprintf(lost, sizeof(lost), ", %llu lost", counts.lost);
	else if (surplus)
		snprintf(lost, sizeof(lost), ", nothing lost but %llu renames", surplus);
	else if (marks)
		snprintf(lost, sizeof(lost), ", no event lost");
	else if (!err)
		snprintf(lost, sizeof(lost), ", nothing lost");
	fxt_report("%s%s: %.2f s by %s, clock %s: %llu events, %llu threads, %s%s%s%s",
		   name ? name : r->files.now.output.name, r->files.ended_bytes ? " and the files before it" : "",
		   (session->ended - session->started) / 1e9, session->source.ops->name,
		   clocks[session->source.clock], counts.records, session->names.threads,
		   fxt_quantity_show(size, sizeof(size), bytes), mean, lost,
		   err ? ", maybe not all written" : "");
	filter_report(&session->source);
	fxt_progress_losses(session, r->drain.ends);
	if (!session->source.throttling && (session->options->source.verbose || fxt_once("throttling isn't recorded")))
		fxt_report("throttling isn't recorded: a wait by the limit of a control group is as any other (fxtrec doctor)");
}
