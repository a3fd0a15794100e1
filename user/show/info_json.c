// SPDX-License-Identifier: GPL-2.0-only
/* A summary as JSON. */
#include <errno.h>

#include "codec/kind.h"
#include "show/info.h"
#include "util/json_writer.h"

static void ratio(struct fxt_json_writer *w, const char *name, __u64 value, __u64 of)
{
	char text[40];

	fxt_json_key(w, name);
	fxt_json_raw(w, text, snprintf(text, sizeof(text), "%.3f", (double)value / of));
}

static void text(struct fxt_json_writer *w, const char *name, const char *value)
{
	fxt_json_key(w, name);
	if (*value)
		fxt_json_string(w, value, strlen(value));
	else
		fxt_json_null(w);
}

static void known_put(struct fxt_json_writer *w, const char *name, __u64 number)
{
	fxt_json_key(w, name);
	if (number)
		fxt_json_number(w, number);
	else
		fxt_json_null(w);
}

static void host_put(struct fxt_json_writer *w, const struct fxt_summary_host *host)
{
	text(w, "host", host->name);
	text(w, "machine", host->machine);
	known_put(w, "processors", host->processors);
	text(w, "processor_model", host->model);
	known_put(w, "memory_bytes", host->memory);
	text(w, "command", host->command);
}

static void file_put(struct fxt_json_writer *w, const struct fxt_info *info)
{
	const struct fxt_summary *s = &info->summary;
	__u64 scheduling = fxt_summary_scheduling(s);

	text(w, "file", info->name);
	fxt_json_key(w, "whole");
	fxt_json_bool(w, info->whole);
	fxt_json_put_number(w, "bytes", s->bytes);
	fxt_json_put_number(w, "records", s->records);
	fxt_json_put_number(w, "scheduling_events", scheduling);
	fxt_json_put_number(w, "scheduling_bytes", s->scheduling_bytes);
	if (scheduling)
		ratio(w, "bytes_per_scheduling_event", s->bytes, scheduling);
	if (s->timed) {
		fxt_json_put_number(w, "first_ns", s->first_ns);
		fxt_json_put_number(w, "last_ns", s->last_ns);
		fxt_json_put_number(w, "duration_ns", s->last_ns - s->first_ns);
		fxt_json_put_number(w, "ticks_per_second", s->ticks_per_second);
	}
	text(w, "clock", s->clock);
	text(w, "backend", s->backend);
	text(w, "release", s->release);
	host_put(w, &s->host);
	fxt_json_put_number(w, "threads", s->threads);
	fxt_json_put_number(w, "threads_scheduled", s->threads_scheduled);
	fxt_json_put_number(w, "threads_unnamed", s->threads_unnamed);
	fxt_json_put_number(w, "processes", s->processes);
}

static void lost_put(struct fxt_json_writer *w, const __u64 *lost)
{
	unsigned int cause;

	fxt_json_key(w, "lost");
	fxt_json_open(w, '{');
	for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
		fxt_json_put_number(w, fxt_lost_cause(cause), lost[cause]);
	fxt_json_close(w, '}');
}

static void uncounted_put(struct fxt_json_writer *w, const struct fxt_uncounted *u)
{
	unsigned int i;

	fxt_json_put_number(w, "lost_uncounted", u->count);
	fxt_json_key(w, "lost_uncounted_first");
	fxt_json_open(w, '[');
	for (i = 0; i < u->count && i < FXT_UNCOUNTED_MAX; i++) {
		const struct fxt_uncounted_one *one = &u->list[i];

		fxt_json_open(w, '{');
		text(w, "cause", one->cause);
		if (one->of_cpu)
			fxt_json_put_number(w, "cpu", one->cpu);
		else
			fxt_json_put_number(w, "offset", one->offset);
		if (one->of_cpu && one->ring < FXTREC_RINGS)
			text(w, "ring", fxt_uncounted_ring(one->ring));
		if (one->timed) {
			fxt_json_put_number(w, "from_ns", one->from);
			fxt_json_put_number(w, "to_ns", one->to);
		}
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
}

static void counts_put(struct fxt_json_writer *w, const struct fxt_summary *s)
{
	unsigned int i;

	fxt_json_key(w, "kinds");
	fxt_json_open(w, '{');
	for (i = 0; i < FXT_KINDS; i++)
		fxt_json_put_number(w, fxt_kind_name(i), s->kinds[i]);
	fxt_json_close(w, '}');
	fxt_json_key(w, "events");
	fxt_json_open(w, '{');
	for (i = 0; i <= FXT_EVENT_FLOW_END; i++)
		fxt_json_put_number(w, fxt_event_name(i), s->events[i]);
	fxt_json_close(w, '}');
	fxt_json_put_number(w, "wakeups_new", s->wakeups_new);
	fxt_json_put_number(w, "wakeups_on_cpu", s->wakeups_on_cpu);
	fxt_json_put_number(w, "wakeups_in_interrupts", s->wakeups_in_interrupts);
	fxt_json_put_number(w, "migrations", s->migrations);
}

static void cpus_put(struct fxt_json_writer *w, const struct fxt_summary *s)
{
	unsigned int cpu;

	fxt_json_key(w, "cpus");
	fxt_json_open(w, '[');
	for (cpu = 0; cpu < FXT_SUMMARY_CPUS; cpu++) {
		if (!fxt_summary_cpu_seen(s, cpu))
			continue;
		fxt_json_open(w, '{');
		fxt_json_put_number(w, "cpu", cpu);
		fxt_json_put_number(w, "switches", s->cpus[cpu].switches);
		fxt_json_put_number(w, "wakeups", s->cpus[cpu].wakeups);
		lost_put(w, s->cpus[cpu].lost);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
}

static void providers_put(struct fxt_json_writer *w, const struct fxt_summary *s)
{
	const struct fxt_summary_provider *p;

	fxt_json_key(w, "providers");
	fxt_json_open(w, '[');
	for (p = s->providers; p; p = p->next) {
		fxt_json_open(w, '{');
		if (!p->provider->implied)
			fxt_json_put_number(w, "id", p->provider->id);
		fxt_json_key(w, "name");
		fxt_json_string(w, p->provider->name, p->provider->name_bytes);
		fxt_json_put_number(w, "records", p->records);
		fxt_json_put_number(w, "bytes", p->bytes);
		fxt_json_put_number(w, "ticks_per_second", p->provider->ticks_per_second);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
}

int fxt_info_json(FILE *out, const struct fxt_info *info)
{
	struct fxt_json_writer writer = { .lines = true }, *w = &writer;
	int err;

	fxt_json_open(w, '{');
	file_put(w, info);
	lost_put(w, info->summary.lost);
	uncounted_put(w, &info->summary.uncounted);
	counts_put(w, &info->summary);
	cpus_put(w, &info->summary);
	providers_put(w, &info->summary);
	fxt_json_close(w, '}');
	fxt_buffer_put(&w->text, "\n", 1);
	err = w->text.failed ? -ENOMEM : 0;
	if (!err)
		fwrite(w->text.bytes, 1, w->text.length, out);
	fxt_buffer_uninit(&w->text);
	return err;
}
