// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: makes the packets or the page to serve, in a file without a name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/open.h"
#include "cmd/page.h"
#include "store/temporary.h"
#include "util/report.h"
#include "util/shell.h"

/* Opens packets, which are served as they are: the UI reads more kinds of them than the converter. */
static int packets_open(const struct fxt_open_options *o)
{
	const struct fxt_convert_options *c = &o->convert;
	bool whole = c->input_count == 1 && strcmp(c->inputs[0], "-") && !c->window.from.kind && !c->window.to.kind;
	struct stat st;
	struct fxt_in in;
	const __u8 *start;
	size_t bytes;
	int fd = -1;

	if (!whole || (c->from && c->from != &fxt_format_perfetto) ||
	    stat(c->inputs[0], &st) || !S_ISREG(st.st_mode) || fxt_in_open(&in, c->inputs[0]))
		return -1;
	start = fxt_in_start(&in, &bytes);
	if (!in.unpacker && fxt_format_perfetto.ops->is(start, bytes))
		fd = open(c->inputs[0], O_RDONLY | O_CLOEXEC);
	fxt_in_close(&in);
	return fd;
}

/* Reports the commands that open a trace in parts. */
static int too_large(const struct fxt_open_options *o, const struct fxt_conversion *c)
{
	bool is_stdin = fxt_convert_reads_stdin(&o->convert);
	struct fxt_buffer commands = { 0 };
	__u64 from, to;
	__u32 i;

	fxt_report("%s%s: %llu records, and the UI's memory is enough for %llu: %s", o->convert.inputs[0],
		   o->convert.input_count > 1 ? " and others" : "", c->records, o->convert.records_max,
		   is_stdin ? "save it to a file, which can be opened in parts" :
		   c->cuts.count ? "open it in parts:" : "all of one moment: there are no parts of it");
	if (is_stdin || !c->cuts.count)
		return FXT_FAILED;
	fxt_window_resolve(&o->convert.window, c->first, c->last, &from, &to);
	for (i = 0; i <= c->cuts.count; i++) {
		fxt_buffer_put(&commands, "  ", 2);
		fxt_shell_command(&commands, o->argv, i ? c->cuts.at[i - 1] : from, i < c->cuts.count ? c->cuts.at[i] : to);
		fxt_buffer_put(&commands, "\n", 1);
	}
	if (commands.failed)
		fxt_report("%s", strerror(ENOMEM));
	else
		fwrite(commands.bytes, 1, commands.length, stderr);
	fxt_buffer_uninit(&commands);
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
	struct fxt_spool spool = {};
	struct fxt_error error;

	*fd = o->page ? -1 : packets_open(o);
	if (*fd >= 0)
		return FXT_DONE;
	*fd = fxt_temporary_open(&spool);
	if (*fd < 0 && fxt_error_spool(&error, &spool))
		return fxt_report("%s", error.text);
	o->convert.output_fd = *fd;
	return o->page ? cmd_page_make_fd(&o->convert, o->argv) : packets_make(o);
}
