// SPDX-License-Identifier: GPL-2.0-only
/* Writes why a thread sleeps, as an event after its switch: from the switch itself, or from an event before it. */
#include <stdio.h>

#include "formats/perfetto/write/bundle.h"
#include "model/reason_text.h"
#include "model/wait.h"

/*
 * Number in interned data of the text of a system call and a kind of object: the part of a reason with the call, the
 * kind, and a bit that numbers of kernel functions don't have.
 */
#define CALL_BITS	(FXT_REASON_CALL | FXT_REASON_ENTRY)
#define KIND_SHIFT	19
#define KIND_BITS	0x1fu
#define SYMBOL_IS_CALL	(1u << 24)

_Static_assert(CALL_BITS < 1u << KIND_SHIFT && FXT_ONS <= KIND_BITS + 1 && KIND_BITS << KIND_SHIFT < SYMBOL_IS_CALL,
	       "the parts have bits of their own");

static __u32 call_number(const struct fxt_sleep_reason *reason)
{
	return SYMBOL_IS_CALL | reason->kind << KIND_SHIFT | (reason->bits & CALL_BITS);
}

char *fxt_pf_call_text(const struct fxt_pf_file *f, __u32 number)
{
	const struct fxt_sleep_reason reason = { .bits = number & CALL_BITS, .kind = number >> KIND_SHIFT & KIND_BITS };
	const struct fxt_wait_calls calls = { .own = f->calls };
	char room[FXT_SYSCALL_ROOM], *text;
	const char *call = fxt_wait_call(&calls, &reason, room);

	if (fxt_reason_entry(&reason) == FXT_ENTRY_UNKNOWN || fxt_reason_entry(&reason) > FXT_ENTRY_KERNEL)
		call = "unknown";
	if (asprintf(&text, reason.kind ? "%s (%s)" : "%s", call, fxt_object_kind_name(reason.kind)) < 0)
		return NULL;
	return text;
}

int fxt_pf_blocked_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_switch_view *v, __u64 ns)
{
	bool blocks = cpu->blocking && v->prev == cpu->blocked && !v->preempted && v->state != FXT_LINUX_R;
	bool waits = blocks ? cpu->iowait : v->reason.bits & FXT_REASON_IOWAIT;
	struct fxt_pf_event e = { .ns = ns, .field = FXT_PF_SCHED_BLOCKED_REASON };
	char text[FXT_REASON_TEXT_BYTES];
	struct fxt_pf_message m;
	__u32 symbol;
	int err;

	cpu->blocking = false;
	if (!blocks && !v->reason.bits)
		return 0;
	err = fxt_pf_bundle_follow(cpu);
	if (err)
		return err;
	m.length = 0;
	fxt_pf_event_running(f, cpu, &e);
	fxt_pf_message_number(&m, 1, fxt_pf_id(f, v->prev));
	symbol = blocks ? fxt_pf_bundle_symbol(cpu, &cpu->function) : fxt_pf_bundle_call(cpu, call_number(&v->reason));
	if (symbol)
		fxt_pf_message_number(&m, 2, symbol);
	if (blocks || waits)
		fxt_pf_message_number(&m, 3, blocks ? cpu->iowait : 1);
	if (v->reason.bits)
		fxt_pf_message_text(&m, FXT_PF_REASON_FIELD, text, fxt_reason_text(text, &v->reason));
	fxt_pf_bundle_add(f, cpu, &e, &m);
	return 0;
}
