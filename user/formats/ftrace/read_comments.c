// SPDX-License-Identifier: GPL-2.0-only
/* Reads lines of ftrace's text without an event: headers, losses, and fxtrec's comments. */
#include <errno.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"
#include "model/reason_text.h"

/* Reads "CPU:0 [LOST 123 EVENTS]", or without a count; trace-cmd's "[123 EVENTS DROPPED]". */
static bool loss(struct fxt_span s, __u32 *cpu, __u64 *count)
{
	*count = 0;
	if (!fxt_span_skip(&s, "CPU:") || !fxt_span_u32(&s, cpu) || *cpu > 0xffff ||
	    !fxt_span_skip(&s, " ["))
		return false;
	fxt_span_skip(&s, "LOST ");
	if (fxt_span_number(&s, count))
		fxt_span_skip(&s, " ");
	return fxt_span_skip(&s, "EVENTS]") || fxt_span_skip(&s, "EVENTS DROPPED]");
}

/* Reads a buffer's "NAME: CPU:1 [123 EVENTS DROPPED]": the next event lacks the buffer's name. */
static bool loss_of_buffer(struct fxt_ftrace_parser *p, struct fxt_span s, __u32 *cpu, __u64 *count)
{
	const char *colon = p->feed.buffers ? memmem(s.at, s.bytes, ": CPU:", 6) : NULL;
	struct fxt_span name;

	if (!colon || !loss(fxt_span(colon + 2, s.at + s.bytes - colon - 2), cpu, count))
		return false;
	name = fxt_span(s.at, colon - s.at);
	fxt_span_skip_spaces(&name);
	p->unnamed = fxt_feed_buffer(&p->feed, name) + 1;
	return true;
}

/* Reads "# entries-in-buffer/entries-written: 205/307": the difference was overwritten. */
static void overwritten(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	__u64 kept, written;

	if (fxt_span_skip(&s, "# entries-in-buffer/entries-written: ") &&
	    fxt_span_number(&s, &kept) && fxt_span_skip(&s, "/") &&
	    fxt_span_number(&s, &written) && written > kept)
		fxt_skip(p->feed.c, "events before the text's first, which the kernel had overwritten",
			 written - kept);
}

/* Reads "# fxtrec thread PID TGID NS NAME", or the same of a process, without the TGID. */
static int name_read(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	bool of_thread = fxt_span_skip(&s, "thread ");
	struct fxt_feed_thread *t;
	__u32 pid, tgid;
	__u64 since;

	if ((!of_thread && !fxt_span_skip(&s, "process ")) || !fxt_span_u32(&s, &pid) ||
	    !fxt_span_skip(&s, " "))
		return 1;
	if (of_thread && (!fxt_span_u32(&s, &tgid) || !fxt_span_skip(&s, " ")))
		return 1;
	if (!fxt_span_number(&s, &since) || !fxt_span_skip(&s, " "))
		return 1;
	if (!of_thread) {
		fxt_build_process_name(&p->feed.r, pid, fxt_span_text(s), since);
		return fxt_feed_put_at(&p->feed, since, p->feed.provider);
	}
	t = fxt_feed_thread(&p->feed, pid);
	return t ? fxt_feed_thread_set(&p->feed, t, tgid, s, since) : -E2BIG;
}

/* Reads "# fxtrec migrations CPU PROCESS": the process of the CPU's track of migrations. */
static int migrations_read(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	struct fxt_feed_cpu *c;
	__u32 cpu, process;

	if (!fxt_span_u32(&s, &cpu) || cpu > 0xffff || !fxt_span_skip(&s, " ") ||
	    !fxt_span_u32(&s, &process) || s.bytes)
		return 1;
	c = fxt_feed_cpu(&p->feed, cpu);
	if (!c)
		return -ENOMEM;
	c->migrations_known = true;
	c->migrations = process;
	return 0;
}

