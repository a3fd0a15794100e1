// SPDX-License-Identifier: GPL-2.0-only
/* Reads the clocks' readings in a recording: the first one, and the last one from the file's end. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/provider.h"
#include "formats/fxt/clock.h"

/* Most words of a reading, and the distance from the end up to where the last one is searched: names may follow it. */
#define WORDS_MAX	32u
#define WINDOW_BYTES	((size_t)256 << 10)
#define SEARCH_BYTES	((__u64)64 << 20)

/* CLOCK_BOOTTIME and CLOCK_MONOTONIC, read one after the other, differ by less unless there was a suspend. */
#define SUSPEND_NS	1000000ULL

/* Words that are equal in all readings of a file: all words except numbers. */
struct pattern {
	__u64 word[WORDS_MAX];
	bool any[WORDS_MAX];
	size_t words;
	size_t monotonic;	/* index of the word with this number */
	__u64 suspended;	/* CLOCK_BOOTTIME - CLOCK_MONOTONIC */
	size_t boottime;
};

/* Returns the index of an argument's number. */
static size_t number_word(const struct fxt_arg *arg)
{
	return arg->at / 8 + arg->words - 1;
}

static bool pattern_make(struct pattern *p, const struct fxt_record *r)
{
	const struct fxt_arg *monotonic = fxt_record_arg(r, "monotonic");
	const struct fxt_arg *boottime = fxt_record_arg(r, "boottime");
	unsigned int i;

	*p = (struct pattern){ .words = r->frame.words };
	if (p->words > WORDS_MAX || r->frame.bytes < 8 * p->words || !monotonic || !boottime ||
	    monotonic->type != FXT_ARG_UINT64 || boottime->type != FXT_ARG_UINT64)
		return false;
	memcpy(p->word, r->frame.data, 8 * p->words);
	p->any[1] = true;
	for (i = 0; i < r->arg_count; i++)
		if (r->args[i].type == FXT_ARG_UINT64)
			p->any[number_word(&r->args[i])] = true;
	p->monotonic = number_word(monotonic);
	p->boottime = number_word(boottime);
	p->suspended = le64toh(p->word[p->boottime]) - le64toh(p->word[p->monotonic]);
	return true;
}

static bool matches(const struct pattern *p, const __u64 *w)
{
	size_t i;

	for (i = 0; i < p->words; i++)
		if (!p->any[i] && w[i] != p->word[i])
			return false;
	return true;
}

/* Returns the last match among the words of a window; NULL: no match. */
static const __u64 *window_search(const struct pattern *p, const __u64 *window, size_t words)
{
	size_t at = words < p->words ? 0 : words - p->words + 1;

	while (at--)
		if (window[at] == p->word[0] && matches(p, window + at))
			return window + at;
	return NULL;
}

/* Copies the last match before the file's end to found. */
static bool file_search(const struct pattern *p, int fd, __u64 *found)
{
	struct stat st;
	__u64 *window = malloc(WINDOW_BYTES);
	const __u64 *match = NULL;
	__u64 end, least, begin;

	end = !window || fstat(fd, &st) ? 0 : st.st_size & ~7ULL;
	least = end > SEARCH_BYTES ? end - SEARCH_BYTES : 0;
	while (!match && end > least) {
		ssize_t got;

		begin = end > WINDOW_BYTES ? end - WINDOW_BYTES : 0;
		got = pread(fd, window, end - begin, begin);
		match = got > 0 ? window_search(p, window, got / 8) : NULL;
		/* The next window overlaps by the words of a match that was cut in two. */
		end = begin ? begin + 8 * (p->words - 1) : 0;
	}
	if (match)
		memcpy(found, match, 8 * p->words);
	free(window);
	return match;
}

static struct fxt_fit_reading reading(const struct pattern *p, const struct fxt_record *r, const __u64 *w)
{
	return (struct fxt_fit_reading){ fxt_provider_ns(r->provider, le64toh(w[1])), le64toh(w[p->monotonic]) };
}

bool fxt_clock_fit(struct fxt_fit *fit, const struct fxt_record *r, int fd)
{
	struct fxt_fit_reading first = { fxt_provider_ns(r->provider, r->ticks), 0 }, last;
	__u64 found[WORDS_MAX];
	struct pattern p;

	if (fxt_arg_number(fxt_record_arg(r, "monotonic"), &first.monotonic))
		return false;
	fxt_fit_one(fit, &first);
	if (fd < 0 || !pattern_make(&p, r) || !file_search(&p, fd, found))
		return true;
	last = reading(&p, r, found);
	/* After a suspend the counter may have stood still, or restarted, anywhere in between. */
	if (le64toh(found[p.boottime]) - last.monotonic - p.suspended + SUSPEND_NS <= 2 * SUSPEND_NS)
		fxt_fit_two(fit, &first, &last);
	return true;
}
