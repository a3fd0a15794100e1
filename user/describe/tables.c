// SPDX-License-Identifier: GPL-2.0-only
/* What a file's tables hold for events beside scheduling. */
#include <string.h>

#include "describe/emit.h"
#include "describe/tables.h"
#include "fxt/events.h"
#include "select/tracepoints.h"
#include "syscalls.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char *const strings[FXT_STR_EVENTS_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_EVENT_STRINGS(TEXT)
#undef TEXT
};

static void put_string(FILE *f, __u32 index, const char *text)
{
	fxt_emit_word(f, fxt_string(index, strlen(text)));
	fxt_emit_text(f, text, strlen(text));
}

/* One for each number: those without a name have the number in it. */
static void put_syscalls(FILE *f, __u32 first, const char *const *names, size_t count)
{
	char text[32];
	__u32 i;

	for (i = 0; i < FXT_SYSCALLS_MAX; i++) {
		snprintf(text, sizeof(text), "syscall %u", i);
		put_string(f, first + i, i < count && names[i] ? names[i] : text);
	}
}

void fxt_tables_strings(FILE *f, const struct fxt_source *source)
{
	__u32 i;

	if (!source->events)
		return;
	for (i = FXT_STR_BEFORE_EVENTS + 1; i < FXT_STR_EVENTS_END; i++)
		put_string(f, i, strings[i]);
	if (source->events & FXTREC_EVENTS_SYSCALLS) {
		put_syscalls(f, FXT_STR_SYSCALLS, syscalls, COUNT(syscalls));
		put_syscalls(f, FXT_STR_SYSCALLS_COMPAT, syscalls_compat, COUNT(syscalls_compat));
	}
	for (i = 0; source->tracepoints && i < source->tracepoints->string_count; i++)
		put_string(f, FXT_STR_TRACEPOINTS + i, source->tracepoints->strings[i]);
}

void fxt_tables_tracks(FILE *f, const struct fxt_source *source, __u32 cpu, __u64 process)
{
	static const char *const tracks[FXT_TRACKS] = { "irq", "softirq" };
	__u32 track;

	for (track = 0; source->events && track < FXT_TRACKS; track++) {
		__u64 koid = FXT_KOID_TRACK(cpu, track);
		char name[32];

		snprintf(name, sizeof(name), "cpu %u %s", cpu, tracks[track]);
		fxt_emit_thread(f, koid, process, name);
		fxt_emit_word(f, fxt_thread(FXT_THREAD_TRACK(track)));
		fxt_emit_word(f, process);
		fxt_emit_word(f, koid);
	}
}
