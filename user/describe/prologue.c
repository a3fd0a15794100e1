// SPDX-License-Identifier: GPL-2.0-only
/* Puts the records at the start of a file, and the readings of its clock. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "describe/emit.h"
#include "describe/host.h"
#include "describe/prologue.h"
#include "fxt/events.h"
#include "fxt/loss.h"
#include "select/tracepoints.h"
#include "syscalls.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The longest name of a trigger; longer names are cut. */
#define TRIGGER_BYTES_MAX	200

static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

static const char *const event_strings[FXT_STR_EVENTS_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_EVENT_STRINGS(TEXT)
#undef TEXT
};

static void put_string(FILE *f, __u32 index, const char *text)
{
	fxt_emit_word(f, fxt_string(index, strlen(text)));
	fxt_emit_text(f, text, strlen(text));
}

/* Puts a string for each number of a system call; without a name, the string contains the number. */
static void put_syscalls(FILE *f, __u32 first, const char *const *names, size_t count)
{
	char text[32];
	__u32 i;

	for (i = 0; i < FXT_SYSCALLS_MAX; i++) {
		snprintf(text, sizeof(text), "syscall %u", i);
		put_string(f, first + i, i < count && names[i] ? names[i] : text);
	}
}

/* Puts the strings of events other than scheduling. */
static void put_event_strings(FILE *f, const struct fxt_source *source)
{
	__u32 i;

	if (!source->events)
		return;
	for (i = FXT_STR_BEFORE_EVENTS + 1; i < FXT_STR_EVENTS_END; i++)
		put_string(f, i, event_strings[i]);
	if (source->events & FXTREC_EVENTS_SYSCALLS) {
		put_syscalls(f, FXT_STR_SYSCALLS, syscalls, COUNT(syscalls));
		put_syscalls(f, FXT_STR_SYSCALLS_COMPAT, syscalls_compat, COUNT(syscalls_compat));
	}
	for (i = 0; source->tracepoints && i < source->tracepoints->string_count; i++)
		put_string(f, FXT_STR_TRACEPOINTS + i, source->tracepoints->strings[i]);
}

/* Puts a provider's info, tick rate and string table. */
static void put_provider(FILE *f, __u32 id, const char *name, const struct fxt_source *source)
{
	unsigned int i;

	fxt_emit_word(f, fxt_provider_info(id, strlen(name)));
	fxt_emit_text(f, name, strlen(name));
	fxt_emit_word(f, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
	fxt_emit_word(f, source->ticks_per_second);
	for (i = 1; i < FXT_STR_END; i++)
		put_string(f, i, strings[i]);
	put_event_strings(f, source);
}

static void put_thread(FILE *f, __u32 index, __u64 process, __u64 thread)
{
	fxt_emit_word(f, fxt_thread(index));
	fxt_emit_word(f, process);
	fxt_emit_word(f, thread);
}

/* Puts the words before the arguments of an instant event of the tool. */
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

/* Puts a reading of all clocks.  begins: the reading comes before the file's events, not after them. */
static void put_clock(FILE *f, const struct fxt_source *source, bool begins)
{
	static const char begin[] = "begins";
	const size_t bytes = sizeof(begin) - 1;
	struct fxt_clock_sample s;

	fxt_clock_sample(source->clock, &s);
	put_instant(f, s.ticks, FXT_STR_CLOCK, 4 + begins, 7 + (begins ? 1 + fxt_words(bytes) : 0));
	fxt_emit_word(f, fxt_arg_string(FXT_STR_CLOCK, FXT_STR_CLOCK_MONO + source->clock));
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_REALTIME));
	fxt_emit_word(f, s.realtime);
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_MONOTONIC));
	fxt_emit_word(f, s.monotonic);
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_BOOTTIME));
	fxt_emit_word(f, s.boottime);
	if (begins) {
		fxt_emit_word(f, FXT_ARG(FXT_ARG_INT32, 1 + fxt_words(bytes), fxt_ref_inline(bytes), 1));
		fxt_emit_text(f, begin, bytes);
	}
}

