// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec page: makes one HTML file that shows a trace in any browser, without the network. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "cmd/page.h"
#include "cmd/page_explain.h"
#include "convert/out.h"
#include "files/create.h"
#include "files/older.h"
#include "page/matters.h"
#include "page/page.h"
#include "page/timeline.h"
#include "show/nobody.h"
#include "util/quantity.h"
#include "util/report.h"
#include "util/shell.h"

struct page_options {
	struct analyze_options common;
	char **argv;		/* words of the command, for the command that makes a part */
	const char *output;
	bool named;		/* the user named the page: an existing page is replaced, and else kept */
	int output_fd;		/* descriptor for "fxtrec open --page"; 0: output is a path */
	__u64 bytes_max;
};

enum { KEY_SIZE_LIMIT = 0x2000 };

static const struct argp_option table[] = {
	{ "output", 'o', "PAGE", 0, "Write to PAGE; - is standard output", 1 },
	{ "size-limit", KEY_SIZE_LIMIT, "SIZE", 0, "Make no page that is larger than SIZE (256M)", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(cpus), { 0 }
};

char *cmd_page_name(const char *path)
{
	size_t length = strlen(path), end;
	char *name;

	if (!strcmp(path, "-"))
		return strdup("trace.html");
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (fxt_path_ends(path, length, ".gz"))
		length -= 3;
	else if (fxt_path_ends(path, length, ".zst"))
		length -= 4;
	for (end = length; end && path[end - 1] != '.' && path[end - 1] != '/'; end--)
		;
	if (end > 1 && path[end - 1] == '.' && path[end - 2] != '/')
		length = end - 1;
	return asprintf(&name, "%.*s.html", (int)length, path) < 0 ? NULL : name;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct page_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case 'o':
		o->output = arg;
		o->named = true;
		break;
	case KEY_SIZE_LIMIT:
		if (fxt_quantity_bytes(arg, &o->bytes_max) || !o->bytes_max)
			argp_error(state, "--size-limit=%s: no size (10M)", arg);
		break;
	case ARGP_KEY_SUCCESS:
		if (!o->output)
			o->output = cmd_page_name(o->common.convert.inputs[0]);
		if (!o->output)
			argp_failure(state, FXT_FAILED, 0, "no memory");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_page_argp = {
	table, parse, "[FILE...] [-o PAGE]",
	"Makes a page that shows a trace: waits and their causes, CPUs over time, latencies, stacks of blocked "
	"threads, and a timeline.  The page is one file, which any browser opens from disk, and asks the network "
	"for nothing.  -p, -t, --comm, --cgroup and -C choose the threads and CPUs of its figures."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace.\n",
	children, NULL, NULL,
};

struct page_parts {
	struct page_explain *explain;
	struct fxt_out out;
	struct fxt_page page;
	struct fxt_page_matters matters;
	struct fxt_page_timeline timeline;
};

/* Reports a page that is too large, with the command for a part: half of the trace is the first guess. */
static int too_large(const struct page_options *o, const struct analysis *a, __u64 max)
{
	const struct fxt_machine *m = &a->machines.of[0].m;
	struct fxt_buffer command = { 0 };
	const char *of = o->output_fd ? a->file : o->output;
	char limit[32], least[32];
	int status;

	fxt_quantity_show(limit, sizeof(limit), max);
	fxt_quantity_show(least, sizeof(least), fxt_page_least());
	if (max <= fxt_page_least())
		return fxt_report("%s: no page is so small as %s: without any data it has %s", of, limit, least);
	if (fxt_convert_reads_stdin(&o->common.convert))
		return fxt_report("%s: the page would be larger than %s: save the trace to a file, and give "
				  "--time=@%llu,@%llu", of, limit, m->from, m->from + (m->to - m->from) / 2 + 1);
	fxt_shell_command(&command, o->argv, m->from, m->from + (m->to - m->from) / 2 + 1);
	fxt_buffer_put(&command, "", 1);
	status = fxt_report("%s: the page would be larger than %s: half of that time may do: \"%s\"", of, limit,
			    command.failed ? "fxtrec page --time=FROM,TO" : command.bytes);
	fxt_buffer_uninit(&command);
	return status;
}

static int failed(const struct page_options *o, const struct analysis *a, const struct page_parts *p, int err)
{
	char nobody[FXT_NOBODY_BYTES];

	if (err == -EFBIG && p->page.err == err)
		return too_large(o, a, p->page.bytes_max);
	if (p->out.err)
		return fxt_report("%s: %s", o->output, fxt_create_error(p->out.err));
	if (err == -ESRCH && analyze_chosen(a, &o->common, false))
		return FXT_FAILED;
	if (err == -ESRCH)
		return fxt_report("%s: %s", a->file, fxt_nobody_text(nobody, &o->common.selection, &a->origins));
	return analyze_error(a, err);
}

/* Makes the page, with its file open. */
static int page_make(const struct page_options *o, struct analysis *a, struct page_parts *p)
{
	const struct fxt_selection *selection = &o->common.selection;
	int err, status = FXT_DONE;

	err = fxt_page_matters_init(&p->matters, &a->machines.of[0].m, selection);
	p->matters.origins = &a->origins;
	if (!err)
		err = fxt_page_begin(&p->page, &p->out, o->bytes_max);
	if (!err)
		err = fxt_page_timeline_init(&p->timeline, &p->page, &a->machines.of[0].m, selection);
	if (!err)
		status = analyze_run(a);
	if (!err && !status)
		status = analyze_chosen(a, &o->common, true);
	p->matters.events = p->timeline.track_count > 0;
	if (!err && !status)
		err = fxt_page_matters_write(&p->page, &p->matters);
	if (!err && !status)
		err = page_explain_write(p->explain, &p->page);
	if (!err && !status)
		err = fxt_page_timeline_write(&p->page, &p->timeline);
	if (!err && !status)
		err = fxt_page_end(&p->page);
	fxt_page_timeline_uninit(&p->timeline);
	fxt_page_matters_uninit(&p->matters);
	return err ? failed(o, a, p, err) : status;
}

/* Returns whether the page would replace an input. */
static bool is_input(const struct page_options *o)
{
	struct stat page, input;
	int i;

	if (o->output_fd || stat(o->output, &page))
		return false;
	for (i = 0; i < o->common.convert.input_count; i++)
		if (!stat(o->common.convert.inputs[i], &input) && S_ISREG(input.st_mode) &&
		    input.st_dev == page.st_dev && input.st_ino == page.st_ino)
			return true;
	return false;
}

static int page_write(const struct page_options *o, struct analysis *a, struct page_explain *explain)
{
	static struct page_parts parts;
	int err, closed, status = FXT_FAILED;
	char *kept = NULL;

	err = o->output_fd ? fxt_out_open_fd(&parts.out, o->output, o->output_fd) : fxt_out_open(&parts.out, o->output);
	if (err)
		return fxt_report("%s: %s", o->output, fxt_create_error(err));
	parts.explain = explain;
	status = page_make(o, a, &parts);
	err = !status && !o->named ? fxt_older_keep(o->output, &kept) : 0;
	if (kept)
		fxt_report("%s: the page that was there before", kept);
	free(kept);
	closed = fxt_out_close(&parts.out, status || err);
	err = err ? err : closed;
	if (err && !status)
		status = fxt_report("%s: %s", o->output, fxt_create_error(err));
	if (!status && !o->named)
		fxt_report("%s: a page that shows it", o->output);
	return status;
}

static int page_run(struct page_options *o)
{
	static struct analysis analysis;
	struct page_explain explain;
	int status;

	if (is_input(o))
		return fxt_report("%s: that is the trace itself: give the page another name", o->output);
	page_explain_start(&explain, &o->common);
	status = analyze_open_one(&analysis, &o->common);
	if (!status)
		status = page_write(o, &analysis, &explain);
	page_explain_end(&explain);
	analyze_close(&analysis, &o->common);
	return status;
}

int cmd_page_make(char *file, char *page)
{
	char *argv[] = { "fxtrec page", "-o", page, "--", file, NULL };
	struct page_options o = {
		.argv = argv,
		.common.convert = { .inputs = &file, .input_count = 1 },
		.output = page,
		.bytes_max = FXT_PAGE_BYTES_MAX,
	};

	return page_run(&o);
}

int cmd_page_make_fd(const struct fxt_convert_options *convert, char **argv)
{
	struct page_options o = {
		.argv = argv,
		.common = {
			.convert = { .inputs = convert->inputs, .input_count = convert->input_count },
			.window = convert->window,
		},
		.output = "a temporary file",
		.named = true,
		.output_fd = convert->output_fd,
		.bytes_max = FXT_PAGE_BYTES_MAX,
	};

	return page_run(&o);
}

int cmd_page(int argc, char **argv)
{
	struct page_options o = { .bytes_max = FXT_PAGE_BYTES_MAX, .argv = argv };
	int err = argp_parse(&cmd_page_argp, argc, argv, 0, NULL, &o);

	return err ? fxt_report("%s", strerror(err)) : page_run(&o);
}
