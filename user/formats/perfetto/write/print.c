// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes texts that programs wrote to trace_marker as the kernel's print events: Perfetto creates slices, counters and
 * operations from them, on its own tracks for such texts.
 */
#include <math.h>

#include "formats/perfetto/write/bundle.h"
#include "model/async.h"
#include "util/digits.h"

/* Longest text: the message has nothing else. */
#define PRINT_MAX	(FXT_PF_MESSAGE_MAX - 4)

struct print {
	size_t length;		/* above PRINT_MAX: the text was too long */
	char text[PRINT_MAX + 1];
};

static void add(struct print *p, const char *bytes, size_t length)
{
	if (p->length < sizeof(p->text) && length < sizeof(p->text) - p->length)
		memcpy(p->text + p->length, bytes, length);
	p->length += length;
}

static void add_char(struct print *p, char c)
{
	add(p, &c, 1);
}

static void add_signed(struct print *p, __s64 number)
{
	char digits[24];

	add(p, digits, fxt_digits_signed(digits, number) - digits);
}

/* Adds the digits of a whole number; false where it is another value. */
static bool add_number(struct print *p, const struct fxt_arg *arg)
{
	char digits[24];
	__u64 number;

	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64) {
		add_signed(p, arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64);
		return true;
	}
	if ((arg->type != FXT_ARG_UINT32 && arg->type != FXT_ARG_UINT64) || fxt_arg_number(arg, &number))
		return false;
	add(p, digits, fxt_digits(digits, number) - digits);
	return true;
}

/* Adds a part of a mark; false where the reader would end the part or the text within it. */
static bool add_part(struct print *p, const struct fxt_text *text)
{
	if (memchr(text->bytes, '|', text->length) || memchr(text->bytes, '\n', text->length))
		return false;
	add(p, text->bytes, text->length);
	return true;
}

/* Adds arguments as Trace Viewer expects them: "key=value;key=value". */
static bool add_args(struct print *p, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];

		if (i)
			add_char(p, ';');
		if (!add_part(p, &arg->name))
			return false;
		add_char(p, '=');
		if (arg->type == FXT_ARG_STRING ? !add_part(p, &arg->string) : !add_number(p, arg))
			return false;
	}
	return true;
}

/* Adds the part after a name: arguments and the category. */
static bool add_tail(struct print *p, const struct fxt_record *r)
{
	if (!r->arg_count && !r->category.length)
		return true;
	add_char(p, '|');
	if (!add_args(p, r))
		return false;
	if (!r->category.length)
		return true;
	add_char(p, '|');
	return add_part(p, &r->category);
}

/* Adds the name of a slice, which may contain one '|' where no arguments follow. */
static bool slice(struct print *p, const struct fxt_record *r)
{
	const char *bar = memchr(r->name.bytes, '|', r->name.length);
	size_t before = bar ? (size_t)(bar + 1 - r->name.bytes) : 0;
	struct fxt_text rest = { .bytes = r->name.bytes + before, .length = r->name.length - before };

	if (bar && (r->arg_count || r->category.length || memchr(rest.bytes, '=', rest.length)))
		return false;
	add(p, r->name.bytes, before);
	return add_part(p, &rest) && add_tail(p, r);
}

static bool counter(struct print *p, const struct fxt_record *r)
{
	const struct fxt_arg *value = &r->args[0];
	char text[32];

	if (r->arg_count != 1 || r->event.id || !fxt_text_equal(&value->name, FXT_PF_VALUE_ARG) || !add_part(p, &r->name))
		return false;
	add_char(p, '|');
	if (value->type == FXT_ARG_DOUBLE && isfinite(value->real))
		add(p, text, fxt_digits_double(text, value->real) - text);
	else if (!add_number(p, value))
		return false;
	if (!r->category.length)
		return true;
	add_char(p, '|');
	return add_part(p, &r->category);
}

/* Adds an operation's name, and the cookie that the reader hashes; or the track, the name and the cookie. */
static bool operation(struct print *p, const struct fxt_record *r)
{
	const struct fxt_text *track = fxt_pf_track_name(r), *scope = track ? track : &r->name;
	__s64 cookie = fxt_async_mark_id(r->event.id, scope->bytes, scope->length);

	if (r->arg_count != (track ? 1 : 0) || r->category.length || cookie != (__s32)cookie || !scope->length)
		return false;
	if (track && !add_part(p, track))
		return false;
	if (track && r->name.length)
		add_char(p, '|');
	if (!add_part(p, &r->name))
		return false;
	if (r->event.type == FXT_EVENT_ASYNC_INSTANT)
		return track && !cookie;
	add_char(p, '|');
	add_signed(p, cookie);
	return true;
}

/* Returns the letter of a mark for an event; 0: there is no such mark. */
static char letter_of(const struct fxt_record *r)
{
	bool track = fxt_pf_track_name(r);

	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
		return 'I';
	case FXT_EVENT_COUNTER:
		return 'C';
	case FXT_EVENT_DURATION_BEGIN:
		return 'B';
	case FXT_EVENT_DURATION_END:
		return 'E';
	case FXT_EVENT_ASYNC_BEGIN:
		return track ? 'G' : 'S';
	case FXT_EVENT_ASYNC_END:
		return track ? 'H' : 'F';
	case FXT_EVENT_ASYNC_INSTANT:
		return 'N';
	default:
		return 0;
	}
}

/* Returns whether an event is a plain text: a log record and an event; in a recording, Perfetto's log shall show it. */
static bool plain(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_INSTANT && r->event.logged && fxt_text_equal(&r->category, "mark") &&
	       !r->arg_count && !f->recorded;
}

static bool print_set(struct print *p, const struct fxt_record *r)
{
	char letter = letter_of(r);

	if (!letter || !r->thread.process || r->thread.process > INT32_MAX)
		return false;
	add_char(p, letter);
	add_char(p, '|');
	add_signed(p, r->thread.process);
	if (letter == 'E' && !r->name.length && !r->arg_count && !r->category.length)
		return true;
	if (letter != 'E' && !r->name.length && letter != 'H')
		return false;
	add_char(p, '|');
	if (letter == 'C')
		return counter(p, r);
	return letter == 'B' || letter == 'I' || letter == 'E' ? slice(p, r) : operation(p, r);
}

int fxt_pf_mark_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r)
{
	struct fxt_pf_event e = { .ns = r->ticks, .pid = r->thread.thread, .field = FXT_PF_PRINT };
	struct fxt_pf_message m = { .length = 0 };
	struct print p = { .length = 0 };
	bool text = plain(f, r);
	int err;

	if ((r->category.length && !text) || !fxt_pf_process_follows(f, r))
		return 0;
	if (text)
		add(&p, r->name.bytes, r->name.length);
	if (!text && !print_set(&p, r))
		return 0;
	if (p.length > PRINT_MAX) {
		fxt_note(&f->c->unheld, "marks too long for a print event, written as track events", 1);
		return 0;
	}
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, FXT_PF_FULL);
	if (err)
		return err;
	fxt_pf_message_bytes(&m, 2, p.text, p.length);
	fxt_pf_bundle_add(f, cpu, &e, &m);
	return 1;
}