/* Puts the tracks of a CPU's events that belong to no thread, as threads of the tool. */
static void put_tracks(FILE *f, const struct fxt_source *source, __u32 cpu)
{
	static const char *const tracks[FXT_TRACKS] = { "irq", "softirq", "migrations", "throttling" };
	__u32 track = source->events ? 0 : FXT_TRACK_MIGRATIONS;

	for (; track < FXT_TRACKS; track++) {
		__u64 koid = FXT_KOID_TRACK(cpu, track);
		char name[32];

		snprintf(name, sizeof(name), "cpu %u %s", cpu, tracks[track]);
		fxt_emit_thread(f, koid, fxt_emit_koid(), name);
		put_thread(f, FXT_THREAD_TRACK(track), fxt_emit_koid(), koid);
	}
}

/* Puts a CPU's provider, and its tracks: of losses, and of events that belong to no thread. */
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
		fxt_emit_thread(f, koid, fxt_emit_koid(), name);
		put_thread(f, FXT_THREAD_LOSSES + kind, fxt_emit_koid(), koid);
	}
	put_tracks(f, source, cpu);
}

int fxt_prologue_put(const struct fxt_source *source, const struct fxt_sink *to)
{
	struct fxt_emit e;
	unsigned int i;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	fxt_emit_word(e.f, FXT_MAGIC);
	put_provider(e.f, FXT_PROVIDER_TOOL, strings[FXT_STR_FXTREC], source);
	fxt_emit_process(e.f, 0, "swapper", &(struct fxt_emit_args){});
	fxt_emit_thread(e.f, 0, 0, "swapper");
	/* With a real id, the tool is listed like any other process. */
	if (fxt_emit_koid() == FXT_KOID_TOOL) {
		fxt_emit_process(e.f, FXT_KOID_TOOL, strings[FXT_STR_FXTREC], &(struct fxt_emit_args){});
		fxt_emit_thread(e.f, FXT_KOID_TOOL, FXT_KOID_TOOL, strings[FXT_STR_FXTREC]);
	}
	fxt_emit_self(e.f);
	put_backend(e.f, source);
	put_clock(e.f, source, false);
	fxt_host_put(e.f, source);
	for (i = 0; i < source->cpu_count; i++)
		put_cpu(e.f, source->cpus[i].cpu, source);
	return fxt_emit_close(&e, 0, to);
}

int fxt_prologue_clock(const struct fxt_source *source, bool begins, const struct fxt_sink *to)
{
	struct fxt_emit e;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	fxt_emit_self(e.f);
	put_clock(e.f, source, begins);
	return fxt_emit_close(&e, 0, to);
}

int fxt_prologue_missed(const struct fxt_source *source, __u64 count, __u64 loss_start,
			const struct fxt_sink *to)
{
	__u64 words[3 + FXT_LOSS_BYTES_MAX / 8] = { fxt_thread(FXT_THREAD_SUBJECT), fxt_emit_koid(), fxt_emit_koid() };

	return fxt_sink_put(to, words, 24 + fxt_loss_event(words + 3, FXT_THREAD_SUBJECT, FXTREC_LOST_NESTED,
							   count, loss_start, fxt_clock_ticks(source->clock)));
}

int fxt_prologue_snapshot(const struct fxt_source *source, __u64 taken, const __u64 *covered_from,
			  __u64 log_covered_from, const char *trigger, const struct fxt_sink *to)
{
	size_t length = strnlen(trigger, TRIGGER_BYTES_MAX);
	struct fxt_emit e;
	unsigned int i;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	put_instant(e.f, taken, FXT_STR_SNAPSHOT, 2, 3 + fxt_words(length));
	fxt_emit_word(e.f, FXT_ARG(FXT_ARG_STRING, 1 + fxt_words(length), FXT_STR_TRIGGER,
				   fxt_ref_inline(length)));
	fxt_emit_text(e.f, trigger, length);
	fxt_emit_word(e.f, fxt_arg_uint64(FXT_STR_SINCE));
	fxt_emit_word(e.f, log_covered_from);
	for (i = 0; i < source->cpu_count; i++) {
		put_instant(e.f, taken, FXT_STR_COVERED, 2, 3);
		fxt_emit_word(e.f, fxt_arg_uint32(FXT_STR_CPU, source->cpus[i].cpu));
		fxt_emit_word(e.f, fxt_arg_uint64(FXT_STR_SINCE));
		fxt_emit_word(e.f, covered_from[i]);
	}
	return fxt_emit_close(&e, 0, to);
}
