// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: events. */
#include <errno.h>
#include <string.h>

#include "stages/pairing.h"
#include "formats/json/read.h"

/* Parts of an event that a record has fields for. */
struct event {
	char phase;
	struct fxt_json_phase as;
	struct fxt_json_time ts, duration;
	struct fxt_json_id id;
	__u64 ns;
	int provider;
};

static const struct fxt_json_field *find(const struct fxt_json_reader *rd, const char *key)
{
	return fxt_json_value_find(&rd->value, FXT_JSON_OF_EVENT, key);
}

static struct fxt_text string_of(const struct fxt_json_reader *rd, const char *key)
{
	struct fxt_text text;

	fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, key, &text);
	return text;
}

/* Reads microseconds, from a number or a string; 0 if absent.  -EINVAL. */
static int time_read(const struct fxt_json_reader *rd, const char *key, struct fxt_json_time *time)
{
	const struct fxt_json_field *f = find(rd, key);
	struct fxt_text text;

	*time = (struct fxt_json_time){ 0 };
	if (!f)
		return 0;
	text = fxt_json_field_content(&rd->value, f);
	return fxt_json_time_parse(time, text.bytes, text.length);
}

/* Returns whether the record itself holds all of a field. */
static bool held(const struct fxt_json_reader *rd, const struct event *e,
		 const struct fxt_json_field *f)
{
	const struct fxt_text key = fxt_json_field_key(&rd->value, f);
	const struct fxt_text value = fxt_json_field_content(&rd->value, f);
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
		return e->as.type == FXT_EVENT_DURATION_COMPLETE && !e->duration.negative && !e->ts.negative;
	if (fxt_text_equal(&key, "s"))
		return e->phase == 'i' && string && fxt_text_equal(&value, "t");
	if (fxt_text_equal(&key, "bp"))
		return e->phase == 'f' && string && fxt_text_equal(&value, "e");
	/* A counter's id is part of its name only if it is a text. */
	if (fxt_text_equal(&key, "id"))
		return fxt_json_type_has_id(e->as.type) && e->id.exact &&
		       ((e->id.number && string) || e->as.type != FXT_EVENT_COUNTER);
	if (fxt_text_equal(&key, "id2"))
		return e->id.of && e->id.found;
	return key.length > 4 && !memcmp(key.bytes, "fxt.", 4);
}

/* Adds arguments for the phase, and for the meaning of absent fields. */
static int missing_read(struct fxt_json_reader *rd, const struct event *e)
{
	struct fxt_text text = string_of(rd, "ph");
	int err = 0;

	if (rd->samples)
		err = fxt_build_arg_string(&rd->r, fxt_build_string(FXT_JSON_FIELD "ph"),
					   fxt_build_string(FXT_JSON_SAMPLES));
	else if (e->as.kept)
		err = fxt_build_arg_string(&rd->r, fxt_build_string(FXT_JSON_FIELD "ph"), text);
	/* Flow ends that this writer adds bind to the enclosing slice. */
	if (!err && e->phase == 'f' && !find(rd, "bp"))
		err = fxt_build_arg_null(&rd->r, fxt_build_string(FXT_JSON_FIELD "bp"));
	/* The duration didn't end. */
	if (!err && e->as.type == FXT_EVENT_DURATION_COMPLETE && !find(rd, "dur"))
		err = fxt_build_arg_null(&rd->r, fxt_build_string(FXT_JSON_FIELD "dur"));
	/* Perfetto doesn't show an asynchronous event without an id. */
	if (!err && e->as.type >= FXT_EVENT_ASYNC_BEGIN && e->as.type <= FXT_EVENT_ASYNC_END && !e->id.found)
		err = fxt_build_arg_null(&rd->r, fxt_build_string(FXT_JSON_FIELD "id"));
	if (!err && e->id.of && e->id.found)
		err = fxt_build_arg_string(&rd->r, fxt_build_string(FXT_JSON_FIELD "id2"),
					   fxt_build_string(e->id.of));
	return err;
}

/* Adds id2's number as field "id", next to its scope, if the record has no number. */
static int id2_read(struct fxt_json_reader *rd, const struct event *e)
{
	struct fxt_text name = fxt_build_string(FXT_JSON_FIELD "id");
	struct fxt_text string;

	if (!e->id.of || !e->id.found || (fxt_json_type_has_id(e->as.type) && e->id.exact))
		return 0;
	string = fxt_json_field_content(&rd->value, e->id.field);
	if (string.length > FXT_STRING_BYTES_MAX)
		return -E2BIG;
	if (e->id.field->type == FXT_JSON_NUMBER && e->as.type != FXT_EVENT_COUNTER)
		name = fxt_build_string(FXT_JSON_FIELD "id" FXT_JSON_AS_TEXT);
	return fxt_build_arg_string(&rd->r, name, string);
}

