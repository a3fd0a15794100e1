// SPDX-License-Identifier: GPL-2.0-only
/* Reads the sections of perf.data's header: formats of tracepoints, names of events, the machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/perf/read.h"
#include "formats/tracepoint/format.h"
#include "model/syscall_names.h"
#include "util/utf8.h"

/* The rest of a section. */
struct section_part {
	const __u8 *at;
	size_t bytes;
	bool bad;	/* the section ended too early */
};

static const __u8 *take(struct section_part *p, __u64 bytes)
{
	const __u8 *at = p->at;

	if (p->bad || bytes > p->bytes) {
		p->bad = true;
		return NULL;
	}
	p->at += bytes;
	p->bytes -= bytes;
	return at;
}

static __u32 take_u32(struct section_part *p)
{
	const __u8 *at = take(p, 4);

	return at ? fxt_perf_u32(at) : 0;
}

static __u64 take_u64(struct section_part *p)
{
	const __u8 *at = take(p, 8);

	return at ? fxt_perf_u64(at) : 0;
}

/* Takes a text up to its zero. */
static const char *take_text(struct section_part *p)
{
	size_t length = p->bad ? 0 : strnlen((const char *)p->at, p->bytes);

	return (const char *)take(p, length + 1);
}

/* Takes a length, and a text padded to this length with zeros: copies its valid characters. */
static void take_string(struct section_part *p, char *to, size_t room)
{
	__u32 bytes = take_u32(p);
	const __u8 *at = take(p, bytes);
	size_t length;

	if (!at)
		return;
	length = strnlen((const char *)at, bytes);
	if (length >= room)
		length = room - 1;
	memcpy(to, at, length);
	to[length] = 0;
	fxt_utf8_mend(to, length);
}

/* Takes the words of the command line. */
static void command_take(struct section_part *p, char *to, size_t room)
{
	__u32 words = take_u32(p);
	char word[256];
	size_t used = 0;

	for (; words && !p->bad; words--) {
		*word = 0;
		take_string(p, word, sizeof(word));
		if (used + strlen(word) + 2 > room)
			return;
		used += sprintf(to + used, "%s%s", used ? " " : "", word);
	}
}

/* Takes the names of the events, in the order of their attributes. */
static void events_take(struct fxt_perf_reader *rd, struct section_part *p)
{
	__u32 count = take_u32(p), size = take_u32(p), i;

	for (i = 0; i < count && i < rd->attr_count && !p->bad; i++) {
		__u32 ids;

		take(p, size);
		ids = take_u32(p);
		take_string(p, rd->attrs[i].name, sizeof(rd->attrs[i].name));
		take(p, 8 * (__u64)ids);
	}
}

/* Puts an instant event, as in fxt-on-linux: the time of the data's clock at a real time. */
static int clock_put(struct fxt_perf_reader *rd, struct section_part *p)
{
	static const char *const clocks[] = { [1] = "mono", [7] = "boot" };
	__u32 version = take_u32(p), clock = take_u32(p);
	__u64 real = take_u64(p), ns = take_u64(p);

	if (p->bad || version != 1 || clock >= sizeof(clocks) / sizeof(clocks[0]) || !clocks[clock])
		return 0;
	return fxt_feed_clock(&rd->tp.feed, ns, clocks[clock], &real);
}

int fxt_perf_feature(struct fxt_perf_reader *rd, unsigned int feature, const __u8 *data, size_t bytes)
{
	struct section_part p = { data, bytes, false };

	switch (feature) {
	case FXT_PERF_HAS_TRACING_DATA:
		return fxt_perf_tracing(rd, data, bytes);
	case FXT_PERF_HAS_HOSTNAME:
		take_string(&p, rd->host, sizeof(rd->host));
		break;
	case FXT_PERF_HAS_RELEASE:
		take_string(&p, rd->release, sizeof(rd->release));
		break;
	case FXT_PERF_HAS_ARCH:
		take_string(&p, rd->arch, sizeof(rd->arch));
		if (*rd->arch)
			rd->tp.feed.names = fxt_syscall_table(rd->arch);
		break;
	case FXT_PERF_HAS_COMMAND:
		command_take(&p, rd->command, sizeof(rd->command));
		break;
	case FXT_PERF_HAS_EVENTS:
		events_take(rd, &p);
		break;
	case FXT_PERF_HAS_CLOCK:
		return clock_put(rd, &p);
	case FXT_PERF_HAS_DIRECTORY:
		if (!rd->in->folder)
			return fxt_error_set(&rd->c->error, EISDIR, "%s: a file of a folder of perf record --threads: "
					     "give the folder that it is in", rd->in->name);
		return rd->parts ? 0 : fxt_perf_wrong(rd, "its records are missing: the files data.0, data.1 and so on",
						      "folders without records");
	}
	return 0;
}

