// SPDX-License-Identifier: GPL-2.0-only
/* The tool's own records: what a file begins with, and its clock's readings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/host.h"
#include "describe/prologue.h"
#include "describe/tables.h"
#include "fxt/loss.h"

static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

/* Who the tool is, in the trace. */
static __u64 self(void)
{
	return getpid();
}

/* A provider's info, tick rate and string table. */
static void put_provider(FILE *f, __u32 id, const char *name, const struct fxt_source *source)
{
	unsigned int i;

	fxt_emit_word(f, fxt_provider_info(id, strlen(name)));
	fxt_emit_text(f, name, strlen(name));
	fxt_emit_word(f, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
	fxt_emit_word(f, source->ticks_per_second);
	for (i = 1; i < FXT_STR_END; i++) {
		fxt_emit_word(f, fxt_string(i, strlen(strings[i])));
		fxt_emit_text(f, strings[i], strlen(strings[i]));
	}
	fxt_tables_strings(f, source);
}

static void put_thread(FILE *f, __u32 index, __u64 process, __u64 thread)
{
	fxt_emit_word(f, fxt_thread(index));
	fxt_emit_word(f, process);
	fxt_emit_word(f, thread);
}

static void put_process_name(FILE *f, __u64 koid, const char *name)
{
	fxt_emit_word(f, fxt_kernel_object(FXT_OBJECT_PROCESS, 2 + fxt_words(strlen(name)),
				 fxt_ref_inline(strlen(name)), 0));
	fxt_emit_word(f, koid);
	fxt_emit_text(f, name, strlen(name));
}

/* An instant event's words before its arguments, by the tool. */
static void put_instant(FILE *f, __u64 ticks, enum fxt_linux_string name, __u32 args, __u32 words)
{
	fxt_emit_word(f, fxt_event(FXT_EVENT_INSTANT, 2 + words, args, FXT_THREAD_SUBJECT, FXT_STR_FXTREC,
			 name));
	fxt_emit_word(f, ticks);
}

static void put_backend(FILE *f, const struct fxt_source *source)
{
	struct utsname host;
	__u64 bytes;

	uname(&host);
	bytes = strlen(host.release);
	put_instant(f, fxt_clock_ticks(source->clock), FXT_STR_BACKEND, 3, 3 + fxt_words(bytes));
	fxt_emit_word(f, fxt_arg_string(FXT_STR_BACKEND, source->ops->backend));
	fxt_emit_word(f, FXT_ARG(FXT_ARG_STRING, 1 + fxt_words(bytes), FXT_STR_RELEASE,
		       fxt_ref_inline(bytes)));
	fxt_emit_text(f, host.release, bytes);
	fxt_emit_word(f, fxt_arg_uint32(FXT_STR_CPUS, source->cpu_count));
}

static void put_clock(FILE *f, const struct fxt_source *source)
{
	struct fxt_clock_sample s;

	fxt_clock_sample(source->clock, &s);
	put_instant(f, s.ticks, FXT_STR_CLOCK, 4, 7);
	fxt_emit_word(f, fxt_arg_string(FXT_STR_CLOCK, FXT_STR_CLOCK_MONO + source->clock));
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_REALTIME));
	fxt_emit_word(f, s.realtime);
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_MONOTONIC));
	fxt_emit_word(f, s.monotonic);
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_BOOTTIME));
	fxt_emit_word(f, s.boottime);
}

/* A CPU's provider, and the tracks on which its losses and what is its own are shown. */
static void put_cpu(FILE *f, __u32 cpu, const struct fxt_source *source)
{
	static const char *const names[FXTREC_RINGS] = { "scheduling", "names", "events" };
	__u32 rings = source->events ? FXTREC_RINGS : FXTREC_RING_EVENTS;
	char name[48];
	__u32 kind;

	snprintf(name, sizeof(name), "fxtrec cpu %u", cpu);
	put_provider(f, FXT_PROVIDER_CPU(cpu), name, source);
	for (kind = 0; kind < rings; kind++) {
		__u64 koid = FXT_KOID_LOSSES(cpu, kind);

		snprintf(name, sizeof(name), "cpu %u lost %s", cpu, names[kind]);
		fxt_emit_thread(f, koid, self(), name);
		put_thread(f, FXT_THREAD_LOSSES + kind, self(), koid);
	}
	fxt_tables_tracks(f, source, cpu, self());
}

