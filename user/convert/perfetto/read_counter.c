// SPDX-License-Identifier: GPL-2.0-only
/* Values of counters, in events of their own, or with others. */
#include "convert/perfetto/read_event.h"

/* The last argument of fxtrec's events on their process's track is the thread. */
void fxt_pf_thread_arg_remove(struct fxt_record *r)
{
	struct fxt_arg *arg = r->arg_count ? &r->args[r->arg_count - 1] : NULL;

	if (arg && fxt_text_equal(&arg->name, FXT_PF_THREAD_ARG) &&
	    !fxt_arg_number(arg, &r->thread.thread))
		r->arg_count--;
}

static int counter_put(struct fxt_pf_event_reader *e, struct fxt_pf_track *t, bool real,
		       __s64 number, double value)
{
	struct fxt_record r;
	__u64 process, thread;

	fxt_pf_track_owner(e->rd, t, &process, &thread);
	if (t->incremental)
		number = t->value = (__u64)t->value + (__u64)number;
	fxt_build_event(&r, FXT_EVENT_COUNTER, e->ns, process, thread, fxt_pf_text_of(t->category),
			fxt_pf_text_of(t->name));
	r.event.id = t->id;
	if (t->ours)
		fxt_pf_args(e->rd, e->s, &r, e->event->debug_annotations,
			    e->event->n_debug_annotations);
	fxt_pf_thread_arg_remove(&r);
	r.arg_count = 0;
	if (real)
		fxt_build_arg_double(&r, t->ours ? fxt_pf_text_of(t->arg) : fxt_build_string("value"),
				     value * t->multiplier);
	else
		fxt_build_arg_int(&r, t->ours ? fxt_pf_text_of(t->arg) : fxt_build_string("value"),
				  (__u64)number * t->multiplier);
	return fxt_pf_put(e->rd, &r, e->ns, e->rd->tool);
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
