/* SPDX-License-Identifier: GPL-2.0-only */
/* All that ran while a thread waited, numbered. */
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

/* All that ran anywhere while a thread waited, numbered. */
struct fxt_culprit {
	enum fxt_culprit_kind kind;
	const void *what;	/* a struct fxt_task; the name of an interrupt's handler; else NULL */
	__u64 ns;		/* of some sum */
};

struct fxt_suspects {
	struct fxt_culprit *of;	/* by number; ns is unused */
	__u32 count, room;
	struct fxt_map handlers;	/* numbers of interrupts' handlers, by the address of their name */
};

#define FXT_SUSPECT_UNKNOWN	0u
#define FXT_SUSPECT_IDLE	1u
#define FXT_SUSPECT_THROTTLED	2u

/* 0 or -ENOMEM. */
int fxt_suspects_init(struct fxt_suspects *suspects, struct fxt_spill *spill);
void fxt_suspects_uninit(struct fxt_suspects *suspects, struct fxt_spill *spill);

/* The number of a new one; 0: -ENOMEM. */
__u32 fxt_suspects_add(struct fxt_suspects *suspects, struct fxt_spill *spill, enum fxt_culprit_kind kind,
		       const void *what);

/* The number of a handler; 0: -ENOMEM. */
__u32 fxt_suspects_handler(struct fxt_suspects *suspects, struct fxt_spill *spill,
			   enum fxt_culprit_kind kind, const char *name);

/* "hog:123", "irq eth0", "idle", "throttled", "unknown"; returns text. */
const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *culprit);

#endif
