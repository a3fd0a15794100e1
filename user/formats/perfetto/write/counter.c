// SPDX-License-Identifier: GPL-2.0-only
/* Writes counters: a track of the process for each number, named as Perfetto names it from FXT or from JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"
#include "formats/perfetto/write/track.h"
#include "model/counter.h"

/* Returns the field "id", where the record's number is only a part of it; *number: the field has the id's digits. */
static const struct fxt_arg *id_of(const struct fxt_record *r, bool *number)
{
	const struct fxt_arg *id = fxt_record_arg(r, FXT_PF_JSON_ID);

	*number = !id && fxt_record_arg(r, FXT_PF_JSON_ID_DIGITS);
	return id;
}

/* Names a JSON counter.  Only an id that is a text is part of the name; inexact fields are kept as arguments. */
static int json_name(char **name, const struct fxt_record *r, const struct fxt_text *arg)
{
	char number[24], *text = NULL;
	bool is_number;
	const struct fxt_arg *id = id_of(r, &is_number);
	int length;

	snprintf(number, sizeof(number), "0x%" PRIx64, (uint64_t)r->event.id);
	if (id && id->type == FXT_ARG_STRING)
		text = fxt_text_copy(&id->string);
	else
		text = strdup(!id && !is_number && r->event.id ? number : "");
	if (!text)
		return -ENOMEM;
	length = asprintf(name, "%.*s%s%s %.*s", (int)r->name.length, r->name.bytes, *text ? " id: " : "", text,
			  (int)arg->length, arg->bytes);
	free(text);
	return length < 0 ? -ENOMEM : 0;
}

/*
 * Names a counter as Perfetto's importer of FXT does; a single value, as from ftrace's text and from packets, has only
 * its name.
 */
static int fxt_name(char **name, const struct fxt_record *r, const struct fxt_text *arg)
{
	if (!r->event.id && fxt_text_equal(arg, FXT_PF_VALUE_ARG)) {
		*name = fxt_text_copy(&r->name);
		return *name ? 0 : -ENOMEM;
	}
	return asprintf(name, "%.*s:%.*s:%" PRIu64, (int)r->name.length, r->name.bytes, (int)arg->length, arg->bytes,
			(uint64_t)r->event.id) < 0 ? -ENOMEM : 0;
}

bool fxt_pf_of_json(const struct fxt_record *r)
{
	return fxt_json_is_of(r);
}

/*
 * Describes a counter's track; the name, with the event's name as its key, and the description separate the parts for
 * the reader.
 */
static int track_put(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *arg, __u64 parent,
		     __u64 uuid)
{
	Pf__CounterDescriptor counter = PF__COUNTER_DESCRIPTOR__INIT;
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	char *category = fxt_text_copy(&r->category), *name = NULL, *parts = NULL;
	int err = fxt_pf_of_json(r) ? json_name(&name, r, arg) : fxt_name(&name, r, arg);

	if (!err && fxt_pf_of_json(r) && asprintf(&parts, FXT_PF_COUNTER_PREFIX "%" PRIu64 " %.*s", (uint64_t)r->event.id,
					   (int)arg->length, arg->bytes) < 0)
		err = -ENOMEM;
	counter.y_axis_share_key = fxt_text_copy(&r->name);
	if (!category || !counter.y_axis_share_key)
		err = -ENOMEM;
	counter.n_categories = r->category.length ? 1 : 0;
	counter.categories = &category;
	track.has_parent_uuid = parent != 0;
	track.parent_uuid = parent;
	track.name = name;
	track.description = parts;
	track.counter = &counter;
	if (!err)
		err = fxt_pf_track_put(f, &track, uuid);
	free(category);
	free(counter.y_axis_share_key);
	free(name);
	free(parts);
	return err;
}

static int track_of(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *arg, __u64 *uuid)
{
	bool number;
	const struct fxt_arg *id = id_of(r, &number);
	__u64 parent;
	int known;

	*uuid = fxt_pf_mix(fxt_pf_mix(FXT_PF_OF_COUNTER, r->thread.process), r->event.id);
	*uuid = fxt_pf_mix_text(fxt_pf_mix_text(fxt_pf_mix_text(*uuid, &r->category), &r->name), arg);
	if (id || number)
		*uuid = fxt_pf_mix(*uuid, number ? FXT_ARG_INT64 : id->type);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	known = fxt_pf_track_process(f, r, &parent);
	return known ? known : track_put(f, r, arg, parent, *uuid);
}

/* Sets the event's value; 0 where the argument is a valid number of a counter. */
static int counter_value(Pf__TrackEvent *event, const struct fxt_arg *arg)
{
	__u64 number;

	if (arg->type == FXT_ARG_DOUBLE) {
		event->has_double_counter_value = true;
		event->double_counter_value = arg->real;
		return 0;
	}
	/* JSON allows texts of numbers as a counter's values. */
	if (arg->type == FXT_ARG_STRING && fxt_counter_value(arg, &event->double_counter_value)) {
		event->has_double_counter_value = true;
		return 0;
	}
	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64)
		number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;
	else if (fxt_arg_number(arg, &number))
		return -EINVAL;
	else if (number > INT64_MAX) {
		event->has_double_counter_value = true;
		event->double_counter_value = number;
		return 0;
	}
	event->has_counter_value = true;
	event->counter_value = number;
	return 0;
}

/* Returns whether a name is a field of JSON's event itself, not of its args. */
static bool is_field(const struct fxt_text *name)
{
	return name->length > strlen(FXT_JSON_FIELD) && fxt_json_name_is_field(name);
}

static void fields_put(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		if (is_field(&r->args[i].name))
			fxt_pf_builder_arg(b, f, &r->args[i]);
}

/* Writes a counter, with a track for each of its numbers. */
int fxt_pf_counter_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	unsigned int i;
	int err = fxt_pf_statistic_put(f, r);

	if (err)
		return err < 0 ? err : 0;
	for (i = 0; i < r->arg_count && !err; i++) {
		struct fxt_pf_builder b;
		__u64 uuid;

		if (is_field(&r->args[i].name))
			continue;
		fxt_pf_builder_begin(&b, f, r->ticks, 0, FXT_PF_COUNTER);
		if (counter_value(&b.event, &r->args[i])) {
			fxt_note(&f->c->unheld, "counter arguments that are not numbers", 1);
			continue;
		}
		err = track_of(f, r, &r->args[i].name, &uuid);
		if (err)
			break;
		b.event.track_uuid = uuid;
		fields_put(&b, f, r);
		fxt_pf_builder_thread(&b, r);
		err = fxt_pf_builder_end(&b, f);
	}
	return err;
}