static int fields_read(struct fxt_json_reader *rd, const struct event *e)
{
	int err = missing_read(rd, e);
	unsigned int i;

	if (!err)
		err = id2_read(rd, e);
	for (i = 0; i < rd->value.field_count && !err; i++) {
		const struct fxt_json_field *f = &rd->value.fields[i];

		if (f->place != FXT_JSON_OF_EVENT || held(rd, e, f))
			continue;
		err = e->as.type == FXT_EVENT_COUNTER ? fxt_json_counter_field_read(rd, f) : fxt_json_arg_read(rd, f);
	}
	return err;
}

/* Shortens a text; blobs hold the whole event then. */
struct fxt_text fxt_json_shortened(struct fxt_text text)
{
	if (text.length <= FXT_STRING_BYTES_MAX)
		return text;
	text.length = FXT_STRING_BYTES_MAX;
	while (((__u8)text.bytes[text.length] & 0xc0) == 0x80)
		text.length--;
	return text;
}

/* Completes the ids of a duration: if only one of the two is present, Perfetto uses it for both. */
static void thread_complete(struct fxt_json_reader *rd, const struct event *e, struct fxt_thread_koids *thread)
{
	bool of_thread = e->as.type == FXT_EVENT_DURATION_BEGIN || e->as.type == FXT_EVENT_DURATION_END ||
			 e->as.type == FXT_EVENT_DURATION_COMPLETE;

	if (of_thread && !find(rd, "tid"))
		thread->thread = thread->process;
	else if (of_thread && !find(rd, "pid"))
		thread->process = thread->thread;
}

/* Reads an event without its arguments. */
static int main_read(struct fxt_json_reader *rd, const struct event *e)
{
	struct fxt_thread_koids thread;
	__u64 end;
	int err = fxt_json_thread_read(rd, &thread);

	if (err)
		return err;
	thread_complete(rd, e, &thread);
	fxt_build_event(&rd->r, e->as.type, e->ns, thread.process, thread.thread,
			fxt_json_shortened(string_of(rd, "cat")), fxt_json_shortened(string_of(rd, "name")));
	if (e->as.type == FXT_EVENT_DURATION_COMPLETE) {
		end = e->ns + (e->duration.negative ? 0 : e->duration.ns);
		/* A duration that starts before 0 keeps its end. */
		if (e->ts.negative)
			end -= end < e->ts.ns ? end : e->ts.ns;
		rd->r.event.end = end > FXT_JSON_NS_MAX ? FXT_JSON_NS_MAX : end;
	} else if (fxt_json_type_has_id(e->as.type)) {
		rd->r.event.id = e->id.number;
	}
	return 0;
}

/* Reads an event that is longer than a record can be: puts its text, and a record of the main parts. */
static int whole_read(struct fxt_json_reader *rd, const struct event *e)
{
	int err;

	if (e->as.type == FXT_EVENT_COUNTER)
		fxt_json_skip(rd, "counters longer than a record, without values");
	err = fxt_json_blob_put(rd, FXT_JSON_BLOB_NEXT,
				    fxt_build_text(rd->value.json.text.bytes, rd->value.json.text.length),
				    e->ns, e->provider);

	if (!err)
		err = main_read(rd, e);
	if (err)
		return err;
	/* Two long texts are longer than a record can be. */
	if (rd->r.name.length + rd->r.category.length > FXT_STRING_BYTES_MAX)
		rd->r.category.length = 0;
	fxt_build_arg_bool(&rd->r, fxt_build_string(FXT_JSON_WHOLE), true);
	err = fxt_json_put(rd, e->ns, e->provider);
	return err == -E2BIG ? fxt_json_bad(rd, "an event longer than a record") : err;
}

static bool too_long(const struct fxt_json_reader *rd)
{
	return string_of(rd, "name").length > FXT_STRING_BYTES_MAX ||
	       string_of(rd, "cat").length > FXT_STRING_BYTES_MAX;
}

/* Reads the log record of a message; *alone: there is no event besides. */
static int log_read(struct fxt_json_reader *rd, const struct event *e, bool *alone)
{
	const struct fxt_json_field *message = fxt_json_value_find(&rd->value, FXT_JSON_OF_ARGS, FXT_LOG_MESSAGE);
	struct fxt_text kind = string_of(rd, FXT_JSON_KIND), text = string_of(rd, "name");
	struct fxt_thread_koids thread;
	int err;

	if (message && message->type != FXT_JSON_STRING)
		message = NULL;
	if (message)
		text = fxt_json_field_content(&rd->value, message);
	*alone = !message && fxt_text_equal(&kind, FXT_JSON_KIND_LOG);
	if ((!*alone && !message && !fxt_text_equal(&kind, FXT_JSON_KIND_LOGGED)) ||
	    text.length > FXT_STRING_BYTES_MAX) {
		*alone = false;
		return 0;
	}
	err = fxt_json_thread_read(rd, &thread);
	if (err)
		return err;
	fxt_build_log(&rd->r, e->ns, thread.process, thread.thread, text);
	return fxt_json_put(rd, e->ns, e->provider);
}

