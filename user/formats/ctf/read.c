// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads folders of the Common Trace Format, version 1.8, of LTTng and other tracers, by libbabeltrace2.  The library
 * trusts its input: a child process runs it, and sends classes and events.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/skip.h"
#include "formats/ctf/ctf.h"
#include "formats/tracepoint/kind.h"
#include "util/utf8.h"

#define CPUS	65536u

struct ctf_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_child child;
	struct fxt_ctf_traces traces;
	struct fxt_map classes;		/* struct fxt_tp, by the class's id + 1 */
	struct fxt_tp *discarded;	/* tracepoint for losses of user space */
	struct fxt_tp_reader tp;
	bool is_clocked, has_host, has_begun;
	__s64 real;			/* real time of the clock's zero */
	char host[3][FXT_CTF_NAME];
	__u32 current[CPUS];		/* thread that runs on each CPU, or FXT_CTF_NOBODY */
	__u8 event[FXT_CTF_EVENT_MAX];
};

static int flaw_at(struct ctf_reader *rd, __u32 trace, const struct fxt_flaw *flaw)
{
	int err;

	if (trace < rd->traces.count)
		rd->c->place.input = rd->traces.path[trace];
	err = fxt_flaw(rd->c, flaw);
	rd->c->place.input = rd->in->name;
	return err;
}

static int broken(struct ctf_reader *rd, __u32 trace)
{
	static const struct fxt_flaw flaw = {
		"libbabeltrace2 fails on it: it is damaged, cut off, or no trace",
		"traces that libbabeltrace2 can't read all of", NULL,
	};

	return flaw_at(rd, trace, &flaw);
}

static int clockless(struct ctf_reader *rd, __u32 trace)
{
	static const struct fxt_flaw flaw = { "a stream without a clock", "streams without a clock", NULL };

	return flaw_at(rd, trace, &flaw);
}

static int malformed(struct ctf_reader *rd)
{
	static const struct fxt_flaw flaw = { "an event with fields that make no sense",
					      "events with fields that make no sense", NULL };

	return fxt_flaw(rd->c, &flaw);
}

/* Terminates a text from the child, and mends its characters. */
static void text_mend(char *text, size_t room)
{
	text[room - 1] = '\0';
	fxt_utf8_mend(text, strlen(text));
}

/* Reads a class, with its fields after it. */
static int class_read(struct ctf_reader *rd, const struct fxt_ctf_message *m)
{
	char names[2][FXT_CTF_NAME];
	struct fxt_tp *tp;
	__u32 i;
	int err = fxt_child_get(&rd->child, names, sizeof(names));

	if (err <= 0)
		return err;
	text_mend(names[0], FXT_CTF_NAME);
	text_mend(names[1], FXT_CTF_NAME);
	tp = fxt_tp_new(names[0], names[1]);
	if (!tp)
		return -ENOMEM;
	tp->left_out = m->number;
	for (i = 0; err > 0 && i < m->bytes; i++) {
		struct fxt_ctf_field f;

		err = fxt_child_get(&rd->child, &f, sizeof(f));
		text_mend(f.name, FXT_CTF_NAME);
		if (err > 0 && fxt_tp_field_add(tp, f.name, f.type, 0, f.bytes))
			err = -ENOMEM;
	}
	if (err > 0) {
		if (m->flags & FXT_CTF_KERNEL)
			fxt_tp_known(&rd->tp, tp);
		else
			fxt_tp_form_set(tp);
		if (!fxt_map_get(&rd->classes, (__u64)m->id + 1) && !fxt_map_put(&rd->classes, (__u64)m->id + 1, tp))
			return 1;
	}
	fxt_tp_free(tp);
	return err;
}

