// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: events. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "codec/provider.h"
#include "convert/json/number.h"
#include "convert/json/phase.h"
#include "convert/json/write.h"
#include "model/build.h"
#include "util/digits.h"

/* What its arguments say of an event that its record doesn't. */
struct fields {
	const struct fxt_arg *phase, *id, *id2, *scope, *time, *binding, *args;
	bool plain;		/* any argument that is none */
	bool any;		/* argument that is a field */
	bool others;		/* besides these */
	bool whole;		/* blobs have all of it */
};

void fxt_json_flush(struct fxt_json_writer *w, struct fxt_out *out)
{
	fxt_out_bytes(out, w->text.bytes, w->text.length);
	if (w->text.failed && !out->err)
		out->err = -ENOMEM;
	w->text.length = 0;
	w->comma = w->keyed = false;
}

/* Behind the comma that is due. */
static void next_event(struct fxt_json_file *f)
{
	if (f->any_event)
		fxt_out_text(f->events, ",\n");
	f->any_event = true;
}

void fxt_json_event_begin(struct fxt_json_file *f)
{
	next_event(f);
	fxt_json_open(&f->json, '{');
}

void fxt_json_event_end(struct fxt_json_file *f)
{
	fxt_json_close(&f->json, '}');
	fxt_json_flush(&f->json, f->events);
}

void fxt_json_event_text(struct fxt_json_file *f, const char *text, size_t count)
{
	next_event(f);
	fxt_out_bytes(f->events, text, count);
}

/* Where such a field's argument goes; NULL for other fields. */
static const struct fxt_arg **known_field(struct fields *s, const struct fxt_text *key)
{
	static const struct {
		const char *key;
		size_t at;
	} known[] = {
		{ "ph", offsetof(struct fields, phase) },
		{ "id", offsetof(struct fields, id) },
		{ "id2", offsetof(struct fields, id2) },
		{ "s", offsetof(struct fields, scope) },
		{ "ts", offsetof(struct fields, time) },
		{ "bp", offsetof(struct fields, binding) },
	};
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (fxt_text_equal(key, known[i].key))
			return (const struct fxt_arg **)((char *)s + known[i].at);
	return NULL;
}

static void field_find(struct fields *s, const struct fxt_arg *arg, struct fxt_text key)
{
	const struct fxt_arg **known;

	fxt_json_arg_is_text(arg, &key);
	known = known_field(s, &key);
	if (known) {
		*known = arg;
		return;
	}
	if (fxt_text_equal(&key, "args"))
		s->args = arg;
	s->others = true;
}

/* Whether an argument can be a phase, or a time: not all records are of our builder. */
static bool phase_valid(const struct fxt_arg *arg)
{
	return arg && arg->type == FXT_ARG_STRING && arg->string.length;
}

static bool time_valid(const struct fxt_arg *arg)
{
	struct fxt_json_time time;

	if (arg && arg->type == FXT_ARG_STRING)
		return !fxt_json_time_parse(&time, arg->string.bytes, arg->string.length);
	return arg && ((arg->type >= FXT_ARG_INT32 && arg->type <= FXT_ARG_UINT64) ||
		       (arg->type == FXT_ARG_DOUBLE && isfinite(arg->real)));
}

static void fields_find(struct fields *s, const struct fxt_record *r)
{
	struct fxt_text key;
	unsigned int i;

	*s = (struct fields){ 0 };
	for (i = 0; i < r->arg_count; i++) {
		if (fxt_json_arg_field(&r->args[i], &key)) {
			s->any = true;
			field_find(s, &r->args[i], key);
		} else if (fxt_json_arg_whole(&r->args[i])) {
			s->whole = true;
		} else {
			s->plain = true;
		}
	}
}

/* A field's value; one that records have no type for is text. */
static void put_field(struct fxt_json_writer *w, const struct fxt_arg *arg)
{
	struct fxt_text key = arg->name;

	if (fxt_json_arg_is_text(arg, &key))
		fxt_json_raw(w, arg->string.bytes, arg->string.length);
	else
		fxt_json_put_value(w, arg);
}

static void put_other_fields(struct fxt_json_writer *w, const struct fxt_record *r)
{
	struct fields none;
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		struct fxt_text key;

		if (!fxt_json_arg_field(arg, &key))
			continue;
		fxt_json_arg_is_text(arg, &key);
		if (known_field(&none, &key))
			continue;
		fxt_json_key_text(w, key.bytes, key.length);
		put_field(w, arg);
	}
}

static void put_thread(struct fxt_json_writer *w, const struct fxt_thread_koids *thread)
{
	fxt_json_key(w, "pid");
	fxt_json_number(w, thread->process);
	fxt_json_key(w, "tid");
	fxt_json_number(w, thread->thread);
}

static void put_phase(struct fxt_json_writer *w, char phase)
{
	const char word[2] = { phase };

	fxt_json_put_word(w, "ph", word);
}

void fxt_json_put_where(struct fxt_json_writer *w, const struct fxt_record *r, __u64 ns, char phase)
{
	put_phase(w, phase);
	fxt_json_key(w, "ts");
	fxt_json_put_us(w, ns);
	put_thread(w, &r->thread);
}

static void put_known(struct fxt_json_writer *w, const char *key, const struct fxt_arg *arg)
{
	fxt_json_key(w, key);
	put_field(w, arg);
}

/* The same where arguments say some of it. */
static void put_where_said(struct fxt_json_writer *w, const struct fxt_record *r,
			   const struct fields *s)
{
	if (phase_valid(s->phase))
		put_known(w, "ph", s->phase);
	else
		put_phase(w, fxt_json_phase_of(r->event.type));
	fxt_json_key(w, "ts");
	if (time_valid(s->time))
		put_field(w, s->time);
	else
		fxt_json_put_us(w, r->ticks);
	put_thread(w, &r->thread);
}

