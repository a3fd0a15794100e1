// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: events. */
#include <errno.h>
#include <string.h>

#include "convert/json/phase.h"
#include "convert/json/read.h"

/* The parts of an event that have fields of records. */
struct event {
	char phase;
	struct fxt_json_phase as;
	struct fxt_json_time ts, duration;
	struct fxt_json_id id;
	__u64 ns;
	int provider;
};

static const struct fxt_json_field *find(const struct fxt_json_reading *g, const char *key)
{
	return fxt_json_value_find(&g->value, FXT_JSON_OF_EVENT, key);
}

static struct fxt_text string_of(const struct fxt_json_reading *g, const char *key)
{
	const struct fxt_json_field *f = find(g, key);

	return f && f->type == FXT_JSON_STRING ? fxt_json_field_string(&g->value, f) :
						 fxt_build_string("");
}

/* Microseconds as a number or in a string; none: 0.  -EINVAL. */
static int time_read(const struct fxt_json_reading *g, const char *key, struct fxt_json_time *time)
{
	const struct fxt_json_field *f = find(g, key);
	struct fxt_text text;

	*time = (struct fxt_json_time){ 0 };
	if (!f)
		return 0;
	text = fxt_json_field_content(&g->value, f);
	return fxt_json_time_parse(time, text.bytes, text.length);
}

/* Whether the record says all that a field does. */
static bool said(const struct fxt_json_reading *g, const struct event *e,
		 const struct fxt_json_field *f)
{
	const struct fxt_text key = fxt_json_field_key(&g->value, f);
	const struct fxt_text value = fxt_json_field_string(&g->value, f);
	bool string = f->type == FXT_JSON_STRING;

	if (fxt_text_equal(&key, "name") || fxt_text_equal(&key, "cat"))
		return string;
	if (fxt_text_equal(&key, "ph") || fxt_text_equal(&key, "pid") ||
	    fxt_text_equal(&key, "tid"))
		return true;
	if (fxt_text_equal(&key, "ts"))
		return !e->ts.negative && !e->ts.cut;
	if (fxt_text_equal(&key, "args"))
		return f->type == FXT_JSON_OBJECT;
	if (fxt_text_equal(&key, "dur"))
		return e->as.type == FXT_EVENT_DURATION_COMPLETE && !e->duration.negative;
	if (fxt_text_equal(&key, "s"))
		return e->phase == 'i' && string && fxt_text_equal(&value, "t");
	if (fxt_text_equal(&key, "bp"))
		return e->phase == 'f' && string && fxt_text_equal(&value, "e");
	if (fxt_text_equal(&key, "id"))
		return fxt_json_type_has_id(e->as.type) && e->id.exact &&
		       (e->id.number || e->as.type != FXT_EVENT_COUNTER);
	if (fxt_text_equal(&key, "id2"))
		return e->id.scope && e->id.found;
	return key.length > 4 && !memcmp(key.bytes, "fxt.", 4);
}

/* The phase, and what else a field that isn't there would say. */
static int missing_read(struct fxt_json_reading *g, const struct event *e)
{
	struct fxt_text text = string_of(g, "ph");
	int err = 0;

	if (g->part == FXT_JSON_PART_SAMPLES)
		err = fxt_build_arg_string(&g->r, fxt_build_string(FXT_JSON_FIELD "ph"),
					   fxt_build_string(FXT_JSON_SAMPLES));
	else if (e->as.kept)
		err = fxt_build_arg_string(&g->r, fxt_build_string(FXT_JSON_FIELD "ph"), text);
	/* Ours bind to the slice around them. */
	if (!err && e->phase == 'f' && !find(g, "bp"))
		err = fxt_build_arg_null(&g->r, fxt_build_string(FXT_JSON_FIELD "bp"));
	if (!err && e->id.scope && e->id.found)
		err = fxt_build_arg_string(&g->r, fxt_build_string(FXT_JSON_FIELD "id2"),
					   fxt_build_string(e->id.scope));
	return err;
}

/* Id2's number, where the record doesn't have it: as field "id", next to its scope. */
static int id2_read(struct fxt_json_reading *g, const struct event *e)
{
	struct fxt_text name = fxt_build_string(FXT_JSON_FIELD "id");
	struct fxt_text string;

	if (!e->id.scope || !e->id.found || (fxt_json_type_has_id(e->as.type) && e->id.exact))
		return 0;
	string = fxt_json_field_content(&g->value, e->id.field);
	return string.length > FXT_STRING_BYTES_MAX ? -E2BIG :
	       fxt_build_arg_string(&g->r, name, string);
}

static int fields_read(struct fxt_json_reading *g, const struct event *e)
{
	int err = missing_read(g, e);
	unsigned int i;

	if (!err)
		err = id2_read(g, e);
	for (i = 0; i < g->value.field_count && !err; i++) {
		const struct fxt_json_field *f = &g->value.fields[i];

		if (f->place == FXT_JSON_OF_EVENT && !said(g, e, f))
			err = fxt_json_arg_read(g, f);
	}
	return err ? err : fxt_json_args_read(g, NULL);
}

