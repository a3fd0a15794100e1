// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of ftrace that nothing interprets: generic events of their CPU.  Of some Perfetto makes slices, counters or
 * states where they come in a form of their own: these have that as well, which our reader passes over.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/write/bundle.h"

/* Fields of GenericFtraceEvent, and of its fields. */
enum { EVENT_NAME = 1, EVENT_FIELD = 2, FIELD_NAME = 1, FIELD_TEXT = 3, FIELD_INT = 4, FIELD_UINT = 5 };

#define TYPED_FIELDS	7u

/* By number: what a field of the message is called, in the text and in the tracepoint. */
static const struct typed {
	__u32 field;
	const char *name;
	struct {
		const char *text, *tracepoint;
	} arg[TYPED_FIELDS];
} kinds[] = {
	{ 12, "cpu_frequency_limits", { { "min", "min_freq" }, { "max", "max_freq" }, { "cpu_id", "cpu_id" } } },
	{ FXT_PF_SCHED_BLOCKED_REASON, "sched_blocked_reason",
	  { { "pid", "pid" }, { "caller", "caller" }, { "iowait", "io_wait" } } },
	{ 50, "binder_transaction",
	  { { "transaction", "debug_id" }, { "dest_node", "target_node" }, { "dest_proc", "to_proc" },
	    { "dest_thread", "to_thread" }, { "reply", "reply" }, { "code", "code" }, { "flags", "flags" } } },
	{ 51, "binder_transaction_received", { { "transaction", "debug_id" } } },
	{ 485, "binder_command", { { "cmd", "cmd" } } },
	{ 486, "binder_return", { { "cmd", "cmd" } } },
};

#define KINDS	(sizeof(kinds) / sizeof(*kinds))

static const struct typed *kind_of(__u32 field)
{
	size_t i;

	for (i = 0; i < KINDS; i++)
		if (kinds[i].field == field)
			return &kinds[i];
	return NULL;
}

const char *fxt_pf_typed_name(__u32 field)
{
	const struct typed *kind = kind_of(field);

	return kind ? kind->name : NULL;
}

const char *fxt_pf_typed_arg(__u32 field, __u32 number)
{
	const struct typed *kind = kind_of(field);

	return kind && number && number <= TYPED_FIELDS ? kind->arg[number - 1].text : NULL;
}

static size_t text_bytes(const struct fxt_text *text)
{
	return 3 + text->length;
}

/* The bytes of an argument's field; 0: it can't be one. */
static size_t arg_bytes(const struct fxt_arg *arg)
{
	size_t bytes = text_bytes(&arg->name);

	if (arg->type == FXT_ARG_STRING)
		bytes += text_bytes(&arg->string);
	else if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64 || arg->type == FXT_ARG_UINT32 ||
		 arg->type == FXT_ARG_UINT64)
		bytes += 11;
	else
		return 0;
	return bytes > FXT_PF_TEXT_MAX ? 0 : bytes;
}

static bool fits(const struct fxt_record *r)
{
	size_t bytes = text_bytes(&r->name), more;
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		more = arg_bytes(&r->args[i]);
		if (!more)
			return false;
		bytes += 3 + more;
	}
	return bytes <= FXT_PF_MESSAGE_MAX;
}

static void arg_put(struct fxt_pf_message *m, const struct fxt_arg *arg)
{
	struct fxt_pf_message field = { .length = 0 };
	__s64 number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;

	fxt_pf_message_text(&field, FIELD_NAME, arg->name.bytes, arg->name.length);
	if (arg->type == FXT_ARG_STRING)
		fxt_pf_message_text(&field, FIELD_TEXT, arg->string.bytes, arg->string.length);
	else if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64)
		fxt_pf_message_number(&field, FIELD_INT, number);
	else
		fxt_pf_message_number(&field, FIELD_UINT, arg->type == FXT_ARG_UINT32 ? arg->uint32 : arg->uint64);
	fxt_pf_message_text(m, EVENT_FIELD, (const char *)field.bytes, field.length);
}

/* A number; in a text also as ftrace prints flags, with what they mean behind. */
static bool number_of(const struct fxt_arg *arg, __u64 *number)
{
	char text[64], *end;

	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64) {
		*number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;
		return true;
	}
	if (arg->type != FXT_ARG_STRING)
		return !fxt_arg_number(arg, number);
	if (!arg->string.length || arg->string.length >= sizeof(text))
		return false;
	memcpy(text, arg->string.bytes, arg->string.length);
	text[arg->string.length] = '\0';
	*number = strtoull(text, &end, 0);
	return end != text && (!*end || *end == ' ');
}

/* A function of the kernel: "name+0x534/0x820". */
static __u32 symbol_of(struct fxt_pf_cpu *cpu, const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_STRING ? fxt_pf_bundle_symbol(cpu, &arg->string) : 0;
}

static void typed_set(struct fxt_pf_cpu *cpu, struct fxt_pf_message *m, const struct typed *kind,
		      const struct fxt_record *r)
{
	const struct fxt_arg *arg;
	__u64 number;
	__u32 i;

	m->length = 0;
	for (i = 0; i < TYPED_FIELDS && kind->arg[i].text; i++) {
		arg = fxt_record_arg(r, kind->arg[i].text);
		if (!arg)
			arg = fxt_record_arg(r, kind->arg[i].tracepoint);
		if (!arg)
			continue;
		number = kind->field == FXT_PF_SCHED_BLOCKED_REASON && i == 1 ? symbol_of(cpu, arg) : 0;
		if (number || number_of(arg, &number))
			fxt_pf_message_number(m, i + 1, number);
	}
}

/* The process of an event's thread isn't written: the reader knows it by the thread, or takes it for a process. */
static bool process_follows(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, r->thread.thread);

	return r->thread.thread <= INT32_MAX &&
	       (thread && thread->process ? thread->process : r->thread.thread) == r->thread.process;
}

int fxt_pf_other_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r)
{
	struct fxt_pf_event e = { .ns = r->ticks, .pid = r->thread.thread, .field = FXT_PF_GENERIC };
	struct fxt_pf_message m;
	unsigned int i;
	int err;

	if (r->event.type != FXT_EVENT_INSTANT || !r->name.length || r->name.length > FXT_PF_TEXT_MAX ||
	    !process_follows(f, r) || !fits(r))
		return 0;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, FXT_PF_FULL);
	if (err)
		return err;
	m.length = 0;
	fxt_pf_message_text(&m, EVENT_NAME, r->name.bytes, r->name.length);
	for (i = 0; i < r->arg_count; i++)
		arg_put(&m, &r->args[i]);
	fxt_pf_bundle_add(f, cpu, &e, &m);
	for (i = 0; i < KINDS && !fxt_text_equal(&r->name, kinds[i].name); i++)
		;
	if (i == KINDS)
		return 1;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, FXT_PF_FULL);
	if (err)
		return err;
	typed_set(cpu, &m, &kinds[i], r);
	e.field = kinds[i].field;
	fxt_pf_bundle_add(f, cpu, &e, &m);
	return 1;
}
