/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers the threads and handlers that ran while a thread waited. */
#ifndef FXT_ANALYZE_SUSPECTS_H
#define FXT_ANALYZE_SUSPECTS_H

#include "analyze/machine/sleep.h"

/* The kinds from LOCK on are in the order of enum fxt_wait_class. */
#define FXT_CULPRIT_KINDS_TABLE(ROW)	\
	ROW(THREAD, "thread")		\
	ROW(IRQ, "irq")			\
	ROW(SOFTIRQ, "softirq")		\
	ROW(IDLE, "idle")		\
	ROW(THROTTLED, "throttled")	\
	ROW(UNKNOWN, "unknown")		\
	ROW(LOCK, "lock")		\
	ROW(DISK, "disk")		\
	ROW(NETWORK, "network")		\
	ROW(PIPE, "pipe")		\
	ROW(MEMORY, "memory")		\
	ROW(CHILD, "child")		\
	ROW(STOPPED, "stopped")		\
	ROW(KERNEL, "kernel")

#define FXT_CULPRIT_ENUM(id, name)	FXT_CULPRIT_##id,
enum fxt_culprit_kind {
	FXT_CULPRIT_KINDS_TABLE(FXT_CULPRIT_ENUM)
	FXT_CULPRIT_KINDS,
};

extern const char *const fxt_culprit_names[];

/* Returns the kind of a class of waits, which is not UNKNOWN or IDLE. */
static inline enum fxt_culprit_kind fxt_culprit_of_wait(enum fxt_wait_class wait)
{
	return FXT_CULPRIT_LOCK + (wait - FXT_WAIT_LOCK);
}

/* Returns the kind of a handler, or of the state of an idle CPU. */
static inline enum fxt_culprit_kind fxt_culprit_of_interrupt(enum fxt_interrupt interrupt)
{
	return interrupt == FXT_INTERRUPT_IRQ ? FXT_CULPRIT_IRQ :
	       interrupt == FXT_INTERRUPT_SOFTIRQ ? FXT_CULPRIT_SOFTIRQ : FXT_CULPRIT_IDLE;
}

/* A thread, a handler or a state that a waiting thread waited for. */
struct fxt_culprit {
	enum fxt_culprit_kind kind;
	const void *what;	/* struct fxt_task, name of a handler or an idle state, or text of a sleep; else NULL */
	__u64 ns;		/* time in a sum */
};

struct fxt_suspects {
	struct fxt_culprit *of;	/* suspects by number; ns is unused */
	__u32 count, room;
	struct fxt_map named;	/* numbers of suspects with a text, by its address and the kind */
};

#define FXT_SUSPECT_UNKNOWN	0u
#define FXT_SUSPECT_IDLE	1u
#define FXT_SUSPECT_THROTTLED	2u

/* Initializes.  Returns 0 or -ENOMEM. */
int fxt_suspects_init(struct fxt_suspects *suspects, struct fxt_spill *spill);
void fxt_suspects_uninit(struct fxt_suspects *suspects, struct fxt_spill *spill);

/* Adds a suspect.  Returns its number; 0: -ENOMEM. */
__u32 fxt_suspects_add(struct fxt_suspects *suspects, struct fxt_spill *spill, enum fxt_culprit_kind kind,
		       const void *what);

/* Finds or adds a suspect by a text, which has one address.  Returns its number; 0: -ENOMEM. */
__u32 fxt_suspects_named(struct fxt_suspects *suspects, struct fxt_spill *spill, enum fxt_culprit_kind kind,
			 const char *text);

#define FXT_CULPRIT_TITLE_BYTES	(FXT_SLEEP_NAMED_BYTES + 32)

/*
 * Writes "hog:123", "irq eth0", "idle", "idle C6", "throttled", "unknown", or a class and the text of a sleep.  Returns
 * text.
 */
const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *culprit);

#endif
