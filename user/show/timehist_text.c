// SPDX-License-Identifier: GPL-2.0-only
/* Rows of context switches as text. */
#include <errno.h>
#include <string.h>

#include "analyze/machine/sleep.h"
#include "show/timehist.h"
#include "util/digits.h"
#include "util/time.h"
#include "util/utf8.h"

#define FLUSH_BYTES	((size_t)64 << 10)
#define NAME_WIDTH	30u
#define WAKER_WIDTH	20u
#define ROW_BYTES	1024u

/* Puts the tool's own text; fxt_utf8_show() puts a trace's names. */
static inline char *text_put(char *at, const char *text)
{
	for (; *text; text++)
		*at++ = *text;
	return at;
}

/* Puts a column of spaces, to be overwritten from its start; returns its end. */
static inline char *column(char *at, unsigned int width)
{
	memset(at, ' ', width);
	return at + width;
}

static inline char *later(char *a, char *b)
{
	return a > b ? a : b;
}

/* Puts "comm[tid/pid]", as perf does: with the process if the thread isn't its first one. */
static char *name_put(char *at, const struct fxt_task *task)
{
	if (!task->key)
		return text_put(at, "<idle>");
	at = fxt_utf8_show(at, task->name);
	*at++ = '[';
	at = fxt_digits(at, task->tid);
	if (task->process && task->process->pid != task->tid) {
		*at++ = '/';
		at = fxt_digits(at, task->process->pid);
	}
	*at++ = ']';
	return at;
}

/* Puts the thread that woke another, and its context if it was only interrupted; or "timer". */
static char *waker_put(char *at, const struct fxt_timehist_row *r)
{
	if (fxt_context_is_timer(r->context))
		return text_put(at, "timer");
	at = name_put(at, r->waker);
	if (!r->context)
		return at;
	*at++ = ' ';
	return text_put(at, fxt_context_name(r->context));
}

/* Puts the class and the reason of the sleep before a run: "lock: futex 0x7f40, held by worker[12]". */
static char *reason_put(char *at, const struct fxt_timehist_row *r)
{
	char text[FXT_SLEEP_TEXT_BYTES];

	at = text_put(at, fxt_wait_class_name(r->class));
	if (!r->reason->bits)
		return at;
	at = text_put(at, ": ");
	at = fxt_utf8_show(at, fxt_sleep_write(r->m, text, sizeof(text), r->reason, r->holder));
	if (!r->holder || r->reason->bits & FXT_REASON_JOIN)
		return at;
	return name_put(text_put(at, ", held by "), r->holder);
}

/* Puts milliseconds with three decimals, right-aligned to 11 columns; "?" for an unknown time. */
static char *ms_put(char *at, __u64 ns)
{
	__u64 us = ns / 1000, ms = us / 1000;
	char *end = column(at, 11), *first = end - 4;

	if (ns == FXT_TIMEHIST_UNKNOWN) {
		end[-1] = '?';
		return end;
	}
	if (ms >= 1000000) {
		end = first = fxt_digits(at + 1, ms);
		end += 4;
	} else {
		for (at = first; ms >= 10; ms /= 10)
			*--at = '0' + ms % 10;
		*--at = '0' + ms;
	}
	*first = '.';
	fxt_digits_padded(first + 1, us % 1000, 3);
	return end;
}

/* Puts seconds with six decimals, right-aligned to 15 columns. */
static char *seconds_put(char *at, __u64 ns)
{
	char digits[24];
	unsigned int length = fxt_digits(digits, ns / SECOND_NS) - digits, i;

	column(at, 8);
	at += length < 8 ? 8 - length : 0;
	for (i = 0; i < length; i++)
		*at++ = digits[i];
	*at++ = '.';
	return fxt_digits_padded(at, ns % SECOND_NS / 1000, 6);
}

void fxt_timehist_flush(struct fxt_timehist_view *v)
{
	if (v->rows.length)
		fwrite_unlocked(v->rows.bytes, 1, v->rows.length, v->out);
	v->rows.length = 0;
}

int fxt_timehist_text_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	char *line = fxt_buffer_room(&v->rows, ROW_BYTES), *at = line, *end;

	if (!line)
		return -ENOMEM;
	if (v->several) {
		end = column(at, 8);
		at = later(fxt_digits(at, r->task->machine), end);
	}
	at = seconds_put(at, r->ns);
	at = text_put(at, " [");
	at = r->cpu->id < 10000 ? fxt_digits_padded(at, r->cpu->id, 4) : fxt_digits(at, r->cpu->id);
	at = text_put(at, "]  ");
	end = column(at, NAME_WIDTH);
	at = later(name_put(at, r->task), end);
	at = ms_put(at, r->wait);
	at = ms_put(at, r->delay);
	at = ms_put(at, r->run);
	end = column(at, 5 + 3 + 7 + WAKER_WIDTH + 2) - 7 - WAKER_WIDTH - 2;
	text_put(at + 5, r->task->key ? fxt_switch_view_letters(r->view) : "I");
	at = end;
	if (r->from_cpu >= 0)
		at = fxt_digits(end + 2, r->from_cpu);
	if (r->waker)
		at = waker_put(later(at, end + 7), r);
	if (r->reason)
		at = reason_put(later(at, end + 7 + WAKER_WIDTH) + 2, r);
	while (at[-1] == ' ')
		at--;
	*at++ = '\n';
	v->rows.length += at - line;
	if (v->rows.length > FLUSH_BYTES)
		fxt_timehist_flush(v);
	return 0;
}
