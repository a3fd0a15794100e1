// SPDX-License-Identifier: GPL-2.0-only
/* Reads counters: names of their tracks, and values, in events of their own or with other events. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/event.h"

/* Removes the number after a text's last colon; false where there is none. */
static bool id_cut(char *text, __u64 *id)
{
	char *colon = strrchr(text, ':'), *end;

	if (!colon || colon[1] < '0' || colon[1] > '9')
		return false;
	errno = 0;
	*id = strtoull(colon + 1, &end, 10);
	if (*end || errno)
		return false;
	*colon = 0;
	return true;
}

int fxt_pf_json(struct fxt_pf_reader *rd)
{
	if (rd->json < 0)
		rd->json = fxt_reading_provider(&rd->c->reading, FXT_JSON_OF_JSON, strlen(FXT_JSON_OF_JSON));
	return rd->json < 0 ? rd->json : 0;
}

/* Reads the description of a JSON counter, "counter ID ARGUMENT"; its key is the name. */
static int counter_described(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const char *key, const char *parts)
{
	char *end;
	int err;

	t->id = strtoull(parts, &end, 10);
	err = *end == ' ' ? fxt_pf_text_set(rd, &t->name, key) : -EBADMSG;
	if (!err)
		err = fxt_pf_text_set(rd, &t->arg, end + 1);
	t->ours = t->of_json = !err;
	return err == -EBADMSG ? 0 : err ? err : fxt_pf_json(rd);
}

/* Names a counter. fxtrec's counters are named "name:argument:id" or "name", with the name as the key as well. */
static int counter_name(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const char *name,
			const char *key)
{
	size_t length = key ? strlen(key) : 0;
	char *rest;
	int err;

	t->ours = key && !strcmp(name, key);
	if (t->ours)
		return fxt_pf_text_set(rd, &t->name, name) ? : fxt_pf_text_set(rd, &t->arg, FXT_PF_VALUE_ARG);
	if (!key || strncmp(name, key, length) || name[length] != ':')
		return fxt_pf_text_set(rd, &t->name, name);
	rest = strdup(name + length + 1);
	if (!rest)
		return -ENOMEM;
	t->ours = id_cut(rest, &t->id);
	err = fxt_pf_text_set(rd, &t->name, t->ours ? key : name);
	if (!err && t->ours)
		err = fxt_pf_text_set(rd, &t->arg, rest);
	free(rest);
	return err;
}

int fxt_pf_counter_describe(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const char *name,
			    const char *description, const Pf__CounterDescriptor *counter)
{
	const char *key = counter->y_axis_share_key;
	size_t prefix = strlen(FXT_PF_COUNTER_PREFIX);
	static const char *const builtin[] = { "counter", "thread_time", "instructions" };
	int err = 0;

	t->kind = FXT_PF_TRACK_COUNTER;
	t->id = 0;
	t->multiplier = counter->unit_multiplier ? counter->unit_multiplier : 1;
	t->incremental = counter->is_incremental;
	if (counter->unit || counter->unit_name)
		fxt_skip(rd->c, "units of counters", 1);
	if (counter->n_categories)
		err = fxt_pf_text_set(rd, &t->category, counter->categories[0]);
	if (!name)
		name = builtin[counter->type < 3 ? counter->type : 0];
	if (!err && key && description && !strncmp(description, FXT_PF_COUNTER_PREFIX, prefix)) {
		return counter_described(rd, t, key, description + prefix);
	}
	return err ? err : counter_name(rd, t, name, key);
}

/* Removes the argument with the thread, which is the last one of fxtrec's events on their process's track. */
void fxt_pf_thread_arg_remove(struct fxt_record *r)
{
	struct fxt_arg *arg = r->arg_count ? &r->args[r->arg_count - 1] : NULL;

	if (arg && fxt_text_equal(&arg->name, FXT_PF_THREAD_ARG) &&
	    !fxt_arg_number(arg, &r->thread.thread))
		r->arg_count--;
}

/* Adds to the sum of an incremental counter's values on its sequence, since the state was cleared. */
static int counter_sum(const struct fxt_pf_event_reader *e, const struct fxt_pf_track *t, __s64 *number, double *value)
{
	struct fxt_pf_sum *sum;
	int err;

	sum = fxt_pf_sum(e->rd, e->s, t->uuid, &err);
	if (!sum)
		return err;
	*number = sum->number = (__u64)sum->number + (__u64)*number;
	*value = sum->value += *value;
	return 0;
}

static int counter_put(struct fxt_pf_event_reader *e, struct fxt_pf_track *t, bool real,
		       __s64 number, double value)
{
	struct fxt_record r;
	__u64 process, thread;
	int err = t->incremental ? counter_sum(e, t, &number, &value) : 0;

	if (err)
		return err;
	fxt_pf_track_owner(e->rd, t, &process, &thread);
	fxt_build_event(&r, FXT_EVENT_COUNTER, e->ns, process, thread, fxt_pf_text_of(t->category),
			fxt_pf_text_of(t->name));
	r.event.id = t->id;
	if (t->ours)
		fxt_pf_args(e->rd, e->s, &r, e->event->debug_annotations,
			    e->event->n_debug_annotations);
	fxt_pf_thread_arg_remove(&r);
	if (!t->of_json)
		r.arg_count = 0;
	if (real)
		fxt_build_arg_double(&r, t->ours ? fxt_pf_text_of(t->arg) : fxt_build_string(FXT_PF_VALUE_ARG),
				     value * t->multiplier);
	else
		fxt_build_arg_int(&r, t->ours ? fxt_pf_text_of(t->arg) : fxt_build_string(FXT_PF_VALUE_ARG),
				  (__u64)number * t->multiplier);
	return fxt_pf_put(e->rd, &r, e->ns, t->of_json ? e->rd->json : e->rd->feed.provider);
}

static int extra_put(struct fxt_pf_event_reader *e, const __u64 *uuids, size_t uuid_count,
		     const __s64 *numbers, const double *values, size_t count)
{
	int err = 0;
	size_t i;

	for (i = 0; i < count && i < uuid_count && !err; i++) {
		struct fxt_pf_track *t = fxt_pf_track(e->rd, uuids[i], &err);

		if (t)
			err = counter_put(e, t, values, numbers ? numbers[i] : 0,
					  values ? values[i] : 0);
	}
	return err;
}

int fxt_pf_counter_extras(struct fxt_pf_event_reader *e)
{
	const Pf__TrackEvent *v = e->event;
	bool own = v->n_extra_counter_track_uuids, own_double = v->n_extra_double_counter_track_uuids;
	int err;

	if (!v->n_extra_counter_values && !v->n_extra_double_counter_values)
		return 0;
	err = extra_put(e, own ? (const __u64 *)v->extra_counter_track_uuids : e->s->extra,
			own ? v->n_extra_counter_track_uuids : e->s->extra_count,
			(const __s64 *)v->extra_counter_values, NULL, v->n_extra_counter_values);
	if (err)
		return err;
	return extra_put(e, own_double ? (const __u64 *)v->extra_double_counter_track_uuids :
			 e->s->extra_double,
			 own_double ? v->n_extra_double_counter_track_uuids :
			 e->s->extra_double_count, NULL, v->extra_double_counter_values,
			 v->n_extra_double_counter_values);
}

int fxt_pf_counter(struct fxt_pf_event_reader *e)
{
	int err = fxt_pf_slice_flush(e->rd);

	if (err)
		return err;
	return counter_put(e, e->track, e->event->has_double_counter_value,
			   e->event->counter_value, e->event->double_counter_value);
}
