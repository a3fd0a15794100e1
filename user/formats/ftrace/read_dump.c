// SPDX-License-Identifier: GPL-2.0-only
/* Reads systrace's dump of processes. */
#include <errno.h>
#include <string.h>

#include "formats/ftrace/dump.h"

/* Columns of a line of processes: user, PID, PPID, sizes, wait channel, state, then the name. */
#define NAME_COLUMN	8u
/* Columns of a line of threads: user, PID, TID, then the name, which may have spaces. */
#define COMMAND_COLUMN	3u

struct fxt_dumped {
	struct fxt_dumped *next;
	__u32 process, tid;	/* thread's id; 0: the name is the process's */
	__u8 bytes;
	char name[];
};

void fxt_process_dump_init(struct fxt_process_dump *d, struct fxt_spill *spill)
{
	*d = (struct fxt_process_dump){ .memory.spill = spill };
	d->last = &d->first;
}

void fxt_process_dump_uninit(struct fxt_process_dump *d)
{
	fxt_arena_uninit(&d->memory);
}

static struct fxt_span column_take(struct fxt_span *line)
{
	struct fxt_span column;

	fxt_span_skip_spaces(line);
	column = fxt_span_part(line, ' ');
	return column;
}

static int dumped_add(struct fxt_process_dump *d, __u32 process, __u32 tid, struct fxt_span name)
{
	size_t bytes = name.bytes < 255 ? name.bytes : 255;
	struct fxt_dumped *dumped;

	if (!bytes)
		return 0;
	while (bytes < name.bytes && bytes && ((__u8)name.at[bytes] & 0xc0) == 0x80)
		bytes--;
	dumped = fxt_arena_alloc(&d->memory, sizeof(*dumped) + bytes);
	if (!dumped)
		return -ENOMEM;
	*dumped = (struct fxt_dumped){ .process = process, .tid = tid, .bytes = bytes };
	memcpy(dumped->name, name.at, bytes);
	*d->last = dumped;
	d->last = &dumped->next;
	return 0;
}

/*
 * Reads the head of a table; false: another line.  The second table with a PPID, in older versions, has threads in
 * other columns.
 */
static bool head_read(struct fxt_process_dump *d, struct fxt_span line)
{
	struct fxt_span third;

	if (!fxt_span_is(column_take(&line), "USER") || !fxt_span_is(column_take(&line), "PID"))
		return false;
	third = column_take(&line);
	d->part = fxt_span_is(third, "TID") ? FXT_DUMP_OF_THREADS :
		  fxt_span_is(third, "PPID") && !d->first ? FXT_DUMP_OF_PROCESSES : FXT_DUMP_NONE;
	return true;
}

int fxt_process_dump_line(struct fxt_process_dump *d, struct fxt_span line)
{
	struct fxt_span column;
	__u32 process, tid, i;

	if (fxt_span_is(line, FXT_DUMP_OURS))
		d->part = FXT_DUMP_IGNORED;
	if (d->part == FXT_DUMP_IGNORED || head_read(d, line) || d->part == FXT_DUMP_NONE)
		return 0;
	column_take(&line);
	column = column_take(&line);
	if (!fxt_span_u32(&column, &process) || column.bytes)
		return 0;
	column = column_take(&line);
	if (!fxt_span_u32(&column, &tid) || column.bytes)
		return 0;
	if (d->part == FXT_DUMP_OF_PROCESSES) {
		for (i = COMMAND_COLUMN; i < NAME_COLUMN; i++)
			column_take(&line);
		return dumped_add(d, process, 0, column_take(&line));
	}
	fxt_span_skip_spaces(&line);
	fxt_span_trim(&line);
	return tid ? dumped_add(d, process, tid, line) : 0;
}

/*
 * Puts a process's name.  The dump is from the trace's end: if the text named the process's first thread, that name was
 * valid until then.
 */
static int process_put(struct fxt_ftrace_parser *p, const struct fxt_dumped *dumped)
{
	const struct fxt_feed_thread *t = fxt_map_get(&p->feed.threads, dumped->process);
	__u64 since = t && t->name_bytes ? p->feed.last_ns : 0;

	fxt_build_process_name(&p->feed.r, dumped->process, fxt_build_text(dumped->name, dumped->bytes), since);
	return fxt_feed_put_at(&p->feed, since, p->feed.provider);
}

static int thread_put(struct fxt_ftrace_parser *p, const struct fxt_dumped *dumped)
{
	struct fxt_feed_thread *t = fxt_map_get(&p->feed.threads, dumped->tid);
	__u32 process = t && (t->process_known || t->process_used) ? t->process : dumped->process;

	if (t && t->name_bytes)
		return 0;
	fxt_build_thread_name(&p->feed.r, dumped->tid, process, fxt_build_text(dumped->name, dumped->bytes), 0);
	return fxt_feed_put_at(&p->feed, 0, p->feed.provider);
}

int fxt_process_dump_put(struct fxt_process_dump *d, struct fxt_ftrace_parser *p)
{
	struct fxt_dumped *dumped;
	int err = 0;

	for (dumped = d->first; dumped && !err; dumped = dumped->next)
		err = dumped->tid ? thread_put(p, dumped) : process_put(p, dumped);
	return err;
}