/* Reads comments that fxtrec writes. */
static int own_read(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	if (fxt_span_skip(&s, "migrations "))
		return migrations_read(p, s);
	if (fxt_span_is(s, "context=nmi")) {
		p->own.nmi = true;
		return 0;
	}
	if (fxt_span_is(s, "context=timer")) {
		p->own.timer = true;
		return 0;
	}
	if (fxt_span_skip(&s, "unchosen=")) {
		p->own.unchosen = fxt_unchosen_parse(s.at, s.bytes);
		return !p->own.unchosen;
	}
	if (fxt_span_skip(&s, "reason="))
		return !fxt_reason_parse(&p->own.reason, s.at, s.bytes);
	if (fxt_span_skip(&s, "begin|")) {
		if (s.bytes > sizeof(p->own.begin))
			return 1;
		p->feed.begin = fxt_span(memcpy(p->own.begin, s.at, s.bytes), s.bytes);
		return 0;
	}
	if (!fxt_span_skip(&s, "on_cpu="))
		return name_read(p, s);
	if (!fxt_span_is(s, "0") && !fxt_span_is(s, "1"))
		return 1;
	p->own.on_cpu_known = true;
	p->own.on_cpu = *s.at == '1';
	return 0;
}

static int comment_read(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	__u32 cpu;

	if (fxt_span_skip(&s, "##### CPU ") && fxt_span_u32(&s, &cpu) && cpu <= 0xffff &&
	    fxt_span_skip(&s, " buffer started"))
		return fxt_feed_overwritten(&p->feed, cpu);
	if (p->feed.ours && fxt_span_skip(&s, "# fxtrec ") && !fxt_span_is(s, "convert"))
		return own_read(p, s);
	overwritten(p, s);
	return 0;
}

/*
 * Returns whether a line is the function graph tracer's: " 0)  1.234 us  |  f();", or of tasks " 0)  a-1  =>  b-2"
 * between rules, each possibly after a time and a bar.
 */
static bool graph(struct fxt_span s)
{
	struct fxt_span rest = s;
	__u64 number;
	__u32 cpu;

	fxt_span_skip_spaces(&s);
	if (s.bytes >= 10 && !memcmp(s.at, "----------", 10))
		return true;
	rest = s;
	if (fxt_span_number(&rest, &number) && fxt_span_skip(&rest, ".") && fxt_span_number(&rest, &number)) {
		fxt_span_skip_spaces(&rest);
		if (fxt_span_skip(&rest, "|"))
			s = rest;
		fxt_span_skip_spaces(&s);
	}
	return fxt_span_u32(&s, &cpu) && fxt_span_skip(&s, ")") &&
	       (memchr(s.at, '|', s.bytes) || memmem(s.at, s.bytes, "=>", 2));
}

/* Returns whether a line is a frame of perf script's stacks: a tab, an address, and the function. */
static bool is_frame(struct fxt_span s)
{
	__u64 address;

	if (!fxt_span_skip(&s, "\t"))
		return false;
	fxt_span_skip_spaces(&s);
	return fxt_span_hex(&s, &address) && fxt_span_skip(&s, " ");
}

/* Reads a line without an event; 1 for any other line. */
int fxt_ftrace_read_comment(struct fxt_ftrace_parser *p, struct fxt_span s)
{
	__u64 count;
	__u32 cpu;

	if (!s.bytes)
		return 0;
	if (*s.at == '#')
		return comment_read(p, s);
	if (is_frame(s)) {
		fxt_skip(p->feed.c, "lines of perf script's stacks", 1);
		return 0;
	}
	if (loss(s, &cpu, &count) || loss_of_buffer(p, s, &cpu, &count))
		return fxt_feed_lost(&p->feed, cpu, count);
	if (fxt_span_skip(&s, "CPU ") && fxt_span_u32(&s, &cpu) && fxt_span_is(s, " is empty"))
		return 0;
	if (fxt_span_skip(&s, "cpus=") || fxt_span_skip(&s, "version = ") ||
	    fxt_span_skip(&s, "TRACE:"))
		return 0;
	fxt_span_skip_spaces(&s);
	if (fxt_span_skip(&s, "=> ")) {
		fxt_skip(p->feed.c, "lines of stacks", 1);
		return 0;
	}
	if (graph(s)) {
		fxt_skip(p->feed.c, "lines of the function graph tracer", 1);
		return 0;
	}
	return s.bytes != 0;
}
