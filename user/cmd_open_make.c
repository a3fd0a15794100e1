// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: makes what is served, packets or a page, in a file without a name. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_open.h"
#include "cmd_page.h"
#include "store/temporary.h"
#include "util/report.h"
#include "util/time.h"

/* Packets are served as they are: the UI reads more of them than is converted. */
static int packets_open(const struct fxt_open_options *o)
{
	const struct fxt_convert_options *c = &o->convert;
	struct stat st;
	struct fxt_in in;
	const __u8 *start;
	size_t bytes;
	int fd = -1;

	if (c->input_count != 1 || !strcmp(c->inputs[0], "-") || c->window.from.kind || c->window.to.kind ||
	    stat(c->inputs[0], &st) || !S_ISREG(st.st_mode) || fxt_in_open(&in, c->inputs[0]))
		return -1;
	start = fxt_in_start(&in, &bytes);
	if (!in.unpacker && fxt_format_perfetto.ops->is(start, bytes))
		fd = open(c->inputs[0], O_RDONLY | O_CLOEXEC);
	fxt_in_close(&in);
	return fd;
}

static double seconds(__u64 ns)
{
	return ns / (double)SECOND_NS;
}

/* The commands that open a trace in parts. */
static int too_large(const struct fxt_open_options *o, const struct fxt_conversion *c)
{
	const struct fxt_window *w = &o->convert.window;
	__u64 from, to, part, parts = c->records / o->convert.records_max + 1;

	fxt_window_resolve(w, c->first, c->last, &from, &to);
	from = from > c->first ? from : c->first;
	to = to < c->last ? to : c->last + 1;
	/* How many of the records are in a window isn't known. */
	if (w->from.kind || w->to.kind)
		parts = 2;
	fxt_report("%s: %" PRIu64 " records, and the UI's memory is enough for %" PRIu64 ": open it in parts:",
		   o->convert.inputs[0], (uint64_t)c->records, (uint64_t)o->convert.records_max);
	for (part = 0; part < parts; part++)
		fprintf(stderr, "  fxtrec open --time=%.3f,%.3f %s\n",
			seconds(from - c->first + (to - from) / parts * part),
			seconds(part + 1 == parts ? to - c->first + 1000000 :
				from - c->first + (to - from) / parts * (part + 1)), o->convert.inputs[0]);
	return FXT_FAILED;
}

static int packets_make(struct fxt_open_options *o)
{
	static struct fxt_conversion conversion;
	int err = fxt_convert(&conversion, &o->convert);

	fxt_notes_report(&conversion.skipped, "passed over");
	fxt_notes_report(&conversion.unheld, "perfetto");
	if (err == -E2BIG && !conversion.error.text[0])
		return too_large(o, &conversion);
	return err ? fxt_report("%s", conversion.error.text) : FXT_DONE;
}

int fxt_open_make(struct fxt_open_options *o, int *fd)
{
	*fd = o->page ? -1 : packets_open(o);
	if (*fd >= 0)
		return FXT_DONE;
	*fd = fxt_temporary_open();
	if (*fd < 0)
		return fxt_report("a temporary file: %s", strerror(-*fd));
	o->convert.output_fd = *fd;
	return o->page ? cmd_page_make_fd(&o->convert) : packets_make(o);
}
