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
	double quantile;		/* units above it are slow */
	__u64 late;			/* ns: less is not late */
	struct fxt_path path;
	struct fxt_units units;
	struct fxt_idle_times idle;
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
	struct fxt_found *found;	/* sorted; the last one is not explained */
	size_t found_count;
};

/* Initializes with observers of the machine. */
void fxt_explain_init(struct fxt_explain *e, struct fxt_machine *m, const struct fxt_selection *selection,
		      const char *mark, double quantile, __u64 late);
void fxt_explain_uninit(struct fxt_explain *e);

/* Finds the answer after the machine's end.  Returns 0 or -errno. */
int fxt_explain_solve(struct fxt_explain *e);

/* Makes the findings of the causes, sorted (found.c).  Returns 0 or -ENOMEM. */
int fxt_explain_find(struct fxt_explain *e);

#endif
