/* SPDX-License-Identifier: GPL-2.0-only */
/* What ran while a thread waited for a CPU, in sums. */
#ifndef FXT_ANALYZE_CULPRITS_H
#define FXT_ANALYZE_CULPRITS_H

#include "analyze/machine.h"

#define FXT_CULPRIT_KINDS_TABLE(ROW)	\
	ROW(THREAD, "thread")		\
	ROW(IRQ, "irq")			\
	ROW(SOFTIRQ, "softirq")		\
	ROW(IDLE, "idle")		\
	ROW(UNKNOWN, "unknown")

#define FXT_CULPRIT_ENUM(id, name)	FXT_CULPRIT_##id,
enum fxt_culprit_kind {
	FXT_CULPRIT_KINDS_TABLE(FXT_CULPRIT_ENUM)
	FXT_CULPRIT_KINDS,
};

extern const char *const fxt_culprit_names[];

struct fxt_culprit {
	enum fxt_culprit_kind kind;
	bool used;
	const void *who;	/* a struct fxt_task; the name of an interrupt's handler; else NULL */
	__u64 ns;
};

/* All zero is empty: a hash table. */
struct fxt_culprits {
	struct fxt_culprit *slots;
	unsigned int used;
	unsigned int bits;	/* log2 of the number of slots */
	__u64 ns;		/* of all */
};

/* 0 or -ENOMEM; spill: where the table is, the same in all calls. */
int fxt_culprits_add(struct fxt_culprits *c, struct fxt_spill *spill, enum fxt_culprit_kind kind,
		     const void *who, __u64 ns);
int fxt_culprits_merge(struct fxt_culprits *c, struct fxt_spill *spill, const struct fxt_culprits *other);

/* Makes it empty, and keeps its memory. */
void fxt_culprits_clear(struct fxt_culprits *c, struct fxt_spill *spill);
void fxt_culprits_uninit(struct fxt_culprits *c, struct fxt_spill *spill);

/* A heap array of c->used culprits, the greatest first; NULL where it is empty, or no memory is left. */
struct fxt_culprit *fxt_culprits_sorted(const struct fxt_culprits *c, struct fxt_spill *spill);

/* "hog:123", "irq eth0", "idle", "unknown"; returns text. */
const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *culprit);

/* What a CPU runs: the kind, and who it is. */
enum fxt_culprit_kind fxt_culprit_of(const struct fxt_cpu *cpu, const struct fxt_task *task,
				     enum fxt_interrupt interrupt, const char *handler, const void **who);

#endif