/* In id2's object where the argument says so; any other id2 is as it was. */
static void put_id(struct fxt_json_writer *w, const struct fxt_record *r, const struct fields *s)
{
	struct fxt_arg id = { .type = FXT_ARG_POINTER, .uint64 = r->event.id };
	bool local = fxt_arg_equal(s->id2, "local"), scoped = local || fxt_arg_equal(s->id2, "global");
	bool none = !s->id && (!fxt_json_type_has_id(r->event.type) ||
			       (r->event.type == FXT_EVENT_COUNTER && !id.uint64 && !scoped));

	if (!none && scoped) {
		fxt_json_key(w, "id2");
		fxt_json_open(w, '{');
		put_known(w, local ? "local" : "global", s->id ? s->id : &id);
		fxt_json_close(w, '}');
		return;
	}
	if (!none)
		put_known(w, "id", s->id ? s->id : &id);
	if (s->id2)
		put_known(w, "id2", s->id2);
}

static void put_duration(struct fxt_json_writer *w, const struct fxt_record *r)
{
	bool back = r->event.end < r->ticks;
	char text[32] = "-", *end;

	fxt_json_key(w, "dur");
	end = fxt_json_us(text + back, back ? r->ticks - r->event.end : r->event.end - r->ticks);
	fxt_json_raw(w, text, end - text);
}

/* What a type of event has besides. */
static void put_type(struct fxt_json_writer *w, const struct fxt_record *r, const struct fields *s)
{
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
		put_duration(w, r);
		break;
	case FXT_EVENT_INSTANT:
		if (!s->scope && !s->phase)
			fxt_json_put_word(w, "s", "t");
		break;
	case FXT_EVENT_FLOW_END:
		if (!s->binding)
			fxt_json_put_word(w, "bp", "e");
		break;
	default:
		break;
	}
	if (fxt_json_type_has_id(r->event.type) || s->id || s->id2)
		put_id(w, r, s);
	if (s->scope)
		put_known(w, "s", s->scope);
	if (s->binding && s->binding->type != FXT_ARG_NULL)
		put_known(w, "bp", s->binding);
}

static void put_provider(struct fxt_json_writer *w, const struct fxt_record *r)
{
	struct fxt_text name = fxt_build_text(r->provider->name, r->provider->name_bytes);

	fxt_json_put_text(w, FXT_JSON_PROVIDER, &name);
}

/* Name and category first, then the rest. */
static void put_event(struct fxt_json_writer *w, const struct fxt_record *r, const struct fields *s)
{
	fxt_json_put_text(w, "name", &r->name);
	if (r->category.length)
		fxt_json_put_text(w, "cat", &r->category);
	if (s->any)
		put_where_said(w, r, s);
	else
		fxt_json_put_where(w, r, r->ticks, fxt_json_phase_of(r->event.type));
	put_type(w, r, s);
	if (s->others)
		put_other_fields(w, r);
	/* The provider says what the recorder's own events are about. */
	if (fxt_text_equal(&r->category, "fxtrec"))
		put_provider(w, r);
	if (s->plain && !s->args) {
		fxt_json_put_types(w, r, NULL);
		fxt_json_put_all_args(w, r);
	}
}

int fxt_json_event_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	bool next = f->next;
	struct fields s;

	fields_find(&s, r);
	f->next = false;
	if (fxt_arg_equal(s.phase, FXT_JSON_SAMPLES))
		return fxt_json_sample_write(f, r);
	if (fxt_text_equal(&r->category, "fxtrec"))
		fxt_json_about_write(f, r);
	fxt_json_thread_know(f, r->thread.thread);
	if (s.whole && next) {
		fxt_json_event_text(f, f->text.bytes, f->text.length);
		f->text.length = 0;
		return 0;
	}
	fxt_json_event_begin(f);
	put_event(&f->json, r, &s);
	fxt_json_event_end(f);
	return 0;
}

/* A sample's entry: an event without a phase. */
void fxt_json_put_sample(struct fxt_json_writer *w, const struct fxt_record *r)
{
	struct fields s;

	fields_find(&s, r);
	fxt_json_open(w, '{');
	fxt_json_put_text(w, "name", &r->name);
	fxt_json_key(w, "ts");
	fxt_json_put_us(w, r->ticks);
	fxt_json_key(w, "tid");
	fxt_json_number(w, r->thread.thread);
	if (s.id) {
		fxt_json_key(w, "id");
		fxt_json_put_value(w, s.id);
	}
	put_other_fields(w, r);
	fxt_json_close(w, '}');
}

int fxt_json_kind_write(struct fxt_json_file *f, const struct fxt_record *r, const char *kind,
			char phase, const struct fxt_text *name)
{
	struct fxt_json_writer *w = &f->json;

	fxt_json_event_begin(f);
	fxt_json_put_text(w, "name", name);
	if (r->kind == FXT_KIND_EVENT)
		fxt_json_put_text(w, "cat", &r->category);
	else
		fxt_json_put_word(w, "cat", "log");
	fxt_json_put_where(w, r, r->ticks, phase);
	fxt_json_put_word(w, "s", "t");
	fxt_json_put_word(w, FXT_JSON_KIND, kind);
	put_provider(w, r);
	if (r->kind == FXT_KIND_EVENT && r->arg_count) {
		fxt_json_put_types(w, r, NULL);
		fxt_json_put_all_args(w, r);
	}
	fxt_json_event_end(f);
	return 0;
}