/* Writes what put() gathered in memory; ends it. */
static int flush(FILE *f, char **text, size_t *bytes, struct fxt_output *output)
{
	struct iovec vector;
	int err = ferror(f) ? -ENOMEM : 0;

	if (fclose(f))
		err = -ENOMEM;
	vector = (struct iovec){ *text, *bytes };
	if (!err)
		err = fxt_output_write(output, &vector, 1);
	free(*text);
	return err;
}

int fxt_prologue_write(struct fxt_output *output, const struct fxt_source *source)
{
	char *text;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	unsigned int i;
	int err;

	if (!f)
		return -ENOMEM;
	fxt_emit_word(f, FXT_MAGIC);
	put_provider(f, FXT_PROVIDER_TOOL, strings[FXT_STR_FXTREC], source);
	put_process_name(f, 0, "swapper");
	fxt_emit_thread(f, 0, 0, "swapper");
	fxt_emit_self(f);
	put_backend(f, source);
	put_clock(f, source);
	fxt_host_put(f, source);
	for (i = 0; i < source->cpu_count; i++)
		put_cpu(f, source->cpus[i].cpu, source);
	fxt_emit_word(f, fxt_provider_section(FXT_PROVIDER_TOOL));
	err = flush(f, &text, &bytes, output);
	output->filler = fxt_provider_section(FXT_PROVIDER_TOOL);
	return err;
}

int fxt_prologue_clock(struct fxt_output *output, const struct fxt_source *source)
{
	char *text;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		return -ENOMEM;
	fxt_emit_self(f);
	put_clock(f, source);
	return flush(f, &text, &bytes, output);
}

int fxt_prologue_missed(struct fxt_output *output, const struct fxt_source *source, __u64 count)
{
	__u64 now = fxt_clock_ticks(source->clock);
	__u64 words[FXT_LOSS_BYTES_MAX / 8];
	struct iovec vector = { words, 0 };

	vector.iov_len = fxt_loss_event(words, FXT_THREAD_SUBJECT, FXTREC_LOST_NESTED, count, now,
					now);
	return fxt_output_write(output, &vector, 1);
}

int fxt_prologue_snapshot(struct fxt_output *output, const struct fxt_source *source, __u64 taken,
			  const __u64 *since, const char *trigger)
{
	__u64 length = strlen(trigger) < 200 ? strlen(trigger) : 200;
	char *text, why[201];
	unsigned int i;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		return -ENOMEM;
	snprintf(why, sizeof(why), "%s", trigger);
	put_instant(f, taken, FXT_STR_SNAPSHOT, 1, 1 + fxt_words(length));
	fxt_emit_word(f, FXT_ARG(FXT_ARG_STRING, 1 + fxt_words(length), FXT_STR_TRIGGER,
		       fxt_ref_inline(length)));
	fxt_emit_text(f, why, length);
	for (i = 0; i < source->cpu_count; i++) {
		put_instant(f, taken, FXT_STR_COVERED, 2, 3);
		fxt_emit_word(f, fxt_arg_uint32(FXT_STR_CPU, source->cpus[i].cpu));
		fxt_emit_word(f, fxt_arg_uint64(FXT_STR_SINCE));
		fxt_emit_word(f, since[i]);
	}
	return flush(f, &text, &bytes, output);
}

int fxt_prologue_section(struct fxt_output *output)
{
	__u64 section = fxt_provider_section(FXT_PROVIDER_TOOL);
	struct iovec vector = { &section, sizeof(section) };

	output->filler = section;
	return fxt_output_write(output, &vector, 1);
}
