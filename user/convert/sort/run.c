// SPDX-License-Identifier: GPL-2.0-only
/* Sorted runs of a sorter's entries, in a file without a name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/sort/run.h"
#include "util/temporary.h"

#define BUFFER_WORDS	(16u << 10)

struct fxt_run {
	struct fxt_merge_source source;
	struct fxt_runs *runs;
	__u64 begin, end;	/* bytes of the file that are still to be read */
	__u64 *buffer;		/* NULL: nothing was read yet */
	size_t room;		/* words that buffer has room for */
	size_t count;		/* words in it */
	size_t at;		/* the current entry's */
};

void fxt_runs_init(struct fxt_runs *runs, struct fxt_entry_tables *tables)
{
	*runs = (struct fxt_runs){ .fd = -1, .tables = tables };
}

void fxt_runs_uninit(struct fxt_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->count; i++)
		free(runs->run[i].buffer);
	free(runs->run);
	if (runs->fd >= 0)
		close(runs->fd);
}

static int file_open(struct fxt_runs *runs)
{
	int fd = fxt_temporary_open();

	if (fd < 0)
		return fd;
	runs->fd = fd;
	return 0;
}

/* Through a buffer; how many bytes they are goes to the run's end. */
static int entries_write(struct fxt_runs *runs, struct fxt_run *run, const struct fxt_key *keys,
			 size_t count, const __u64 *from)
{
	__u64 *buffer = malloc(8 * BUFFER_WORDS);
	size_t filled = 0, i;
	int err = buffer ? 0 : -ENOMEM;

	for (i = 0; i < count && !err; i++) {
		const __u64 *entry = from + keys[i].at;
		size_t words = fxt_entry_words(entry);

		run->end += 8 * words;
		if (filled + words > BUFFER_WORDS) {
			err = fxt_write_all(runs->fd, buffer, 8 * filled);
			filled = 0;
		}
		if (err)
			break;
		if (words > BUFFER_WORDS) {
			err = fxt_write_all(runs->fd, entry, 8 * words);
			continue;
		}
		memcpy(buffer + filled, entry, 8 * words);
		filled += words;
	}
	if (!err)
		err = fxt_write_all(runs->fd, buffer, 8 * filled);
	free(buffer);
	return err;
}

static int room_make(struct fxt_run *run, size_t words)
{
	__u64 *buffer;

	if (words <= run->room)
		return 0;
	buffer = realloc(run->buffer, 8 * words);
	if (!buffer)
		return -ENOMEM;
	run->buffer = buffer;
	run->room = words;
	return 0;
}

/* Has the buffer hold that many words from its current entry on. */
static int run_fill(struct fxt_run *run, size_t need)
{
	int err = room_make(run, need < BUFFER_WORDS ? BUFFER_WORDS : need);

	if (err)
		return err;
	memmove(run->buffer, run->buffer + run->at, 8 * (run->count - run->at));
	run->count -= run->at;
	run->at = 0;
	while (run->count < need) {
		size_t want = 8 * (run->room - run->count);
		ssize_t got;

		if (want > run->end - run->begin)
			want = run->end - run->begin;
		got = pread(run->runs->fd, run->buffer + run->count, want, run->begin);
		if (got < 8)
			return got < 0 ? -errno : -EIO;
		run->begin += got & ~7;
		run->count += got / 8;
	}
	return 0;
}

static int run_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_run *run = (struct fxt_run *)source;
	size_t need = FXT_ENTRY_WORDS;
	int err = 0;

	if (run->count)
		run->at += fxt_entry_words(run->buffer + run->at);
	if (run->at == run->count && run->begin == run->end)
		return 0;
	if (run->count - run->at < need)
		err = run_fill(run, need);
	if (err)
		return err;
	need = fxt_entry_words(run->buffer + run->at);
	if (run->count - run->at < need)
		err = run_fill(run, need);
	*ns = run->buffer[run->at];
	return err ? err : 1;
}

static int run_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	struct fxt_run *run = (struct fxt_run *)source;

	(void)ns;
	return fxt_entry_read(run->runs->tables, run->buffer + run->at, r);
}

int fxt_runs_add(struct fxt_runs *runs, const struct fxt_key *keys, size_t count,
		 const __u64 *words)
{
	struct fxt_run *all = realloc(runs->run, (runs->count + 1) * sizeof(*all));
	struct fxt_run *run;
	int err;

	if (!all)
		return -ENOMEM;
	runs->run = all;
	run = &all[runs->count];
	*run = (struct fxt_run){ .source = { run_next, run_get }, .runs = runs,
				 .begin = runs->bytes, .end = runs->bytes };
	err = runs->fd < 0 ? file_open(runs) : 0;
	if (!err)
		err = entries_write(runs, run, keys, count, words);
	if (err)
		return err;
	runs->bytes = run->end;
	runs->count++;
	return 0;
}

int fxt_runs_merge(struct fxt_runs *runs, struct fxt_merge *merge)
{
	size_t i;
	int err = 0;

	for (i = 0; i < runs->count && !err; i++)
		err = fxt_merge_add(merge, &runs->run[i].source);
	return err;
}
