// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: events. */
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

void fxt_json_event_begin(struct fxt_json_file *f)
{
	if (f->any_event)
		fxt_out_text(f->events, ",\n{");
	else
		fxt_out_text(f->events, "{");
	f->any_event = true;
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
static void put_field(struct fxt_out *out, const struct fxt_arg *arg)
{
	struct fxt_text key = arg->name;

	if (fxt_json_arg_is_text(arg, &key))
		fxt_out_bytes(out, arg->string.bytes, arg->string.length);
	else
		fxt_json_put_value(out, arg);
}

static void put_other_fields(struct fxt_out *out, const struct fxt_record *r)
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
		fxt_json_put_key(out, true, &key);
		put_field(out, arg);
	}
}

void fxt_json_put_where(struct fxt_out *out, const struct fxt_record *r, __u64 ns, char phase)
{
	char *start = fxt_out_room(out, 128), *at = start;

	memcpy(at, ",\"ph\":\"", 7);
	at[7] = phase;
	memcpy(at + 8, "\",\"ts\":", 7);
	at = fxt_json_us(at + 15, ns);
	memcpy(at, ",\"pid\":", 7);
	at = fxt_digits(at + 7, r->thread.process);
	memcpy(at, ",\"tid\":", 7);
	at = fxt_digits(at + 7, r->thread.thread);
	fxt_out_took(out, at - start);
}

/* The same where arguments say some of it. */
static void put_where_said(struct fxt_out *out, const struct fxt_record *r,
			   const struct fields *s)
{
	char *start;

	if (phase_valid(s->phase)) {
		fxt_out_text(out, ",\"ph\":");
		put_field(out, s->phase);
	} else {
		fxt_out_text(out, ",\"ph\":\"");
		*fxt_out_room(out, 1) = fxt_json_phase_of(r->event.type);
		fxt_out_took(out, 1);
		fxt_out_text(out, "\"");
	}
	fxt_out_text(out, ",\"ts\":");
	if (time_valid(s->time)) {
		put_field(out, s->time);
	} else {
		start = fxt_out_room(out, 24);
		fxt_out_took(out, fxt_json_us(start, r->ticks) - start);
	}
	fxt_json_put_number(out, ",\"pid\":", r->thread.process);
	fxt_json_put_number(out, ",\"tid\":", r->thread.thread);
}

/* One that is neither local nor global, as it was. */
static void put_id2(struct fxt_out *out, const struct fxt_arg *id2)
{
	fxt_out_text(out, ",\"id2\":");
	put_field(out, id2);
}

static void put_id(struct fxt_out *out, const struct fxt_record *r, const struct fields *s)
{
	struct fxt_arg id = { .type = FXT_ARG_POINTER, .uint64 = r->event.id };
	bool local = fxt_arg_equal(s->id2, "local") || fxt_arg_equal(s->id2, "global");

	if (!s->id && (!fxt_json_type_has_id(r->event.type) ||
		       (r->event.type == FXT_EVENT_COUNTER && !id.uint64 && !local))) {
		if (s->id2)
			put_id2(out, s->id2);
		return;
	}
	if (local) {
		fxt_out_text(out, ",\"id2\":{");
		fxt_json_put_value(out, s->id2);
		fxt_out_text(out, ":");
	} else {
		fxt_out_text(out, ",\"id\":");
	}
	put_field(out, s->id ? s->id : &id);
	if (local)
		fxt_out_text(out, "}");
	else if (s->id2)
		put_id2(out, s->id2);
}

static void put_duration(struct fxt_out *out, const struct fxt_record *r)
{
	bool back = r->event.end < r->ticks;
	char *start = fxt_out_room(out, 40), *at = start;

	memcpy(at, back ? ",\"dur\":-" : ",\"dur\":", 8);
	at = fxt_json_us(at + (back ? 8 : 7), back ? r->ticks - r->event.end :
						     r->event.end - r->ticks);
	fxt_out_took(out, at - start);
}

