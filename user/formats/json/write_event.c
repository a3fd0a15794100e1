// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: events. */
#include <errno.h>
#include <string.h>

#include "codec/provider.h"
#include "formats/json/number.h"
#include "formats/json/write.h"
#include "model/build.h"

void fxt_json_flush(struct fxt_json_writer *w, struct fxt_out *out)
{
	fxt_out_bytes(out, w->text.bytes, w->text.length);
	if (w->text.failed && !out->err)
		out->err = -ENOMEM;
	w->text.length = 0;
	w->comma = w->keyed = false;
}

/* Writes the comma between events. */
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

void fxt_json_put_thread(struct fxt_json_writer *w, __u64 process, __u64 thread)
{
	fxt_json_put_number(w, "pid", process);
	fxt_json_put_number(w, "tid", thread);
}

static void put_phase(struct fxt_json_writer *w, char phase)
{
	const char word[2] = { phase };

	fxt_json_put_word(w, "ph", word);
}

void fxt_json_put_where(struct fxt_json_writer *w, const struct fxt_record *r, __u64 ns,
			char phase)
{
	put_phase(w, phase);
	fxt_json_key(w, "ts");
	fxt_json_put_us(w, ns);
	fxt_json_put_thread(w, r->thread.process, r->thread.thread);
}

static void put_known(struct fxt_json_writer *w, const char *key, const struct fxt_arg *arg)
{
	fxt_json_key(w, key);
	fxt_json_put_field(w, arg);
}

/* Writes the phase, the time and the thread of an event, by its "json." fields where it has them. */
static void put_event_where(struct fxt_json_writer *w, const struct fxt_record *r,
			    const struct fxt_arg *phase)
{
	const struct fxt_arg *time = fxt_json_field(r, FXT_JSON_FIELD "ts");

	if (fxt_json_phase_valid(phase))
		put_known(w, "ph", phase);
	else
		put_phase(w, fxt_json_phase_of(r->event.type));
	fxt_json_key(w, "ts");
	if (fxt_json_time_valid(time))
		fxt_json_put_field(w, time);
	else
		fxt_json_put_us(w, r->ticks);
	fxt_json_put_thread(w, r->thread.process, r->thread.thread);
}

/* Writes the id as "id", or in an object "id2"; an id2 without a scope is written as it was. */
static void put_id(struct fxt_json_writer *w, const struct fxt_record *r)
{
	struct fxt_arg number = { .type = FXT_ARG_POINTER, .uint64 = r->event.id };
	const struct fxt_arg *id = fxt_json_field(r, FXT_JSON_FIELD "id"), *id2 = fxt_json_field(r, FXT_JSON_FIELD "id2");
	bool local = fxt_arg_equal(id2, "local"), scoped = local || fxt_arg_equal(id2, "global");

	if (!id && fxt_json_type_has_id(r->event.type) &&
	    (r->event.type != FXT_EVENT_COUNTER || r->event.id || scoped))
		id = &number;
	if (id && id->type == FXT_ARG_NULL)
		id = NULL;
	if (id && scoped) {
		fxt_json_key(w, "id2");
		fxt_json_open(w, '{');
		put_known(w, local ? "local" : "global", id);
		fxt_json_close(w, '}');
		return;
	}
	if (id)
		put_known(w, "id", id);
	if (id2)
		put_known(w, "id2", id2);
}

static void put_duration(struct fxt_json_writer *w, const struct fxt_record *r)
{
	const struct fxt_arg *kept = fxt_json_field(r, FXT_JSON_FIELD "dur");
	bool back = r->event.end < r->ticks;
	char text[32] = "-", *end;

	if (kept && kept->type == FXT_ARG_NULL)
		return;
	if (fxt_json_time_valid(kept)) {
		put_known(w, "dur", kept);
		return;
	}
	fxt_json_key(w, "dur");
	end = fxt_json_us(text + back, back ? r->ticks - r->event.end : r->event.end - r->ticks);
	fxt_json_raw(w, text, end - text);
}

