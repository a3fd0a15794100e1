// SPDX-License-Identifier: GPL-2.0-only
/* A summary as JSON. */
#include <errno.h>
#include <yajl/yajl_gen.h>

#include "codec/kind.h"
#include "fxt/text.h"
#include "show/info.h"

static void key(yajl_gen g, const char *name)
{
	yajl_gen_string(g, (const unsigned char *)name, strlen(name));
}

static void number(yajl_gen g, const char *name, __u64 value)
{
	char text[24];

	key(g, name);
	yajl_gen_number(g, text, snprintf(text, sizeof(text), "%llu", value));
}

static void ratio(yajl_gen g, const char *name, __u64 value, __u64 of)
{
	char text[40];

	key(g, name);
	yajl_gen_number(g, text, snprintf(text, sizeof(text), "%.3f", (double)value / of));
}

/* Text with a U+FFFD for each byte that isn't part of a well-formed character. */
static void text_value(yajl_gen g, const char *bytes, size_t length)
{
	unsigned char valid[3 * 4096];
	size_t n = 0, start = 0, i;
	__u32 state = 0;

	for (i = 0; i < length && n + 7 < sizeof(valid); i++) {
		state = fxt_utf8_step(state, (__u8)bytes[i]);
		if (state == FXT_UTF8_BAD || (state && i + 1 == length)) {
			memcpy(valid + n, "\xef\xbf\xbd", 3);
			n += 3;
			i = start;
			state = 0;
		} else if (!state) {
			memcpy(valid + n, bytes + start, i + 1 - start);
			n += i + 1 - start;
		}
		if (!state)
			start = i + 1;
	}
	yajl_gen_string(g, valid, n);
}

static void text(yajl_gen g, const char *name, const char *value)
{
	key(g, name);
	if (*value)
		text_value(g, value, strlen(value));
	else
		yajl_gen_null(g);
}

static void host_put(yajl_gen g, const struct fxt_summary_host *host)
{
	text(g, "host", host->name);
	text(g, "machine", host->machine);
	number(g, "processors", host->processors);
	text(g, "processor_model", host->model);
	number(g, "memory_bytes", host->memory);
	text(g, "command", host->command);
}

static void file_put(yajl_gen g, const struct fxt_info *info)
{
	const struct fxt_summary *s = &info->summary;
	__u64 scheduling = fxt_summary_scheduling(s);

	text(g, "file", info->name);
	key(g, "whole");
	yajl_gen_bool(g, info->whole);
	number(g, "bytes", s->bytes);
	number(g, "records", s->records);
	number(g, "scheduling_events", scheduling);
	number(g, "scheduling_bytes", s->scheduling_bytes);
	if (scheduling)
		ratio(g, "bytes_per_scheduling_event", s->bytes, scheduling);
	if (s->timed) {
		number(g, "first_ns", s->first_ns);
		number(g, "last_ns", s->last_ns);
		number(g, "duration_ns", s->last_ns - s->first_ns);
		number(g, "ticks_per_second", s->ticks_per_second);
	}
	text(g, "clock", s->clock);
	text(g, "backend", s->backend);
	text(g, "release", s->release);
	host_put(g, &s->host);
	number(g, "threads", s->threads);
	number(g, "threads_scheduled", s->threads_scheduled);
	number(g, "threads_unnamed", s->threads_unnamed);
	number(g, "processes", s->processes);
}

static void lost_put(yajl_gen g, const __u64 *lost)
{
	unsigned int cause;

	key(g, "lost");
	yajl_gen_map_open(g);
	for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
		number(g, fxt_lost_cause(cause), lost[cause]);
	yajl_gen_map_close(g);
}

static void counts_put(yajl_gen g, const struct fxt_summary *s)
{
	unsigned int i;

	key(g, "kinds");
	yajl_gen_map_open(g);
	for (i = 0; i < FXT_KINDS; i++)
		number(g, fxt_kind_name(i), s->kinds[i]);
	yajl_gen_map_close(g);
	key(g, "events");
	yajl_gen_map_open(g);
	for (i = 0; i <= FXT_EVENT_FLOW_END; i++)
		number(g, fxt_event_name(i), s->events[i]);
	yajl_gen_map_close(g);
	number(g, "wakeups_new", s->wakeups_new);
	number(g, "wakeups_on_cpu", s->wakeups_on_cpu);
}

static void cpus_put(yajl_gen g, const struct fxt_summary *s)
{
	unsigned int cpu;

	key(g, "cpus");
	yajl_gen_array_open(g);
	for (cpu = 0; cpu < FXT_SUMMARY_CPUS; cpu++) {
		if (!fxt_summary_cpu_seen(s, cpu))
			continue;
		yajl_gen_map_open(g);
		number(g, "cpu", cpu);
		number(g, "switches", s->cpus[cpu].switches);
		number(g, "wakeups", s->cpus[cpu].wakeups);
		lost_put(g, s->cpus[cpu].lost);
		yajl_gen_map_close(g);
	}
	yajl_gen_array_close(g);
}

static void providers_put(yajl_gen g, const struct fxt_summary *s)
{
	const struct fxt_summary_provider *p;

	key(g, "providers");
	yajl_gen_array_open(g);
	for (p = s->providers; p; p = p->next) {
		yajl_gen_map_open(g);
		if (!p->provider->implied)
			number(g, "id", p->provider->id);
		key(g, "name");
		text_value(g, p->provider->name, p->provider->name_bytes);
		number(g, "records", p->records);
		number(g, "bytes", p->bytes);
		number(g, "ticks_per_second", p->provider->ticks_per_second);
		yajl_gen_map_close(g);
	}
	yajl_gen_array_close(g);
}

static void print(void *out, const char *bytes, size_t length)
{
	fwrite(bytes, 1, length, out);
}

int fxt_info_json(FILE *out, const struct fxt_info *info)
{
	yajl_gen g = yajl_gen_alloc(NULL);

	if (!g)
		return -ENOMEM;
	yajl_gen_config(g, yajl_gen_beautify, 1);
	yajl_gen_config(g, yajl_gen_indent_string, "  ");
	yajl_gen_config(g, yajl_gen_print_callback, print, out);
	yajl_gen_map_open(g);
	file_put(g, info);
	lost_put(g, info->summary.lost);
	counts_put(g, &info->summary);
	cpus_put(g, &info->summary);
	providers_put(g, &info->summary);
	yajl_gen_map_close(g);
	yajl_gen_free(g);
	return 0;
}
