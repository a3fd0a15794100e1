// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records. */
#include "codec/decode.h"

/* A thread by its koid alone. */
static struct fxt_thread_koids koid_decode(struct fxt_cursor *c, const char *missing)
{
	__u32 at = c->at;

	return (struct fxt_thread_koids){ .thread = fxt_cursor_word(c, missing), .at = at };
}

void fxt_decode_context_switch(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 20, 35);
	r->sched.state = fxt_field(r->header, 36, 39);
	fxt_decode_ticks(c, r);
	r->sched.outgoing = koid_decode(c, "ends before its outgoing thread");
	r->sched.incoming = koid_decode(c, "ends before its incoming thread");
	fxt_decode_args(c, r, fxt_field(r->header, 16, 19));
}

void fxt_decode_wakeup(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 20, 35);
	fxt_decode_ticks(c, r);
	r->sched.incoming = koid_decode(c, "ends before its waking thread");
	fxt_decode_args(c, r, fxt_field(r->header, 16, 19));
}

void fxt_decode_legacy_switch(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 16, 23);
	r->sched.state = fxt_field(r->header, 24, 27);
	r->sched.outgoing_priority = fxt_field(r->header, 44, 51);
	r->sched.incoming_priority = fxt_field(r->header, 52, 59);
	fxt_decode_ticks(c, r);
	r->sched.outgoing = fxt_cursor_thread(c, fxt_field(r->header, 28, 35), 3);
	r->sched.incoming = fxt_cursor_thread(c, fxt_field(r->header, 36, 43), 4);
}
