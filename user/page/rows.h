/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the timeline in blocks of time.  Rows come when they end; each belongs to the block of its begin, so blocks
 * stay open up to the end, in a file without a name.
 */
#ifndef FXT_PAGE_ROWS_H
#define FXT_PAGE_ROWS_H

#include <stdbool.h>

#include "store/temporary.h"

/* Number of rows of a block, without rows that end later. */
#define FXT_PAGE_BLOCK_ROWS	(1u << 16)
#define FXT_PAGE_BLOCK_TEXT	((size_t)8 << 20)	/* bytes of its rows' texts */

/* Limit of a text, in bytes. */
#define FXT_PAGE_TEXT_MAX	((size_t)16 << 10)

enum fxt_page_kind {
	FXT_PAGE_CPU,
	FXT_PAGE_THREAD,
	FXT_PAGE_SLICE,
	FXT_PAGE_INSTANT,
	FXT_PAGE_COUNTER,
	FXT_PAGE_KINDS,
};

/* States of a thread, as the page shows them. */
enum fxt_page_phase {
	FXT_PAGE_UNKNOWN,
	FXT_PAGE_RUN,
	FXT_PAGE_WAKEUP,	/* waits for a CPU since its wakeup */
	FXT_PAGE_PREEMPTED,
	FXT_PAGE_SLEEP,		/* S */
	FXT_PAGE_IDLE,		/* I */
	FXT_PAGE_PARKED,	/* P */
	FXT_PAGE_BLOCKED,	/* D */
	FXT_PAGE_STOPPED,	/* T */
	FXT_PAGE_TRACED,	/* t */
	FXT_PAGE_THROTTLED,	/* waits, as its control group has no time left */
	FXT_PAGE_SKIP = 15,	/* not a phase: a run of a CPU that is not a row of its thread */
};

struct fxt_page_row {
	__u64 from, to;		/* ns from the page's begin */
	union {
		__u64 text;	/* slice, instant: position of its text + 1; 0: no text */
		__u64 value;	/* counter: bits of a double */
		__u64 context;	/* wait: enum fxt_waker_context */
		struct {	/* sleep, blocked */
			__u32 iowait;	/* blocked: 0: unknown; 1: no; 2: yes */
			__u32 reason;	/* a reason's number; 0: none */
		};
	};
	__u32 track;		/* by its kind: a CPU's number, a thread's key, a track's number */
	union {
		__u32 task;	/* CPU: key + 1; 0: unknown */
		__u32 waker;	/* wait: key + 1; 0: unknown */
		__u32 function;	/* sleep, blocked: a string's number; 0: none */
		__u32 name;	/* slice, instant: a string's number; 0: its text starts with its name */
	};
	union {
		__u32 waker_cpu;	/* wait: CPU + 1; 0: unknown */
		__u32 stack;	/* sleep, blocked: a string's number; 0: none */
		__u32 depth;	/* slice */
	};
	__u16 cpu;		/* thread: CPU that it runs on, or waits for */
	__u8 kind;		/* enum fxt_page_kind */
	/* thread: enum fxt_page_phase; slice: 1: its end is unknown; CPU: 1: run is a row of the task's thread, too */
	__u8 phase;
};

#define FXT_PAGE_CHUNK_ROWS	102u

struct fxt_page_rows {
	struct fxt_spool *spool;
	int fd, text_fd;
	__u64 chunks;		/* number of chunks in the file */
	__u64 text_bytes;	/* bytes of all texts so far */
	__u64 text_before;	/* text_bytes at the begin of the newest block */
	size_t text_filled;	/* bytes of texts that are not in the file yet */
	char *text;
	__u64 put;		/* rows since the last block began */
	struct fxt_page_block {
		__u64 begin;	/* ns */
		__u64 count;	/* number of rows, a shared row as two */
		__u64 last;	/* number of its last chunk in the file + 1; 0: none */
		struct fxt_page_chunk {
			__u64 before;	/* number of the previous chunk + 1; 0: none */
			__u32 count;
			__u32 unused;
			struct fxt_page_row rows[FXT_PAGE_CHUNK_ROWS];
		} *chunk;	/* chunk that is being filled; NULL: none */
	} *blocks;
	size_t block_count;
};

/* Initializes the rows.  0 or -errno; to be uninitialized in both cases. */
int fxt_page_rows_init(struct fxt_page_rows *rows, struct fxt_spool *spool);
void fxt_page_rows_uninit(struct fxt_page_rows *rows);

/* Returns whether a row stands for a second one: the run of a thread that the CPU's run is. */
static inline bool fxt_page_row_shared(const struct fxt_page_row *row)
{
	return row->kind == FXT_PAGE_CPU && row->phase;
}

/* Puts a row; now: ns of the pass's current record.  0 or -errno. */
int fxt_page_rows_put(struct fxt_page_rows *rows, const struct fxt_page_row *row, __u64 now);

/* Puts a text; *place is its position + 1.  0 or -errno. */
int fxt_page_text_put(struct fxt_page_rows *rows, const void *bytes, __u32 count, __u64 *place);

/*
 * Gets, after the last row, all rows of a block, in the order of their ends, in memory that the caller frees.  A shared
 * row has become two.  0 or -errno.
 */
int fxt_page_rows_get(struct fxt_page_rows *rows, size_t block, struct fxt_page_row **to, size_t *count);

/* Gets the text of a place; returns its length, at most room; -errno. */
int fxt_page_text_get(struct fxt_page_rows *rows, __u64 place, char *to, size_t room);

/* Returns the block that holds a time. */
size_t fxt_page_rows_block(const struct fxt_page_rows *rows, __u64 ns);

#endif
