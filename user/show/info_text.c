// SPDX-License-Identifier: GPL-2.0-only
/* A summary as text. */
#include "codec/kind.h"
#include "show/info.h"
#include "show/print.h"
#include "util/time.h"

static void size_put(FILE *out, const struct fxt_summary *s, bool whole)
{
	__u64 scheduling = fxt_summary_scheduling(s);

	fprintf(out, "size        %llu bytes in %llu records%s\n", s->bytes, s->records,
		whole ? "" : ", up to where the file is cut");
	if (scheduling)
		fprintf(out, "scheduling  %llu events, %.1f bytes each; of the whole file, %.1f\n",
			scheduling, (double)s->scheduling_bytes / scheduling,
			(double)s->bytes / scheduling);
}

static void word_put(FILE *out, const char *before, const char *word)
{
	fputs(before, out);
	fxt_print_word(out, word, strlen(word));
}

static void seconds_put(FILE *out, __u64 ns)
{
	fprintf(out, "%llu.%09llu", ns / SECOND_NS, ns % SECOND_NS);
}

static void time_put(FILE *out, const struct fxt_summary *s)
{
	if (!s->timed) {
		fputs("time        no record has one\n", out);
		return;
	}
	fputs("time        ", out);
	seconds_put(out, s->last_ns - s->first_ns);
	fputs(" s, from ", out);
	seconds_put(out, s->first_ns);
	fputs(" to ", out);
	seconds_put(out, s->last_ns);
	word_put(out, "\nclock       ", s->clock[0] ? s->clock : "unknown");
	fprintf(out, ", %llu ticks per second\n", s->ticks_per_second);
}

static void backend_put(FILE *out, const struct fxt_summary *s)
{
	if (!s->backend[0])
		return;
	word_put(out, "backend     ", s->backend);
	word_put(out, ", on Linux ", s->release);
	fputc('\n', out);
}

/* Prints the known facts of the machine: other recorders have fewer than fxtrec. */
static void host_put(FILE *out, const struct fxt_summary_host *host)
{
	if (!host->name[0] && !host->machine[0])
		return;
	word_put(out, "host        ", host->name[0] ? host->name : "unknown");
	if (host->machine[0])
		word_put(out, ", ", host->machine);
	if (host->processors)
		fprintf(out, ", %u processors", host->processors);
	if (host->model[0]) {
		word_put(out, " (", host->model);
		fputc(')', out);
	}
	if (host->memory)
		fprintf(out, ", %.1f GiB", host->memory / 0x1p30);
	fputc('\n', out);
	if (!host->command[0])
		return;
	word_put(out, "command     ", host->command);
	fputc('\n', out);
}

static void threads_put(FILE *out, const struct fxt_summary *s)
{
	fprintf(out, "threads     %llu; scheduled %llu, of these without a name %llu\n", s->threads,
		s->threads_scheduled, s->threads_unnamed);
	fprintf(out, "processes   %llu\n", s->processes);
}

static void lost_put(FILE *out, const struct fxt_summary *s)
{
	const char *between = "lost        ";
	unsigned int cause;

	for (cause = 0; cause < FXT_LOST_CAUSES; cause++) {
		if (!s->lost[cause])
			continue;
		fprintf(out, "%s%llu (%s)", between, s->lost[cause], fxt_lost_cause(cause));
		between = ", ";
	}
	if (s->uncounted.count)
		fprintf(out, "%san unknown number: see below", between);
	else if (*between == 'l')
		fputs("lost        none reported", out);
	fputc('\n', out);
}