/* Puts the clock and the host, as in fxt-on-linux, at the time of the first event. */
static int facts_put(struct ctf_reader *rd, __u64 ns)
{
	struct fxt_record *r = &rd->tp.feed.r;
	const __u64 real = ns + rd->real;
	int err = rd->is_clocked ? fxt_feed_clock(&rd->tp.feed, ns, "mono", &real) : 0;

	rd->has_begun = true;
	if (err || !rd->has_host || (!*rd->host[0] && !*rd->host[1]))
		return err;
	fxt_build_event(r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"), fxt_build_string("host"));
	fxt_build_arg_text(r, "host", fxt_build_string(rd->host[0]));
	fxt_build_arg_text(r, "release", fxt_build_string(rd->host[1]));
	fxt_build_arg_text(r, "boot", fxt_build_string(rd->host[2]));
	return fxt_feed_put_at(&rd->tp.feed, ns, rd->tp.feed.provider);
}

/* Takes the values of an event's fields, one after the other; false where bytes are missing. */
static bool values_take(const struct ctf_reader *rd, const struct fxt_tp *tp, size_t bytes,
			struct fxt_tp_value *values)
{
	const __u8 *at = rd->event, *end = at + bytes;
	unsigned int i;

	for (i = 0; i < tp->fields; i++) {
		bool is_text = tp->field[i].type == FXT_TP_STRING;
		__u32 length = 8;

		if (is_text && end - at >= 4)
			memcpy(&length, at, 4);
		at += is_text ? 4 : 0;
		if (at > end || length > (size_t)(end - at))
			return false;
		if (is_text)
			values[i].text = fxt_span((const char *)at, length);
		else
			memcpy(&values[i].number, at, 8);
		at += length;
	}
	return true;
}

/* Sets the event's thread: from the event itself, or from the kernel's last switch on that CPU. */
static void thread_set(struct ctf_reader *rd, struct fxt_feed_event *e, struct fxt_ctf_message *m)
{
	__u32 tid = m->tid == FXT_CTF_NOBODY ? rd->current[e->cpu] : m->tid;

	e->nobody = tid > 0x7fffffff;
	if (e->nobody)
		return;
	e->tid = tid;
	e->tgid = m->tgid <= 0x7fffffff ? m->tgid : 0;
	text_mend(m->name, sizeof(m->name));
	e->comm = fxt_span(m->name, strlen(m->name));
}

static int event_put(struct ctf_reader *rd, struct fxt_ctf_message *m)
{
	struct fxt_tp_value values[FXT_TP_FIELDS_MAX];
	struct fxt_tp_event e = { .value = values };
	__s64 next;
	int err = rd->has_begun ? 0 : facts_put(rd, m->ns);

	if (err)
		return err;
	e.tp = fxt_map_get(&rd->classes, (__u64)m->id + 1);
	if (!e.tp || m->ns >> 63 || !values_take(rd, e.tp, m->bytes, values))
		return malformed(rd);
	e.head.cpu = m->cpu % CPUS;
	e.head.ns = m->ns;
	e.head.contextless = m->context > FXT_CONTEXT_NMI;
	e.head.context = e.head.contextless ? FXT_CONTEXT_TASK : m->context;
	thread_set(rd, &e.head, m);
	err = fxt_tp_put(&rd->tp, &e);
	if (!err && e.tp->kind->read == fxt_tp_read_switch && fxt_tp_number(&e, 5, &next))
		rd->current[e.head.cpu] = next;
	return err == 1 ? malformed(rd) : err;
}

/* Puts a loss of the kernel on its CPU, or a program's loss as an event of the CPU. */
static int lost_put(struct ctf_reader *rd, const struct fxt_ctf_message *m)
{
	struct fxt_tp_value count = { .number = m->number };
	struct fxt_tp_event e = { .tp = rd->discarded, .value = &count, .head = { .nobody = true } };
	struct fxt_feed_cpu *cpu = fxt_feed_cpu(&rd->tp.feed, m->cpu % CPUS);

	if (!cpu)
		return -ENOMEM;
	if ((m->ns | m->since) >> 63)
		return 0;
	if (!(m->flags & FXT_CTF_KERNEL)) {
		e.head.cpu = m->cpu % CPUS;
		e.head.ns = m->ns;
		return fxt_tp_put(&rd->tp, &e);
	}
	cpu->seen = true;
	cpu->last_ns = m->since;
	cpu->lost_count = m->number;
	return fxt_feed_lost_put(&rd->tp.feed, m->cpu % CPUS, m->ns);
}

static int several(struct ctf_reader *rd, const struct fxt_ctf_message *m)
{
	const struct fxt_ctf_traces *t = &rd->traces;

	return fxt_error_set(&rd->c->error, EINVAL, "%s: recordings of different kernels or times: give one of them, "
			     "as %s or %s", rd->in->name, m->id < t->count ? t->path[m->id] : "",
			     m->cpu < t->count ? t->path[m->cpu] : "");
}

static int event_read(struct ctf_reader *rd, struct fxt_ctf_message *m)
{
	int err = m->bytes > sizeof(rd->event) ? -EBADMSG : fxt_child_get(&rd->child, rd->event, m->bytes);

	if (err <= 0)
		return err;
	err = event_put(rd, m);
	return err ? err : 1;
}

static int host_read(struct ctf_reader *rd)
{
	int err = fxt_child_get(&rd->child, rd->host, sizeof(rd->host)), i;

	for (i = 0; i < 3; i++)
		text_mend(rd->host[i], FXT_CTF_NAME);
	rd->has_host = err > 0;
	if (rd->has_host)
		rd->tp.states = fxt_prev_states_of(rd->host[1]);
	return err;
}

/* Reads a message.  1; 0: there are no more; -errno. */
static int message_read(struct ctf_reader *rd)
{
	struct fxt_ctf_message m;
	int err = fxt_child_get(&rd->child, &m, sizeof(m));

	if (err <= 0)
		return err;
	switch (m.kind) {
	case FXT_CTF_EVENT:
		return event_read(rd, &m);
	case FXT_CTF_CLASS:
		return class_read(rd, &m);
	case FXT_CTF_HOST:
		return host_read(rd);
	case FXT_CTF_CLOCK:
		rd->is_clocked = true;
		rd->real = m.number;
		break;
	case FXT_CTF_CURRENT:
		if (m.flags & FXT_CTF_KERNEL)
			rd->current[m.cpu % CPUS] = m.tid;
		break;
	case FXT_CTF_LOST:
		err = lost_put(rd, &m);
		break;
	case FXT_CTF_BROKEN:
		err = broken(rd, m.id);
		break;
	case FXT_CTF_CLOCKLESS:
		err = clockless(rd, m.id);
		break;
	case FXT_CTF_SEVERAL:
		return several(rd, &m);
	}
	return err < 0 ? err : 1;
}

static int all_read(struct ctf_reader *rd)
{
	const struct fxt_child_limits limits = { .sandbox = { .trees = rd->traces.path, .tree_count = rd->traces.count } };
	int err = fxt_child_start(&rd->child, &limits, fxt_ctf_send, &rd->traces), ended;
	__u64 count = 0;

	while (!err && (err = message_read(rd)) > 0) {
		err = 0;
		if (rd->in->watch && !(++count & 0xffff))
			rd->in->watch(rd->in, rd->in->watch_arg);
	}
	ended = fxt_child_end(&rd->child);
	if (!err && ended == FXT_CTF_NO_PLUGIN)
		return fxt_error_set(&rd->c->error, ENOSYS, "%s: libbabeltrace2 has no plugin \"ctf\" here: install "
				     "libbabeltrace2-0", rd->in->name);
	if (!err && ended)
		err = broken(rd, 0);
	return err ? err : fxt_tp_reader_end(&rd->tp);
}

static int traces_find(struct ctf_reader *rd)
{
	int err = fxt_ctf_traces_find(&rd->traces, rd->in->fd == STDIN_FILENO ? "/proc/self/fd/0" : rd->in->name);

	if (err == -E2BIG)
		return fxt_error_set(&rd->c->error, E2BIG, "%s: too many folders and files for a trace", rd->in->name);
	if (err)
		return err;
	if (!rd->traces.count)
		return fxt_error_set(&rd->c->error, EBADMSG, "%s: no trace: neither it nor a folder in it has a "
				     "file \"metadata\", as CTF has, and it has no perf.data as \"data\"", rd->in->name);
	rd->in->consumed = rd->traces.bytes;
	fxt_in_allow(rd->in, rd->traces.bytes);
	return 0;
}

static int reader_init(struct ctf_reader *rd)
{
	int err = fxt_tp_reader_init(&rd->tp, rd->c);

	memset(rd->current, 0xff, sizeof(rd->current));
	rd->c->place.whole = true;
	rd->discarded = fxt_tp_new("ust", "discarded_events");
	if (!rd->discarded || fxt_tp_field_add(rd->discarded, "count", FXT_TP_UINT, 0, 8))
		err = -ENOMEM;
	else
		fxt_tp_form_set(rd->discarded);
	return err;
}

static void tp_free(void *tp)
{
	fxt_tp_free(tp);
}

int fxt_ctf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct ctf_reader *rd = calloc(1, sizeof(*rd));
	int err;

	if (!rd)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	rd->c = c;
	rd->in = in;
	err = reader_init(rd);
	if (!err)
		err = traces_find(rd);
	if (!err)
		err = all_read(rd);
	fxt_tp_reader_uninit(&rd->tp);
	fxt_map_uninit(&rd->classes, tp_free);
	fxt_tp_free(rd->discarded);
	fxt_ctf_traces_uninit(&rd->traces);
	free(rd);
	return fxt_feed_error(c, in, err);
}
