/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the timeline shows, as rows in blocks of time.  Rows come when they end; each is of the block in
 * which it begins, so blocks stay open up to the end, in a file without a name.
 */
#ifndef FXT_PAGE_ROWS_H
#define FXT_PAGE_ROWS_H

#include "store/temporary.h"

/* Rows of a block, but for those that end later. */
#define FXT_PAGE_BLOCK_ROWS	(1u << 16)
#define FXT_PAGE_BLOCK_TEXT	((size_t)8 << 20)	/* bytes of its rows' texts */

/* Of a text, in bytes. */
#define FXT_PAGE_TEXT_MAX	((size_t)16 << 10)

enum fxt_page_kind {
	FXT_PAGE_CPU,
	FXT_PAGE_THREAD,
	FXT_PAGE_SLICE,
	FXT_PAGE_INSTANT,
	FXT_PAGE_COUNTER,
	FXT_PAGE_KINDS,
};

/* What a thread does, as the page shows it. */
enum fxt_page_phase {
	FXT_PAGE_UNKNOWN,
	FXT_PAGE_RUN,
	FXT_PAGE_WAKEUP,	/* it waits for a CPU since it was woken */
	FXT_PAGE_PREEMPTED,
	FXT_PAGE_SLEEP,		/* S */
	FXT_PAGE_IDLE,		/* I */
	FXT_PAGE_PARKED,	/* P */
	FXT_PAGE_BLOCKED,	/* D */
	FXT_PAGE_STOPPED,	/* T */
	FXT_PAGE_TRACED,	/* t */
	FXT_PAGE_THROTTLED,	/* it waits, and its control group has no time left */
	FXT_PAGE_SKIP = 15,	/* no phase: a run of a CPU that is no row of its thread */
};

struct fxt_page_row {
	__u64 from, to;		/* ns from the page's begin */
	union {
		__u64 text;	/* slice, instant: where its text is, and one; 0: it has none */
		__u64 value;	/* counter: bits of a double */
		__u64 context;	/* wait: enum fxt_waker_context */
		__u64 iowait;	/* blocked: 0: not known; 1: no; 2: yes */
	};
	__u32 track;		/* by its kind: a CPU's number, a thread's key, a track's number */
	union {
		__u32 task;	/* CPU: the key and one; 0: not known */
		__u32 waker;	/* wait: the same */
		__u32 function;	/* sleep, blocked: a string's number; 0: none */
		__u32 name;	/* slice, instant: likewise; 0: its text begins with it */
	};
	union {
		__u32 waker_cpu;	/* wait: and one; 0: not known */
		__u32 stack;	/* sleep, blocked: a string's number; 0: none */
		__u32 depth;	/* slice */
	};
	__u16 cpu;		/* thread: where it runs, or in the queue of which it waits */
	__u8 kind;		/* enum fxt_page_kind */
	__u8 phase;		/* thread: enum fxt_page_phase.  slice: 1: its end is not known */
};

#define FXT_PAGE_CHUNK_ROWS	102u

struct fxt_page_rows {
	struct fxt_spool *spool;
	int fd, text_fd;
	__u64 chunks;		/* of the file */
	__u64 text_bytes;	/* of texts, so far */
	__u64 text_before;	/* of these, before the newest block */
	size_t text_filled;	/* of these not in the file yet */
	char *text;
	__u64 put;		/* rows since the last block began */
	struct fxt_page_block {
		__u64 begin;	/* ns */
		__u64 count;	/* of rows */
		__u64 last;	/* its last chunk in the file, and one; 0: none */
		struct fxt_page_chunk {
			__u64 before;	/* the chunk before it, likewise */
			__u32 count;
			__u32 unused;
			struct fxt_page_row rows[FXT_PAGE_CHUNK_ROWS];
		} *chunk;	/* that is filled; NULL: none */
	} *blocks;
	size_t block_count;
};

/* 0 or -errno; uninit in both cases. */
int fxt_page_rows_init(struct fxt_page_rows *rows, struct fxt_spool *spool);
void fxt_page_rows_uninit(struct fxt_page_rows *rows);

/* Puts a row; now: ns of the record that the pass is at.  0 or -errno. */
int fxt_page_rows_put(struct fxt_page_rows *rows, const struct fxt_page_row *row, __u64 now);

/* Puts a text: its place, and one.  0 or -errno. */
int fxt_page_text_put(struct fxt_page_rows *rows, const void *bytes, __u32 count, __u64 *place);

/* After the last: all rows of a block, in no order, in memory that is the caller's.  0 or -errno. */
int fxt_page_rows_get(struct fxt_page_rows *rows, size_t block, struct fxt_page_row **to, size_t *count);

/* The text of a place: its length, at most room; -errno. */
int fxt_page_text_get(struct fxt_page_rows *rows, __u64 place, char *to, size_t room);

/* The block that a time is in. */
size_t fxt_page_rows_block(const struct fxt_page_rows *rows, __u64 ns);

#endif