/* Reads a provider event, as fxtrec's writer writes it. */
static int provider_event_read(struct fxt_json_reader *rd, const struct event *e)
{
	const struct fxt_json_field *f = fxt_json_value_find(&rd->value, FXT_JSON_OF_ARGS, "event");
	const struct fxt_provider *p = fxt_sorter_provider_at(rd->c->reading.sorter, e->provider);
	struct fxt_json_number number = { .integer = 0 };
	struct fxt_text text;

	if (f) {
		text = fxt_json_field_text(&rd->value, f);
		fxt_json_number_parse(&number, text.bytes, text.length);
	}
	fxt_build(&rd->r, FXT_KIND_PROVIDER_EVENT, 0);
	rd->r.timed = false;
	rd->r.of_provider.id = p->id;
	rd->r.of_provider.event = number.integer & 0xf;
	return fxt_json_put(rd, e->ns, e->provider);
}

/* Puts a counter, as several records if need be: each has the same fields, and other series. */
static int counter_put(struct fxt_json_reader *rd, const struct event *e)
{
	struct fxt_json_series series = { 0 };
	int err = 0, parts;

	for (parts = 0; !err && !series.ended; parts++) {
		err = main_read(rd, e);
		if (!err)
			err = fields_read(rd, e);
		if (!err)
			err = fxt_json_series_read(rd, &series);
		if (!err)
			err = fxt_json_put(rd, e->ns, e->provider);
	}
	/* The records of the earlier parts were put already. */
	return err == -E2BIG && parts > 1 ? fxt_json_bad(rd, "a counter's series longer than a record") : err;
}

static int other_put(struct fxt_json_reader *rd, const struct event *e)
{
	int err = main_read(rd, e);

	if (!err)
		err = fields_read(rd, e);
	if (!err)
		err = fxt_json_args_read(rd, NULL);
	return err ? err : fxt_json_put(rd, e->ns, e->provider);
}

static int event_put(struct fxt_json_reader *rd, const struct event *e)
{
	struct fxt_text kind = string_of(rd, FXT_JSON_KIND);
	bool alone;
	int err = log_read(rd, e, &alone);

	if (err || alone)
		return err;
	if (fxt_text_equal(&kind, FXT_JSON_KIND_PROVIDER))
		return provider_event_read(rd, e);
	if (fxt_text_equal(&kind, FXT_JSON_KIND_OBJECT))
		return fxt_json_object_read(rd, e->ns, e->provider);
	if (too_long(rd) || rd->value.fieldless)
		return whole_read(rd, e);
	err = e->as.type == FXT_EVENT_COUNTER ? counter_put(rd, e) : other_put(rd, e);
	return err == -E2BIG ? whole_read(rd, e) : err;
}

int fxt_json_event_read(struct fxt_json_reader *rd)
{
	struct fxt_text phase = string_of(rd, "ph");
	struct event e = { .provider = fxt_json_provider_read(rd) };
	int err;

	/* Writers may end their arrays with an empty event. */
	if (!rd->value.field_count)
		return 0;
	if (!rd->samples && !phase.length)
		return fxt_json_bad(rd, "an event without a phase");
	/* If there are several letters, Perfetto uses the first. */
	e.phase = phase.length ? *phase.bytes : 0;
	if (e.phase == 'M')
		return fxt_json_metadata_read(rd);
	e.as = rd->samples ? fxt_json_phase(0) : fxt_json_phase(e.phase);
	e.as.kept |= phase.length > 1;
	/* Newer versions of Perfetto show states with a length; Trace Viewer's steps of this phase have no length. */
	if (e.phase == 'T' && find(rd, "dur")) {
		e.as.type = FXT_EVENT_INSTANT;
		fxt_json_skip(rd, "states of threads (phase T with dur), taken for instants");
	}
	if (!find(rd, "ts") || time_read(rd, "ts", &e.ts))
		return fxt_json_bad(rd, "an event: its ts is missing or no number");
	if (e.as.type == FXT_EVENT_DURATION_COMPLETE && time_read(rd, "dur", &e.duration))
		return fxt_json_bad(rd, "an event: its dur is no number");
	if (e.ts.negative || e.ts.cut)
		fxt_json_skip(rd, e.ts.cut ? "times past 2^63 ns, moved there" :
			      "times before 0, moved there");
	if (e.as.type == FXT_EVENT_DURATION_COMPLETE && e.duration.negative)
		fxt_json_skip(rd, "durations below 0, taken for 0");
	e.ns = e.ts.negative ? 0 : e.ts.ns;
	fxt_json_id_read(&rd->value, &e.id);
	err = fxt_json_id_complete(rd, &e.id, e.as.type);
	return err ? err : event_put(rd, &e);
}