/* All of an event but its arguments. */
static int main_read(struct fxt_json_reading *g, const struct event *e)
{
	struct fxt_thread_koids thread;
	__u64 end;
	int err = fxt_json_thread_read(g, &thread);

	if (err)
		return err;
	fxt_build_event(&g->r, e->as.type, e->ns, thread.process, thread.thread,
			string_of(g, "cat"), string_of(g, "name"));
	if (e->as.type == FXT_EVENT_DURATION_COMPLETE) {
		end = e->ns + (e->duration.negative ? 0 : e->duration.ns);
		g->r.event.end = end > FXT_JSON_NS_MAX ? FXT_JSON_NS_MAX : end;
	} else if (fxt_json_type_has_id(e->as.type)) {
		g->r.event.id = e->id.number;
	}
	return 0;
}

/* An event that is longer than a record can be: its text, and a record of the main parts. */
static int whole_read(struct fxt_json_reading *g, const struct event *e)
{
	int err = fxt_json_blob_put(g, FXT_JSON_BLOB_NEXT,
				    fxt_build_text(g->value.json.text.bytes, g->value.json.text.length),
				    e->ns, e->provider);

	if (!err)
		err = main_read(g, e);
	if (err)
		return err;
	/* Two long texts are more than a record can have. */
	if (g->r.name.length + g->r.category.length > FXT_STRING_BYTES_MAX)
		g->r.category.length = 0;
	fxt_build_arg_bool(&g->r, fxt_build_string(FXT_JSON_WHOLE), true);
	err = fxt_json_put(g, e->ns, e->provider);
	return err == -E2BIG ? fxt_json_bad(g, "an event longer than a record") : err;
}

static bool too_long(const struct fxt_json_reading *g)
{
	return string_of(g, "name").length > FXT_STRING_BYTES_MAX ||
	       string_of(g, "cat").length > FXT_STRING_BYTES_MAX;
}

/* The log record that belongs to a message, or that it is. */
static int log_read(struct fxt_json_reading *g, const struct event *e, bool *alone)
{
	struct fxt_text kind = string_of(g, FXT_JSON_KIND), text = string_of(g, "name");
	struct fxt_thread_koids thread;
	int err;

	*alone = fxt_text_equal(&kind, FXT_JSON_KIND_LOG);
	if ((!*alone && !fxt_text_equal(&kind, FXT_JSON_KIND_LOGGED)) ||
	    text.length > FXT_STRING_BYTES_MAX) {
		*alone = false;
		return 0;
	}
	err = fxt_json_thread_read(g, &thread);
	if (err)
		return err;
	fxt_build_log(&g->r, e->ns, thread.process, thread.thread, text);
	return fxt_json_put(g, e->ns, e->provider);
}

/* A buffer that filled up: what our writer makes of provider events. */
static int provider_event_read(struct fxt_json_reading *g, const struct event *e)
{
	const struct fxt_json_field *f = fxt_json_value_find(&g->value, FXT_JSON_OF_ARGS, "event");
	const struct fxt_provider *p = fxt_sorter_provider_at(&g->c->sorter, e->provider);
	struct fxt_json_number number = { .integer = 0 };
	struct fxt_text text;

	if (f) {
		text = fxt_json_field_text(&g->value, f);
		fxt_json_number_parse(&number, text.bytes, text.length);
	}
	fxt_build(&g->r, FXT_KIND_PROVIDER_EVENT, 0);
	g->r.timed = false;
	g->r.of_provider.id = p->id;
	g->r.of_provider.event = number.integer & 0xf;
	return fxt_json_put(g, e->ns, e->provider);
}

static int event_put(struct fxt_json_reading *g, const struct event *e)
{
	struct fxt_text kind = string_of(g, FXT_JSON_KIND);
	bool alone;
	int err = log_read(g, e, &alone);

	if (err || alone)
		return err;
	if (fxt_text_equal(&kind, FXT_JSON_KIND_PROVIDER))
		return provider_event_read(g, e);
	if (fxt_text_equal(&kind, FXT_JSON_KIND_OBJECT))
		return fxt_json_object_read(g, e->ns, e->provider);
	err = main_read(g, e);
	if (err)
		return err;
	err = too_long(g) ? -E2BIG : fields_read(g, e);
	if (!err)
		err = fxt_json_put(g, e->ns, e->provider);
	return err == -E2BIG ? whole_read(g, e) : err;
}

int fxt_json_event_read(struct fxt_json_reading *g)
{
	struct fxt_text phase = string_of(g, "ph");
	struct event e = { .provider = fxt_json_provider_read(g) };

	/* Some end their arrays with an empty one. */
	if (!g->value.field_count)
		return 0;
	if (g->part == FXT_JSON_PART_EVENTS && !phase.length)
		return fxt_json_bad(g, "an event without a phase");
	e.phase = phase.length == 1 ? *phase.bytes : 0;
	if (e.phase == 'M')
		return fxt_json_metadata_read(g);
	e.as = g->part == FXT_JSON_PART_SAMPLES ? fxt_json_phase(0) : fxt_json_phase(e.phase);
	if (time_read(g, "ts", &e.ts))
		return fxt_json_bad(g, "an event whose ts is no number");
	if (e.as.type == FXT_EVENT_DURATION_COMPLETE && time_read(g, "dur", &e.duration))
		return fxt_json_bad(g, "an event whose dur is no number");
	if (e.ts.negative || e.ts.cut)
		fxt_note(&g->c->skipped, e.ts.cut ? "times past 2^63 ns, put there" :
			 "times before 0, put there", 1);
	e.ns = e.ts.negative ? 0 : e.ts.ns;
	fxt_json_id_read(&g->value, &e.id);
	return event_put(g, &e);
}
