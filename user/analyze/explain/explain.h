/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Explains why units of work were late: compares the paths of the slow units of a program with those of its ordinary
 * ones.  Documentation/analysis.rst has the rules and the limits.
 */
#ifndef FXT_ANALYZE_EXPLAIN_H
#define FXT_ANALYZE_EXPLAIN_H

#include "analyze/explain/causes.h"
#include "analyze/explain/units.h"
#include "analyze/statistics/histogram.h"

/* A slow unit takes this many times the time of an ordinary one, at least. */
#define FXT_SLOW_RATIO	1.5
/* The least share of a unit's time that it waits, where all units wait; and ns of a unit's wait, and of all of them. */
#define FXT_WAIT_SHARE	0.2
#define FXT_WAIT_LEAST	FXT_UNIT_WAITS
#define FXT_WAIT_ALL	10e6

enum fxt_unit_kind { FXT_UNIT_REQUEST, FXT_UNIT_MARK, FXT_UNIT_LIFE };

/* Answers: identifier, name in outputs. */
#define FXT_ANSWERS(ROW)							\
	ROW(NOTHING, "nothing-recorded")	/* no unit of the selection */	\
	ROW(QUIET, "nothing-late")						\
	ROW(TAIL, "slow-units")			/* the slow units took longer than the ordinary ones */	\
	ROW(ALL, "all-units")			/* all units waited */

#define FXT_ANSWER_ENUM(id, name)	FXT_ANSWER_##id,
enum fxt_answer {
	FXT_ANSWERS(FXT_ANSWER_ENUM)
};

extern const char *const fxt_answer_names[];

#define FXT_FOUND_MEMBERS	3u

/* A finding: causes with one explanation. */
struct fxt_found {
	enum fxt_finding finding;
	const struct fxt_cause *members[FXT_FOUND_MEMBERS];	/* the greatest first; NULL: none */
	size_t count;			/* number of causes */
	double ns;			/* excess of a slow unit, on average */
	double variance;		/* of ns, as an estimate of the mean */
	double share;			/* of the lateness */
};

#define FXT_EXPLAIN_OTHERS	3u

struct fxt_explain_group {
	const char *name;
	struct fxt_histogram units;	/* durations */
	__u64 threads;			/* threads with units */
	__u64 lives;			/* threads without units */
	__u64 wait;			/* ns that those with units waited */
	__u64 lives_wait;		/* ns that the threads without units waited */
	double score[2];		/* ns of lateness: of units, of lives */
	struct fxt_explain_group *next;
};

struct fxt_explain {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	const char *mark;		/* name of durations; NULL: requests, or lives */
	double quantile;		/* units above it are slow; 0: 0.99, or those that are late, if fewer are */
	__u64 late;			/* ns: less is not late */
	struct fxt_path path;
	struct fxt_units units;
	struct fxt_idle_times idle;
	struct fxt_details details;
	struct fxt_pools pools;
	struct fxt_map by_name;
	struct fxt_explain_group *groups;
	/* The answer. */
	enum fxt_answer answer;
	enum fxt_unit_kind kind;
	const struct fxt_explain_group *group;	/* NULL: marks */
	const struct fxt_explain_group *others[FXT_EXPLAIN_OTHERS];	/* groups that were late, too, the latest first; NULL: none */
	struct fxt_causes causes;
	__u64 count, threads;		/* units and their threads */
	__u64 p50, p99, max;		/* ns of all units */
	__u64 slow_count;		/* slow units; the causes have a sample of them */
	__u64 slow_from;		/* ns, the least duration of a slow unit */
	double slow, ordinary;		/* ns, means */
	double lateness;		/* ns of a slow unit, on average */
	bool spread;			/* slow units did more work, within the usual spread of it: nothing was late */
	struct fxt_found *found;	/* sorted; the last one is not explained */
	size_t found_count;
};

/* Initializes with observers of the machine. */
void fxt_explain_init(struct fxt_explain *e, struct fxt_machine *m, const struct fxt_selection *selection,
		      const char *mark, double quantile, __u64 late);
void fxt_explain_uninit(struct fxt_explain *e);

/* Finds the answer after the machine's end.  Returns 0 or -errno. */
int fxt_explain_solve(struct fxt_explain *e);

/* Returns the group of a thread's name, a new one with the first thread; NULL: -ENOMEM (groups.c). */
struct fxt_explain_group *fxt_explain_group(struct fxt_explain *e, const struct fxt_task *task);

/* Returns whether a thread's lateness matters. */
bool fxt_explain_matters(const struct fxt_explain *e, const struct fxt_task *task);

/* Fills and ranks the groups, after the machine's end.  Returns 0 or -errno. */
int fxt_explain_groups(struct fxt_explain *e);

/* Returns the group of the greatest score of units (0) or lives (1); NULL: none has any. */
const struct fxt_explain_group *fxt_explain_most(const struct fxt_explain *e, unsigned int kind);

/* Keeps the groups with the greatest scores besides the explained one. */
void fxt_explain_others(struct fxt_explain *e);

/* Makes the findings of the causes, sorted (found.c).  Returns 0 or -ENOMEM. */
int fxt_explain_find(struct fxt_explain *e);

#endif
