// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes instants as track events: on their thread's track, or on the process's or the trace's where JSON has such a
 * scope.
 */
#include <errno.h>

#include "stages/pairing.h"
#include "formats/perfetto/write/packet_builder.h"

int fxt_pf_stack_event(struct fxt_pf_file *f, const struct fxt_record *r, __u64 slept)
{
	struct fxt_record shorter = *r;
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_stack_shorten(&shorter);
	fxt_pf_stacks_ready(f);
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_builder_event(&b, f, &shorter, &shorter.name);
	fxt_pf_builder_stack(&b, f, fxt_pf_stack_of(r));
	b.event.has_callstack_weight = slept != 0;
	b.event.callstack_weight = slept;
	return fxt_pf_builder_end(&b, f);
}

/* Finds the track: its thread's; without a thread, its process's or the trace's. */
static int track_of(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	return r->thread.thread ? fxt_pf_track_thread(f, r, uuid) : fxt_pf_track_process(f, r, uuid);
}

static int plain(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = track_of(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_open_instant(f, r->ticks, uuid);
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_builder_event(&b, f, r, &r->name);
	return fxt_pf_builder_end(&b, f);
}

/* Writes the older form: Perfetto finds the process or trace by the scope, and creates no slice for some phases. */
static int older(struct fxt_pf_file *f, const struct fxt_record *r, char phase, enum fxt_pf_scope scope)
{
	Pf__TrackEvent__LegacyEvent *legacy;
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = track_of(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	fxt_pf_builder_event(&b, f, r, &r->name);
	legacy = fxt_pf_builder_legacy(&b, phase);
	legacy->has_instant_event_scope = scope != 0;
	legacy->instant_event_scope = scope;
	return fxt_pf_builder_end(&b, f);
}

/* Returns the phase of JSON's event that is not a slice; 0: it is an instant. */
static char no_slice(const struct fxt_record *r)
{
	const struct fxt_arg *phase = fxt_record_arg(r, FXT_PF_JSON_PHASE);

	if (!phase || phase->type != FXT_ARG_STRING || !phase->string.length)
		return 0;
	if (fxt_text_equal(&phase->string, FXT_JSON_SAMPLES))
		return 'P';
	return *phase->string.bytes && strchr(FXT_PF_JSON_NO_SLICES, *phase->string.bytes) ? *phase->string.bytes : 0;
}

/* Writes a logged event; the reader creates an event only for a message with a category, else a log record alone. */
static int logged(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_record log;
	int err;

	if (r->category.length)
		return fxt_pf_log(f, r, &r->name);
	fxt_pairing_log(&log, r);
	err = fxt_pf_log(f, &log, &log.text);
	return err ? err : plain(f, r);
}

int fxt_pf_instant(struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_arg *scope = fxt_record_arg(r, FXT_PF_JSON_SCOPE);
	int err;

	if (r->event.logged && !fxt_pairing_message(r))
		return logged(f, r);
	err = fxt_pf_sleep(f, r);
	if (err)
		return err < 0 ? err : 0;
	if (fxt_pf_stack_of(r))
		return fxt_pf_stack_event(f, r, 0);
	if (no_slice(r))
		return older(f, r, no_slice(r), 0);
	if (fxt_arg_equal(scope, "g"))
		return older(f, r, 'i', FXT_PF_SCOPE_GLOBAL);
	/* Perfetto rejects an instant of a process without an id. */
	if (fxt_arg_equal(scope, "p") && (r->thread.process || r->thread.thread))
		return older(f, r, 'i', FXT_PF_SCOPE_PROCESS);
	return plain(f, r);
}
