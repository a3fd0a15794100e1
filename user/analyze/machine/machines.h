/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machines of recordings that are read together, with a state machine for each.  The
 * parts of a recording belong to one machine; the times between its parts are losses.
 */
#ifndef FXT_ANALYZE_MACHINE_MACHINES_H
#define FXT_ANALYZE_MACHINE_MACHINES_H

#include "analyze/machine/origin.h"
#include "model/holes.h"
#include "util/window.h"

struct fxt_machines_one {
	struct fxt_machine m;
	struct fxt_origin origin;
	__u32 file;		/* number of the last file with an input of the machine */
	__u64 from, to;		/* ns, the window as it was requested; ~0: open */
	struct fxt_facts facts;	/* facts of all inputs */
	struct fxt_time_span span;	/* times of all inputs */
	struct fxt_times whole;		/* times of the inputs' files, which a window refers to */
	struct fxt_cpus recorded;	/* CPUs that recorded scheduling */
	struct fxt_hole {
		__u64 from, to;	/* ns, a time that no input has */
	} *holes;
	size_t hole_count, hole_at;
	bool shown;		/* the window has a part of the machine */
};

#define FXT_MACHINES_NONE	(~0U)	/* number of an input with a machine that is not chosen */

struct fxt_machines {
	struct fxt_machines_one *of;	/* machines by number */
	__u32 count;
	__u32 *by_input;		/* machine's number, or FXT_MACHINES_NONE, by the number of the input: a
					 * file, or a machine of a file */
	__u64 keys;			/* keys of tasks so far */
};

/*
 * Finds the machines by the facts of their inputs, and sets the inputs' numbers.  Keeps only
 * the chosen machine, given by number or host name; NULL: all.  Returns 0; -ESRCH: no such
 * machine; -EEXIST: several with that name; -errno; the caller then calls uninit.
 */
int fxt_machines_init(struct fxt_machines *machines, struct fxt_spill *spill,
		      struct fxt_holes_input *inputs, __u32 count, const char *chosen);
void fxt_machines_uninit(struct fxt_machines *machines);

/*
 * Notes the CPUs that an input's scheduling was recorded on, and whether it has wakeups.  The
 * threads on other CPUs aren't known, unless the recorder lists the CPUs that it left out.
 */
void fxt_machines_recorded(struct fxt_machines *machines, __u32 input, const struct fxt_cpus *cpus, bool wakeups);

/* Sets the window of all machines, each on its own clock.  Returns false if the window is empty. */
bool fxt_machines_window(struct fxt_machines *machines, const struct fxt_window *window);

/* Returns the machine of a record, by the record's input; NULL: not chosen. */
static inline struct fxt_machines_one *fxt_machines_of(const struct fxt_machines *machines,
						       const struct fxt_record *r)
{
	__u32 number = machines->by_input[r->input];

	return number == FXT_MACHINES_NONE ? NULL : &machines->of[number];
}

/* Puts losses before a record is put into its machine: the times before it that no input has.  Returns 0 or -errno. */
int fxt_machines_lose(struct fxt_machines_one *one, const struct fxt_record *r);

/* Returns whether an input has recordings of several machines. */
bool fxt_machines_mixed(const struct fxt_machines *machines);

#endif
