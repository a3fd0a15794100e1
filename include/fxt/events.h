/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The tracks of a CPU, and the strings of a recording with events beside scheduling.
 *
 * These strings follow those of every recording (FXT_LINUX_STRINGS).  The names of system
 * calls start at FXT_STR_SYSCALLS, those of 32-bit programs at FXT_STR_SYSCALLS_COMPAT,
 * and the words of tracepoints at FXT_STR_TRACEPOINTS.  Stacks start at FXT_STR_STACKS:
 * the reader symbolizes and writes them when they first occur.
 */
#ifndef FXT_EVENTS_H
#define FXT_EVENTS_H

#include "../uapi/fxtrec.h"
#include "linux.h"

/*
 * A CPU's own tracks.  Each is a thread of the recorder's process, and follows the tracks of
 * losses in the thread table.  Events of the CPU as a whole are on the first track.
 */
enum fxt_track {
	FXT_TRACK_IRQ,
	FXT_TRACK_SOFTIRQ,
	FXT_TRACK_MIGRATIONS,	/* this and later tracks are in every recording, earlier ones only with events */
	FXT_TRACK_THROTTLING,
	FXT_TRACKS,
};

#define FXT_THREAD_TRACK(track)	(FXT_THREAD_LOSSES + FXTREC_RINGS + (track))
#define FXT_KOID_TRACK(cpu, track) (0x41000000ULL | (__u64)(track) << 16 | (cpu))

#define FXT_FAMILY_ITEMS(bit, name, id, tracepoints, items)	items
#define FXT_EVENT_STRINGS(X)	FXT_FAMILIES(FXT_FAMILY_ITEMS, FXT_NONE, FXT_NONE, X)

#define FXT_STR_ENUM(name, text) FXT_STR_##name,
enum fxt_event_string {
	FXT_STR_BEFORE_EVENTS = FXT_STR_END - 1,
	FXT_EVENT_STRINGS(FXT_STR_ENUM)
	FXT_STR_EVENTS_END,
};
#undef FXT_STR_ENUM

/* System calls below this number have their own name in each of the two tables. */
#define FXT_SYSCALLS_MAX	512u
#define FXT_STR_SYSCALLS	0x400u
#define FXT_STR_SYSCALLS_COMPAT	(FXT_STR_SYSCALLS + FXT_SYSCALLS_MAX)

/* Words of the recorded tracepoints: subsystems, names, fields. */
#define FXT_STR_TRACEPOINTS	(FXT_STR_SYSCALLS_COMPAT + FXT_SYSCALLS_MAX)

/* Strings of stacks and functions.  An index is reused when the table is full. */
#define FXT_STR_STACKS		0x4000u
#define FXT_STACKS_MAX		(FXT_STRING_INDEX_MAX + 1 - FXT_STR_STACKS)

_Static_assert(FXT_STR_EVENTS_END <= FXT_STR_SYSCALLS, "string tables");

#endif
