// SPDX-License-Identifier: GPL-2.0-only
/* Keeps sorted runs of a sorter's entries in an unnamed file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/run.h"
#include "store/temporary.h"
#include "util/array.h"

#define BUFFER_WORDS	(16u << 10)

/* Limit of all runs' windows together, and the least of one window; all have equal size. */
#define WINDOWS_WORDS	(1u << 20)
#define WINDOW_WORDS_MIN	512u

struct fxt_run {
	struct fxt_merge_source source;
	struct fxt_runs *runs;
	__u64 begin, end;	/* unread bytes of the file */
	__u64 *window;		/* NULL: nothing was read yet */
	size_t count;		/* words in the window */
	size_t at;		/* position of the current entry */
};

void fxt_runs_init(struct fxt_runs *runs, struct fxt_entry_tables *tables, struct fxt_spool *spool)
{
	*runs = (struct fxt_runs){ .fd = -1, .tables = tables, .spool = spool };
}

void fxt_runs_uninit(struct fxt_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->count; i++)
		free(runs->run[i].window);
	free(runs->run);
	free(runs->whole);
	if (runs->fd >= 0)
		close(runs->fd);
}

static int file_open(struct fxt_runs *runs)
{
	int fd = fxt_temporary_open(runs->spool);

	if (fd < 0)
		return fd;
	runs->fd = fd;
	return 0;
}

/* Writes entries through a buffer. */
static int entries_write(struct fxt_runs *runs, const struct fxt_keys *keys, const __u64 *from)
{
	__u64 *buffer = malloc(8 * BUFFER_WORDS);
	size_t filled = 0, i;
	int err = buffer ? 0 : -ENOMEM;

	for (i = 0; i < keys->count && !err; i++) {
		const __u64 *entry = from + keys->key[i].at;
		size_t words = fxt_entry_words(entry);

		if (filled + words > BUFFER_WORDS) {
			err = fxt_spool_write(runs->spool, runs->fd, buffer, 8 * filled);
			filled = 0;
		}
		if (err)
			break;
		if (words > BUFFER_WORDS) {
			err = fxt_spool_write(runs->spool, runs->fd, entry, 8 * words);
			continue;
		}
		memcpy(buffer + filled, entry, 8 * words);
		filled += words;
	}
	if (!err)
		err = fxt_spool_write(runs->spool, runs->fd, buffer, 8 * filled);
	free(buffer);
	return err;
}

/* Reads words of the file from an offset on; fails if the file has fewer. */
static int words_read(const struct fxt_runs *runs, __u64 *to, size_t words, __u64 at)
{
	size_t have = 0;

	while (have < 8 * words) {
		ssize_t got = pread(runs->fd, (char *)to + have, 8 * words - have, at + have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		have += got;
	}
	return 0;
}

/* Fills the window from its current entry on. */
static int run_fill(struct fxt_run *run)
{
	struct fxt_runs *runs = run->runs;
	size_t left = run->count - run->at, more = runs->window_words - left;
	int err;

	if (!run->window)
		run->window = malloc(8 * runs->window_words);
	if (!run->window)
		return -ENOMEM;
	if (more > (run->end - run->begin) / 8)
		more = (run->end - run->begin) / 8;
	memmove(run->window, run->window + run->at, 8 * left);
	err = words_read(runs, run->window + left, more, run->begin);
	run->at = 0;
	run->count = left + more;
	run->begin += 8 * more;
	return err;
}

/* Moves to after the current entry, which may end after the window. */
static void run_pass(struct fxt_run *run)
{
	size_t words = fxt_entry_words(run->window + run->at), here = run->count - run->at;

	run->at += words < here ? words : here;
	if (words > here)
		run->begin += 8 * (words - here);
}

static int run_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_run *run = (struct fxt_run *)source;
	int err = 0;

	if (run->count)
		run_pass(run);
	if (run->at == run->count && run->begin == run->end)
		return 0;
	if (run->count - run->at < FXT_ENTRY_WORDS ||
	    run->count - run->at < fxt_entry_words(run->window + run->at))
		err = run_fill(run);
	if (err)
		return err;
	*ns = run->window[run->at];
	return 1;
}

/* Reads a whole entry that the window doesn't hold; there is one at a time. */
static int whole_get(struct fxt_run *run, size_t words, struct fxt_record *r)
{
	struct fxt_runs *runs = run->runs;
	size_t here = run->count - run->at;
	__u64 *whole = runs->whole;
	int err;

	if (words > runs->whole_words) {
		whole = realloc(whole, 8 * words);
		if (!whole)
			return -ENOMEM;
		runs->whole = whole;
		runs->whole_words = words;
	}
	memcpy(whole, run->window + run->at, 8 * here);
	err = words_read(runs, whole + here, words - here, run->begin);
	return err ? err : fxt_entry_read(runs->tables, whole, r);
}

static int run_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	struct fxt_run *run = (struct fxt_run *)source;
	size_t words = fxt_entry_words(run->window + run->at);

	(void)ns;
	if (words > run->count - run->at)
		return whole_get(run, words, r);
	return fxt_entry_read(run->runs->tables, run->window + run->at, r);
}

int fxt_runs_add(struct fxt_runs *runs, const struct fxt_keys *keys, const __u64 *words, size_t count)
{
	struct fxt_run *run;
	int err = fxt_array_more(runs->run, runs->count);

	if (err)
		return err;
	run = &runs->run[runs->count];
	*run = (struct fxt_run){ .source = { .next = run_next, .get = run_get }, .runs = runs,
				 .begin = runs->bytes, .end = runs->bytes + 8 * count };
	err = runs->fd < 0 ? file_open(runs) : 0;
	if (!err)
		err = entries_write(runs, keys, words);
	if (err)
		return err;
	runs->bytes = run->end;
	runs->count++;
	return 0;
}

int fxt_runs_merge(struct fxt_runs *runs, struct fxt_merge *merge)
{
	size_t i, words = WINDOWS_WORDS / (runs->count ? runs->count : 1);
	int err = 0;

	words = words < BUFFER_WORDS ? words : BUFFER_WORDS;
	runs->window_words = words > WINDOW_WORDS_MIN ? words : WINDOW_WORDS_MIN;
	for (i = 0; i < runs->count && !err; i++)
		err = fxt_merge_add(merge, &runs->run[i].source);
	return err;
}