/* Prints where, when and why an unknown number of records was lost. */
static void uncounted_put(FILE *out, const struct fxt_uncounted *u)
{
	unsigned int i;

	if (!u->count)
		return;
	fputs("\nlost, of unknown number\n", out);
	for (i = 0; i < u->count && i < FXT_UNCOUNTED_MAX; i++) {
		const struct fxt_uncounted_one *one = &u->list[i];

		if (one->of_cpu)
			fprintf(out, "  cpu %u%s%s, ", one->cpu, one->ring < FXTREC_RINGS ? ", " : "",
				one->ring < FXTREC_RINGS ? fxt_uncounted_ring(one->ring) : "");
		else
			fprintf(out, "  at 0x%08llx%s", one->offset, one->timed ? ", behind " : "");
		if (one->timed)
			seconds_put(out, one->from);
		if (one->to != one->from) {
			fputs(" to ", out);
			seconds_put(out, one->to);
		}
		fputs(": ", out);
		fxt_print_cell(out, one->cause[0] ? one->cause : "no cause", 0);
		fputc('\n', out);
	}
	if (u->count > FXT_UNCOUNTED_MAX)
		fprintf(out, "  and %llu more\n", u->count - FXT_UNCOUNTED_MAX);
}

static void count_put(FILE *out, const char *name, __u64 count)
{
	if (count)
		fprintf(out, "  %-22s %12llu\n", name, count);
}

static void kinds_put(FILE *out, const struct fxt_summary *s)
{
	unsigned int i;

	fputs("\nrecords\n", out);
	for (i = 0; i < FXT_KINDS; i++) {
		if (i != FXT_KIND_EVENT)
			count_put(out, fxt_kind_name(i), s->kinds[i]);
		if (i != FXT_KIND_WAKEUP)
			continue;
		count_put(out, "  of new threads", s->wakeups_new);
		count_put(out, "  of threads on a CPU", s->wakeups_on_cpu);
		count_put(out, "  in interrupts", s->wakeups_in_interrupts);
	}
	for (i = 0; i <= FXT_EVENT_FLOW_END; i++) {
		count_put(out, fxt_event_name(i), s->events[i]);
		if (i == FXT_EVENT_INSTANT)
			count_put(out, "  migrations", s->migrations);
	}
}

/* Returns whether a cause has a column: marks are lost in programs, not on CPUs. */
static bool cpus_lost(const struct fxt_summary *s, unsigned int cause)
{
	return (cause <= FXT_LOST_NO_RING || cause == FXT_LOST_OTHER) && s->lost[cause];
}

static void cpus_put(FILE *out, const struct fxt_summary *s)
{
	unsigned int cpu, cause;

	fputs("\ncpu         switches      wakeups", out);
	for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
		if (cpus_lost(s, cause))
			fprintf(out, "   lost: %s", fxt_lost_cause(cause));
	fputc('\n', out);
	for (cpu = 0; cpu < FXT_SUMMARY_CPUS; cpu++) {
		const struct fxt_summary_cpu *c = &s->cpus[cpu];

		if (!fxt_summary_cpu_seen(s, cpu))
			continue;
		fprintf(out, "%5u %14llu %12llu", cpu, c->switches, c->wakeups);
		for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
			if (cpus_lost(s, cause))
				fprintf(out, " %*llu", (int)strlen(fxt_lost_cause(cause)) + 8,
					c->lost[cause]);
		fputc('\n', out);
	}
}

static void providers_put(FILE *out, const struct fxt_summary *s)
{
	const struct fxt_summary_provider *p;

	fputs("\n  provider      records        bytes  ticks per second  name\n", out);
	for (p = s->providers; p; p = p->next) {
		if (p->provider->implied)
			fputs("         -", out);
		else
			fprintf(out, "%10u", p->provider->id);
		fprintf(out, " %12llu %12llu %17llu  ", p->records, p->bytes,
			p->provider->ticks_per_second);
		fxt_print_quoted(out, p->provider->name, p->provider->name_bytes);
		fputc('\n', out);
	}
}

void fxt_info_text(FILE *out, const struct fxt_info *info)
{
	const struct fxt_summary *s = &info->summary;

	fputs("file        ", out);
	fxt_print_name(out, info->name);
	fputc('\n', out);
	size_put(out, s, info->whole);
	time_put(out, s);
	backend_put(out, s);
	host_put(out, &s->host);
	threads_put(out, s);
	lost_put(out, s);
	kinds_put(out, s);
	if (fxt_summary_scheduling(s))
		cpus_put(out, s);
	uncounted_put(out, &s->uncounted);
	providers_put(out, s);
}
