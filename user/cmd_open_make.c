// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: makes what is served, packets or a page, in a file without a name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_open.h"
#include "cmd_page.h"
#include "store/temporary.h"
#include "util/report.h"
#include "util/shell.h"

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

static bool has_stdin(const struct fxt_convert_options *c)
{
	int i;

	for (i = 0; i < c->input_count; i++)
		if (!strcmp(c->inputs[i], "-"))
			return true;
	return false;
}

static void option_put(struct fxt_buffer *to, const char *name, const char *value)
{
	struct fxt_buffer word = { 0 };

	fxt_buffer_put(&word, name, strlen(name));
	fxt_buffer_put(&word, value, strlen(value) + 1);
	if (word.failed)
		to->failed = true;
	else
		fxt_shell_word(to, word.bytes);
	fxt_buffer_uninit(&word);
}

/* The same command of a part, which begins and ends there; 0 and ~0: with the trace. */
static void command_put(struct fxt_buffer *to, const struct fxt_open_options *o, __u64 from, __u64 end)
{
	char begin[32] = "", time[64], number[32];
	int i;

	fxt_buffer_put(to, "  fxtrec open", 13);
	if (o->no_browser)
		fxt_shell_word(to, "-n");
	if (o->ui)
		option_put(to, "--ui=", o->ui);
	if (o->ui_dir)
		option_put(to, "--ui-dir=", o->ui_dir);
	snprintf(number, sizeof(number), "%u", o->port);
	if (o->port != FXT_OPEN_PORT)
		option_put(to, "--port=", number);
	snprintf(number, sizeof(number), "%llu", o->convert.records_max);
	if (o->convert.records_max != FXT_OPEN_RECORDS_MAX)
		option_put(to, "--limit=", number);
	if (from)
		snprintf(begin, sizeof(begin), "@%llu", from);
	snprintf(time, sizeof(time), end == ~0ULL ? "%s," : "%s,@%llu", begin, end);
	option_put(to, "--time=", time);
	/* A file's name may begin as an option does. */
	for (i = 0; i < o->convert.input_count && o->convert.inputs[i][0] != '-'; i++)
		;
	if (i < o->convert.input_count)
		fxt_shell_word(to, "--");
	for (i = 0; i < o->convert.input_count; i++)
		fxt_shell_word(to, o->convert.inputs[i]);
	fxt_buffer_put(to, "\n", 1);
}

/* The commands that open a trace in parts. */
static int too_large(const struct fxt_open_options *o, const struct fxt_conversion *c)
{
	bool is_stdin = has_stdin(&o->convert);
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
	for (i = 0; i <= c->cuts.count; i++)
		command_put(&commands, o, i ? c->cuts.at[i - 1] : from, i < c->cuts.count ? c->cuts.at[i] : to);
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
	*fd = o->page ? -1 : packets_open(o);
	if (*fd >= 0)
		return FXT_DONE;
	*fd = fxt_temporary_open();
	if (*fd < 0)
		return fxt_report("a temporary file: %s", strerror(-*fd));
	o->convert.output_fd = *fd;
	return o->page ? cmd_page_make_fd(&o->convert) : packets_make(o);
}