int fxt_perf_host_put(struct fxt_perf_reader *rd)
{
	struct fxt_record *r = &rd->tp.feed.r;

	if (!*rd->host && !*rd->release && !rd->chosen_threads)
		return 0;
	fxt_build_event(r, FXT_EVENT_INSTANT, rd->queue.newest, 0, 0, fxt_build_string("fxtrec"),
			fxt_build_string("host"));
	fxt_build_arg_text(r, "host", fxt_build_string(rd->host));
	fxt_build_arg_text(r, "release", fxt_build_string(rd->release));
	fxt_build_arg_text(r, "machine", fxt_build_string(rd->arch));
	fxt_build_arg_text(r, "command", fxt_build_string(rd->command));
	if (rd->chosen_threads)
		fxt_build_arg_uint(r, fxt_build_string("chosen_threads"), 1);
	return fxt_feed_put_at(&rd->tp.feed, rd->queue.newest, rd->tp.feed.provider);
}

static int format_put(struct fxt_perf_reader *rd, const char *subsystem, const char *text, size_t bytes)
{
	struct fxt_tp *tp;
	__u32 id;
	int err = fxt_tp_parse(&rd->tp, subsystem, text, bytes, &tp, &id);

	if (err || !tp)
		return err;
	if (!fxt_map_get(&rd->formats, id))
		err = fxt_map_put(&rd->formats, id, tp);
	else
		fxt_tp_free(tp);
	if (err)
		fxt_tp_free(tp);
	return err;
}

/* Takes ftrace's own formats, then those of each subsystem; each format is a size and a text. */
static int formats_take(struct fxt_perf_reader *rd, struct section_part *p)
{
	__u32 count = take_u32(p), i;
	int err = 0;

	for (i = 0; i < count && !p->bad && !err; i++) {
		__u64 bytes = take_u64(p);
		const __u8 *text = take(p, bytes);

		if (text)
			err = format_put(rd, "ftrace", (const char *)text, bytes);
	}
	for (count = take_u32(p); count && !p->bad && !err; count--) {
		const char *subsystem = take_text(p);

		for (i = take_u32(p); i && !p->bad && !err; i--) {
			__u64 bytes = take_u64(p);
			const __u8 *text = take(p, bytes);

			if (text)
				err = format_put(rd, subsystem, (const char *)text, bytes);
		}
	}
	return err;
}

/* Reads the part before the options that trace-cmd.dat(5) describes; the part after the formats isn't needed. */
int fxt_perf_tracing(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes)
{
	static const char magic[] = "\027\010\104tracing", page[] = "header_page", event[] = "header_event";
	struct section_part p = { data, bytes, false };
	const __u8 *start = take(&p, 10), *endian, *size;
	int err;

	if (!start || memcmp(start, magic, 10))
		return fxt_perf_bad(rd, "the formats of its tracepoints don't begin as they should");
	take_text(&p);
	endian = take(&p, 1);
	size = take(&p, 1);
	if (endian && size && (*endian || *size != 8))
		return fxt_error_set(&rd->c->error, EOPNOTSUPP, "%s: of a machine of %s, which is not supported",
				     rd->in->name, *endian ? "other endianness" : "32 bits");
	take_u32(&p);
	start = take(&p, sizeof(page));
	if (start && memcmp(start, page, sizeof(page)))
		p.bad = true;
	take(&p, take_u64(&p));
	start = take(&p, sizeof(event));
	if (start && memcmp(start, event, sizeof(event)))
		p.bad = true;
	take(&p, take_u64(&p));
	err = formats_take(rd, &p);
	return err || !p.bad ? err : fxt_perf_wrong(rd, "the formats of its tracepoints are cut off",
						    "formats of tracepoints that are cut off");
}
