/* SPDX-License-Identifier: GPL-2.0-only */
/* The waits for work of a thread, found among its sleeps. */
#ifndef FXT_ANALYZE_EXPLAIN_WORKS_H
#define FXT_ANALYZE_EXPLAIN_WORKS_H

#include "analyze/path/path.h"

/* Reads of different objects, and idle sleeps on different objects, that are counted apart for a thread. */
#define FXT_WORKS_READS		4u
#define FXT_WORKS_OBJECTS	8u

/* A class of sleeps in addition: an idle sleep that only a timer ends. */
#define FXT_CYCLE_TIMER		(FXT_PATH_PARKED + 1)

/* Origins of the wakeup that ended a sleep. */
enum fxt_ender {
	FXT_ENDER_OUTSIDE,	/* another program, or an interrupt */
	FXT_ENDER_TIMER,
	FXT_ENDER_UNKNOWN,
	FXT_ENDER_PROGRAM,	/* another process of the same program */
	FXT_ENDER_PROCESS,	/* another thread of the same process */
	FXT_ENDERS,
};

/* A sleep that is over. */
struct fxt_works_sleep {
	const char *reason;	/* text; NULL: none */
	const struct fxt_task *waker;	/* thread that ended it; NULL: none, or not known */
	__u8 wait;		/* enum fxt_wait_class, FXT_PATH_PARKED, or FXT_CYCLE_TIMER */
	__u8 ender;		/* enum fxt_ender */
	__u8 object;		/* of an idle sleep: 1 + index in objects[]; 0: not counted apart */
	bool inside;		/* thread that started the request was answered after this sleep */
};

struct fxt_works {
	__u64 idle, idle_ns;		/* number and ns of idle sleeps */
	__u64 timers, timers_ns;	/* number and ns of sleeps that only a timer ends */
	__u64 inside_ns[FXT_WORKS_OBJECTS + 1];	/* ns of idle sleeps with the mark inside, by their object */
	__u32 timer;			/* bits of the reason of the last sleep that only a timer ends */
	struct fxt_works_read {
		const char *reason;	/* NULL: unused */
		__u64 count, ns;
		bool waits;		/* its ns are a part of the thread's waits */
	} reads[FXT_WORKS_READS];	/* sleeps in reads of pipes and sockets */
	struct fxt_works_object {
		__u32 bits, kind;	/* of the reason; bits 0: unused */
		__u64 object;
		__u64 count, ns;
		__u64 ended[FXT_ENDERS];	/* number of the sleeps by their ends */
		const struct fxt_task *waker;	/* thread that ended most of them, if more than half */
		__u64 votes;
	} objects[FXT_WORKS_OBJECTS];	/* idle sleeps */
};

/* The choice among the sleeps of a thread. */
struct fxt_works_choice {
	const char *read;	/* reason of the reads that wait for work; NULL: idle sleeps do */
	__s64 waited_ns;	/* ns of waits for work that the thread's waits include, less idle sleeps in requests */
	unsigned int requests;	/* objects of idle sleeps within requests: bits by fxt_works_sleep.object */
	bool serves;		/* other programs or interrupts ended idle sleeps */
	bool timers, none;	/* timers are waits for work, too; there are no waits for work */
};

/* Describes and counts the sleep of a thread that an interval ends. */
struct fxt_works_sleep fxt_works_slept(struct fxt_works *works, struct fxt_machine *m, const struct fxt_path *path,
				       const struct fxt_interval *i);

struct fxt_works_choice fxt_works_choose(const struct fxt_works *works);

/* Returns whether a sleep is a wait for work. */
bool fxt_works_is(const struct fxt_works_choice *choice, const struct fxt_works_sleep *sleep);

/* Returns whether a sleep of that class is a wait for anything but work. */
bool fxt_works_waits(unsigned int wait);

#endif
