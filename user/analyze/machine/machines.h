/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machines of recordings that are read together, a state machine of each.  Parts of one
 * recording are of one; what is in none of its parts is a loss.
 */
#ifndef FXT_ANALYZE_MACHINE_MACHINES_H
#define FXT_ANALYZE_MACHINE_MACHINES_H

#include "analyze/machine/origin.h"
#include "model/holes.h"
#include "util/window.h"

struct fxt_machines_one {
	struct fxt_machine m;
	struct fxt_origin origin;
	__u32 file;		/* the last that it has an input of */
	__u64 from, to;		/* ns: the window as it was asked for; ~0: it is open */
	struct fxt_facts facts;	/* of all of its inputs */
	struct fxt_time_span span;	/* likewise */
	struct fxt_times whole;		/* of their files: what a window is of */
	struct fxt_cpus recorded;	/* CPUs that recorded scheduling */
	struct fxt_hole {
		__u64 from, to;	/* ns that no input has */
	} *holes;
	size_t hole_count, hole_at;
	bool shown;		/* something of it is in the window */
};

#define FXT_MACHINES_NONE	(~0U)	/* of an input of a machine that is not chosen */

struct fxt_machines {
	struct fxt_machines_one *of;	/* by number */
	__u32 count;
	__u32 *by_input;		/* numbers, by that of the input: of a file, or of one of its machines; or NONE */
	__u64 keys;			/* of tasks, so far */
};

/*
 * Which inputs are of one machine follows from what they say; they get its number.  Of these machines only the chosen
 * one is kept, by its number or its host's name; NULL: all.  0; -ESRCH: there is none; -EEXIST: several have that
 * name; -errno; then uninit.
 */
int fxt_machines_init(struct fxt_machines *machines, struct fxt_spill *spill,
		      struct fxt_holes_input *inputs, __u32 count, const char *chosen);
void fxt_machines_uninit(struct fxt_machines *machines);

/*
 * An input's scheduling was recorded on these CPUs, and has wakeups or not.  What threads do on other CPUs isn't known,
 * unless the recorder says which it left out.
 */
void fxt_machines_recorded(struct fxt_machines *machines, __u32 input, const struct fxt_cpus *cpus, bool wakeups);

/* The window of all, each on its own clock; false: nothing is in it. */
bool fxt_machines_window(struct fxt_machines *machines, const struct fxt_window *window);

/* The machine of a record, by the record's input; NULL: it is not chosen. */
static inline struct fxt_machines_one *fxt_machines_of(const struct fxt_machines *machines,
						       const struct fxt_record *r)
{
	__u32 number = machines->by_input[r->input];

	return number == FXT_MACHINES_NONE ? NULL : &machines->of[number];
}

/* Before a record is put into its machine, by the caller: what no input has before it is lost.  0 or -errno. */
int fxt_machines_lose(struct fxt_machines_one *one, const struct fxt_record *r);

/* Whether an input has recordings of several machines. */
bool fxt_machines_mixed(const struct fxt_machines *machines);

#endif
