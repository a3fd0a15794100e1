/* SPDX-License-Identifier: GPL-2.0-only */
/* Scans: a pass through the trace with an observer that makes a table's rows. */
#ifndef FXT_QUERY_SCAN_H
#define FXT_QUERY_SCAN_H

#include <stdint.h>

#include "query/query.h"
#include "store/tape.h"

#define FXT_QUERY_COLUMNS	19u	/* columns of a table at most */

enum fxt_query_type { FXT_QUERY_NULL, FXT_QUERY_INTEGER, FXT_QUERY_REAL, FXT_QUERY_STRING };

struct fxt_query_value {
	enum fxt_query_type type;
	__s32 length;		/* bytes of string; -1: string is terminated */
	union {
		__s64 integer;
		double real;
		const char *string;	/* text in the memory of the scan's pass */
	};
};

struct fxt_query_row {
	struct fxt_query_value v[FXT_QUERY_COLUMNS];
};

struct fxt_query_threads;
struct fxt_query_scan;
struct fxt_reasons;

/* A table: its column names are separated by commas, in the order of its rows' values. */
struct fxt_query_table {
	const char *name;
	const char *columns;
	/* Reads the row of a key from fxt_query_threads; 1; 0: no such row; -errno.  NULL: the rows come from a pass. */
	int (*get)(struct fxt_query_threads *threads, __u64 key, struct fxt_query_row *row);
	bool moments;		/* each row is put at its ts: rows up to a time need no later record */
	bool names_threads;	/* scan needs fxt_query_threads, to find threads without an event so far */
	const struct fxt_observer_ops *ops;	/* operations of the observer; the scan is its state; NULL: no observer */
	int (*open)(struct fxt_query_scan *scan);	/* adds further observers; NULL: no call */
	int (*finish)(struct fxt_query_scan *scan);	/* called for each machine after the last record; NULL: no
							 * call */
	void (*close)(struct fxt_query_scan *scan);	/* frees memory of the observer; NULL: no call */
};

extern const struct fxt_query_table fxt_query_sched, fxt_query_thread_state, fxt_query_wakeup,
	fxt_query_migration, fxt_query_loss, fxt_query_slice, fxt_query_counter, fxt_query_log,
	fxt_query_thread, fxt_query_process, fxt_query_object, fxt_query_lock;

/* A log record, held until the next event shows whether it has the same message. */
struct fxt_query_message {
	bool held;
	__u64 process, thread;
	struct fxt_query_row row;
};

struct fxt_query_scan {
	const struct fxt_query_table *table;
	const struct fxt_query_source *source;
	struct fxt_query_threads *threads;	/* threads of the trace, if table->get or table->names_threads */
	struct fxt_query_pass *pass;
	unsigned int slot;		/* index in data[] of each machine */
	struct fxt_tape rows;		/* rows that the last record ended; a long list is in a file */
	__u64 read;			/* rows read so far */
	__u64 number;			/* number of the row that was read last, the same in each scan: from 1, or its key */
	__u64 key, keys;		/* next key of table->get, and the end of the keys */
	__u64 until;			/* ns, last time of wanted rows */
	bool ended;
	struct fxt_map tracks;		/* tracks of open slices */
	struct track *first_track, *last_track;	/* list of tracks in the trace's order */
	struct fxt_query_message message;
	struct fxt_reasons *locks;	/* sums of locks of each machine */
};

/* Opens a scan of all rows, which may start a pass.  Returns 0 or -errno; the caller closes the scan in both cases. */
int fxt_query_scan_open(struct fxt_query_scan *scan, const struct fxt_query_table *table,
			const struct fxt_query_source *source, struct fxt_query_threads *threads);
void fxt_query_scan_close(struct fxt_query_scan *scan);

/*
 * Reads the next row, with strings that are valid until the scan is closed.  Returns 1; 0 after the last row; -errno.
 */
int fxt_query_scan_next(struct fxt_query_scan *scan, struct fxt_query_row *row);

/*
 * Returns whether the machine itself reads an event: a fact of the recording, a loss, or the
 * function that a thread blocks in.
 */
bool fxt_query_machines_own(const struct fxt_record *r);

/* Adds a row to the scan, for tables.  Returns 0 or -errno. */
int fxt_query_row_put(struct fxt_query_scan *scan, const struct fxt_query_row *row);

/* Part of a row's time: known, or hidden by a loss. */
struct fxt_query_piece {
	__u64 from, to;
	bool known;
	bool last;		/* known time extends to the row's end */
};

typedef int (*fxt_query_piece_fn)(struct fxt_query_scan *scan, struct fxt_query_row *row,
				  const struct fxt_query_piece *piece);

/* Puts a piece with its first two columns, ts and dur; does nothing for an empty piece. */
int fxt_query_piece_put(struct fxt_query_scan *scan, struct fxt_query_row *row, const struct fxt_query_piece *piece,
			fxt_query_piece_fn put);

/* Puts all pieces of a CPU's run: the task is known again after each of the CPU's losses. */
int fxt_query_pieces_put(struct fxt_query_scan *scan, const struct fxt_gaps *gaps, struct fxt_query_row *row,
			 __u64 from, __u64 to, fxt_query_piece_fn put);

static inline struct fxt_query_value fxt_query_number(__u64 number)
{
	return (struct fxt_query_value){ FXT_QUERY_INTEGER, 0, { .integer = number >> 63 ? INT64_MAX : (__s64)number } };
}

static inline struct fxt_query_value fxt_query_signed(__s64 number)
{
	return (struct fxt_query_value){ FXT_QUERY_INTEGER, 0, { .integer = number } };
}

/*
 * Returns a 64-bit id as a signed number with the same bits, so that different ids stay
 * different: Fuchsia's threads have such ids.
 */
static inline struct fxt_query_value fxt_query_id(__u64 id)
{
	return fxt_query_signed((__s64)id);
}

/* Returns a string, or NULL of SQL for NULL. */
static inline struct fxt_query_value fxt_query_string(const char *string)
{
	return (struct fxt_query_value){ string ? FXT_QUERY_STRING : FXT_QUERY_NULL, -1, { .string = string } };
}

/* Returns a copy of a text of the caller's, or NULL of SQL for an empty one. */
static inline struct fxt_query_value fxt_query_text(struct fxt_query_scan *s, const char *text)
{
	return fxt_query_string(*text ? fxt_tasks_string(&s->pass->m->tasks, text) : NULL);
}

/* Returns a number, or NULL of SQL where it isn't known. */
static inline struct fxt_query_value fxt_query_known(bool known, __u64 number)
{
	return known ? fxt_query_number(number) : (struct fxt_query_value){ 0 };
}

#endif
