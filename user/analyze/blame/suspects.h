/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers the threads and handlers that ran while a thread waited. */
#ifndef FXT_ANALYZE_SUSPECTS_H
#define FXT_ANALYZE_SUSPECTS_H

#include "analyze/machine/machine.h"

#define FXT_CULPRIT_KINDS_TABLE(ROW)	\
	ROW(THREAD, "thread")		\
	ROW(IRQ, "irq")			\
	ROW(SOFTIRQ, "softirq")		\
	ROW(IDLE, "idle")		\
	ROW(THROTTLED, "throttled")	\
	ROW(UNKNOWN, "unknown")

#define FXT_CULPRIT_ENUM(id, name)	FXT_CULPRIT_##id,
enum fxt_culprit_kind {
	FXT_CULPRIT_KINDS_TABLE(FXT_CULPRIT_ENUM)
	FXT_CULPRIT_KINDS,
};

extern const char *const fxt_culprit_names[];

/* A thread, a handler or a state that a waiting thread waited for. */
struct fxt_culprit {
	enum fxt_culprit_kind kind;
	const void *what;	/* struct fxt_task, or name of an interrupt's handler; else NULL */
	__u64 ns;		/* time in a sum */
};

struct fxt_suspects {
	struct fxt_culprit *of;	/* suspects by number; ns is unused */
	__u32 count, room;
	struct fxt_map handlers;	/* numbers of interrupts' handlers, by the address of their name */
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

/* Finds or adds a handler.  Returns its number; 0: -ENOMEM. */
__u32 fxt_suspects_handler(struct fxt_suspects *suspects, struct fxt_spill *spill,
			   enum fxt_culprit_kind kind, const char *name);

/* Writes "hog:123", "irq eth0", "idle", "throttled" or "unknown".  Returns text. */
const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *culprit);

#endif