/* What a type of event has besides. */
static void put_type(struct fxt_out *out, const struct fxt_record *r, const struct fields *s)
{
	switch (r->event.type) {
	case FXT_EVENT_DURATION_COMPLETE:
		put_duration(out, r);
		break;
	case FXT_EVENT_INSTANT:
		if (!s->scope && !s->phase)
			fxt_out_text(out, ",\"s\":\"t\"");
		break;
	case FXT_EVENT_FLOW_END:
		if (!s->binding)
			fxt_out_text(out, ",\"bp\":\"e\"");
		break;
	default:
		break;
	}
	if (fxt_json_type_has_id(r->event.type) || s->id || s->id2)
		put_id(out, r, s);
	if (s->scope) {
		fxt_out_text(out, ",\"s\":");
		put_field(out, s->scope);
	}
	if (s->binding && s->binding->type != FXT_ARG_NULL) {
		fxt_out_text(out, ",\"bp\":");
		put_field(out, s->binding);
	}
}

static void put_provider(struct fxt_out *out, const struct fxt_record *r)
{
	struct fxt_text name = fxt_build_text(r->provider->name, r->provider->name_bytes);

	fxt_out_text(out, ",\"" FXT_JSON_PROVIDER "\":");
	fxt_json_put_string(out, &name);
}

/* Name and category first, and the rest, up to the object's end. */
static void put_event(struct fxt_out *out, const struct fxt_record *r, const struct fields *s)
{
	fxt_out_text(out, "\"name\":");
	fxt_json_put_string(out, &r->name);
	if (r->category.length) {
		fxt_out_text(out, ",\"cat\":");
		fxt_json_put_string(out, &r->category);
	}
	if (s->any)
		put_where_said(out, r, s);
	else
		fxt_json_put_where(out, r, r->ticks, fxt_json_phase_of(r->event.type));
	put_type(out, r, s);
	if (s->others)
		put_other_fields(out, r);
	/* Ours tell by their provider what they are about. */
	if (fxt_text_equal(&r->category, "fxtrec"))
		put_provider(out, r);
	if (s->plain && !s->args) {
		fxt_json_put_types(out, r, NULL);
		fxt_out_text(out, ",\"args\":{");
		fxt_json_put_args(out, r, false, NULL);
		fxt_out_text(out, "}");
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
		fxt_json_event_begin(f);
		fxt_out_bytes(f->events, f->text.bytes + 1, f->text.length - 1);
		f->text.length = 0;
		return 0;
	}
	fxt_json_event_begin(f);
	put_event(f->events, r, &s);
	fxt_out_text(f->events, "}");
	return 0;
}

/* A sample's entry: an event without a phase. */
void fxt_json_put_sample(struct fxt_out *out, const struct fxt_record *r)
{
	struct fields s;
	char *start;

	fields_find(&s, r);
	fxt_out_text(out, "{\"name\":");
	fxt_json_put_string(out, &r->name);
	fxt_out_text(out, ",\"ts\":");
	start = fxt_out_room(out, 24);
	fxt_out_took(out, fxt_json_us(start, r->ticks) - start);
	fxt_json_put_number(out, ",\"tid\":", r->thread.thread);
	if (s.id) {
		fxt_out_text(out, ",\"id\":");
		fxt_json_put_value(out, s.id);
	}
	put_other_fields(out, r);
	fxt_out_text(out, "}");
}

int fxt_json_kind_write(struct fxt_json_file *f, const struct fxt_record *r, const char *kind,
			char phase, const struct fxt_text *name)
{
	struct fxt_out *out = f->events;

	fxt_json_event_begin(f);
	fxt_out_text(out, "\"name\":");
	fxt_json_put_string(out, name);
	fxt_out_text(out, ",\"cat\":");
	if (r->kind == FXT_KIND_EVENT) {
		fxt_json_put_string(out, &r->category);
	} else {
		fxt_out_text(out, "\"log\"");
	}
	fxt_json_put_where(out, r, r->ticks, phase);
	fxt_out_text(out, ",\"s\":\"t\",\"" FXT_JSON_KIND "\":\"");
	fxt_out_text(out, kind);
	fxt_out_text(out, "\"");
	put_provider(out, r);
	if (r->kind == FXT_KIND_EVENT && r->arg_count) {
		fxt_json_put_types(out, r, NULL);
		fxt_out_text(out, ",\"args\":{");
		fxt_json_put_args(out, r, false, NULL);
		fxt_out_text(out, "}");
	}
	fxt_out_text(out, "}");
	return 0;
}
