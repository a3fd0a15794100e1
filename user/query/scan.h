/* SPDX-License-Identifier: GPL-2.0-only */
/* Scans: a pass over the trace with an observer that makes a table's rows. */
#ifndef FXT_QUERY_SCAN_H
#define FXT_QUERY_SCAN_H

#include <stdint.h>

#include "query/query.h"
#include "store/tape.h"

#define FXT_QUERY_COLUMNS	11u	/* of a table, at most */

enum fxt_query_type { FXT_QUERY_NULL, FXT_QUERY_INTEGER, FXT_QUERY_REAL, FXT_QUERY_STRING };

struct fxt_query_value {
	enum fxt_query_type type;
	__s32 length;		/* bytes of string; -1: it is terminated */
	union {
		__s64 integer;
		double real;
		const char *string;	/* in the memory of the scan's pass */
	};
};

struct fxt_query_row {
	struct fxt_query_value v[FXT_QUERY_COLUMNS];
};

struct fxt_query_threads;
struct fxt_query_scan;

/* Column names of a table, separated by commas, in the order of its rows' values. */
struct fxt_query_table {
	const char *name;
	const char *columns;
	bool threads;		/* its rows are those of fxt_query_threads, not of a pass */
	bool moments;		/* each row is put at its ts: those behind a time need no record behind it */
	bool names_threads;	/* it needs these to find threads that have had no event yet */
	const struct fxt_observer_ops *ops;	/* of its observer, the state of which is the scan */
	int (*finish)(struct fxt_query_scan *scan);	/* for each machine, after the end; NULL: nothing to do, as next */
	void (*close)(struct fxt_query_scan *scan);	/* frees what the observer keeps */
};

extern const struct fxt_query_table fxt_query_sched, fxt_query_thread_state, fxt_query_wakeup,
	fxt_query_migration, fxt_query_loss, fxt_query_slice, fxt_query_counter, fxt_query_log,
	fxt_query_thread, fxt_query_process;

/* A log record, until the next event says whether it is the same message. */
struct fxt_query_message {
	bool held;
	__u64 process, thread;
	struct fxt_query_row row;
};

struct fxt_query_scan {
	const struct fxt_query_table *table;
	const struct fxt_query_source *source;
	struct fxt_query_threads *threads;	/* where the table names them */
	struct fxt_query_pass *pass;
	unsigned int slot;		/* of data[], of each machine */
	struct fxt_tape rows;		/* those that the last record ended, in a file where there are many */
	__u64 read;			/* of these */
	__u64 until;			/* ns: rows behind it aren't wanted */
	bool ended;
	struct fxt_map tracks;		/* of slices that are open */
	struct track *first_track, *last_track;	/* in the order of the trace */
	struct fxt_query_message message;
};

/* Begins a pass.  0 or -errno; close in both cases. */
int fxt_query_scan_open(struct fxt_query_scan *scan, const struct fxt_query_table *table,
			const struct fxt_query_source *source, struct fxt_query_threads *threads);
void fxt_query_scan_close(struct fxt_query_scan *scan);

/* 1: the next row; its strings hold until the scan is closed; 0: there is none; -errno. */
int fxt_query_scan_next(struct fxt_query_scan *scan, struct fxt_query_row *row);

/* Whether the machine reads an event itself: facts of the recording, losses, what threads are blocked in. */
bool fxt_query_machines_own(const struct fxt_record *r);

/* For tables: a row.  0 or -errno. */
int fxt_query_row_put(struct fxt_query_scan *scan, const struct fxt_query_row *row);

/* A part of a row's time: known, or hidden by a loss. */
struct fxt_query_piece {
	__u64 from, to;
	bool known;
	bool last;		/* what is known reaches up to the row's end */
};

typedef int (*fxt_query_piece_fn)(struct fxt_query_scan *scan, struct fxt_query_row *row,
				  const struct fxt_query_piece *piece);

/* Sets the first two columns, ts and dur; a piece of no length is left out. */
int fxt_query_piece_put(struct fxt_query_scan *scan, struct fxt_query_row *row, const struct fxt_query_piece *piece,
			fxt_query_piece_fn put);

/* All pieces of what a CPU runs: it is known again behind each of the CPU's losses. */
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

/* Of 64 bits, as Fuchsia's own threads have them: the bits of a signed one, so that different ids stay different. */
static inline struct fxt_query_value fxt_query_id(__u64 id)
{
	return fxt_query_signed((__s64)id);
}

/* NULL where there is none. */
static inline struct fxt_query_value fxt_query_string(const char *string)
{
	return (struct fxt_query_value){ string ? FXT_QUERY_STRING : FXT_QUERY_NULL, -1, { .string = string } };
}

/* A number, or NULL where it isn't known. */
static inline struct fxt_query_value fxt_query_known(bool known, __u64 number)
{
	return known ? fxt_query_number(number) : (struct fxt_query_value){ 0 };
}

#endif