/* Writes the fields that depend on the type. */
static void put_type(struct fxt_json_writer *w, const struct fxt_record *r,
		     const struct fxt_arg *phase)
{
	const struct fxt_arg *scope = fxt_json_field(r, FXT_JSON_FIELD "s"), *binding = fxt_json_field(r, FXT_JSON_FIELD "bp");

	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		put_duration(w, r);
	else if (r->event.type == FXT_EVENT_INSTANT && !scope && !phase)
		fxt_json_put_word(w, "s", "t");
	else if (r->event.type == FXT_EVENT_FLOW_END && !binding)
		fxt_json_put_word(w, "bp", "e");
	put_id(w, r);
	if (scope)
		put_known(w, "s", scope);
	if (binding && binding->type != FXT_ARG_NULL)
		put_known(w, "bp", binding);
}

static void put_provider(struct fxt_json_writer *w, const struct fxt_record *r)
{
	struct fxt_text name = fxt_build_text(r->provider->name, r->provider->name_bytes);

	fxt_json_put_text(w, FXT_JSON_PROVIDER, &name);
}

/*
 * Returns whether an event needs a category: Trace Viewer drops asynchronous events without one, such as marks in
 * ftrace's text.
 */
static bool category_needed(const struct fxt_record *r)
{
	return r->event.type >= FXT_EVENT_ASYNC_BEGIN && r->event.type <= FXT_EVENT_ASYNC_END;
}

/* Writes the name and category first, then the rest. */
void fxt_json_put_event_fields(struct fxt_json_writer *w, const struct fxt_record *r)
{
	const struct fxt_arg *phase = fxt_json_field(r, FXT_JSON_FIELD "ph");

	fxt_json_put_text(w, "name", &r->name);
	if (r->category.length || category_needed(r))
		fxt_json_put_text(w, "cat", &r->category);
	put_event_where(w, r, phase);
	put_type(w, r, phase);
	fxt_json_put_other_fields(w, r);
	/* The provider shows the origin of the recorder's own events. */
	if (fxt_text_equal(&r->category, "fxtrec"))
		put_provider(w, r);
}

int fxt_json_event_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	const struct fxt_arg *phase = fxt_json_field(r, FXT_JSON_FIELD "ph");
	const struct fxt_arg *whole = f->next ? fxt_record_arg(r, FXT_JSON_WHOLE) : NULL;
	bool continues = r->event.type == FXT_EVENT_COUNTER && fxt_counter_continues(&f->counter, r);

	if (!continues)
		fxt_json_counter_end(f);
	f->next = false;
	if (fxt_arg_equal(phase, FXT_JSON_SAMPLES))
		return fxt_json_sample_write(f, r);
	if (fxt_text_equal(&r->category, "fxtrec"))
		fxt_json_about_write(f, r);
	fxt_json_thread_know(f, r->thread.thread);
	if (whole && fxt_json_arg_whole(whole)) {
		fxt_json_event_text(f, f->text.bytes, f->text.length);
		f->text.length = 0;
		return 0;
	}
	if ((continues && f->counter_open) || (r->event.type == FXT_EVENT_COUNTER && f->counter.full))
		return fxt_json_counter_write(f, r, continues && f->counter_open);
	fxt_json_event_begin(f);
	fxt_json_put_event_fields(&f->json, r);
	if (!fxt_json_field(r, FXT_JSON_FIELD "args"))
		fxt_json_put_all_args(&f->json, r);
	fxt_json_event_end(f);
	return 0;
}

/* Writes a sample's entry: an event without a phase. */
void fxt_json_put_sample(struct fxt_json_writer *w, const struct fxt_record *r)
{
	const struct fxt_arg *id = fxt_json_field(r, FXT_JSON_FIELD "id");

	fxt_json_open(w, '{');
	fxt_json_put_text(w, "name", &r->name);
	fxt_json_key(w, "ts");
	fxt_json_put_us(w, r->ticks);
	fxt_json_put_number(w, "tid", r->thread.thread);
	if (id) {
		fxt_json_key(w, "id");
		fxt_json_put_value(w, id);
	}
	fxt_json_put_other_fields(w, r);
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
	if (r->kind == FXT_KIND_EVENT)
		fxt_json_put_all_args(w, r);
	fxt_json_event_end(f);
	return 0;
}
