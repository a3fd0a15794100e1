// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: shows a trace in a browser, in Perfetto's UI or as a page. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/open.h"
#include "cmd/trace_options.h"
#include "convert/convert.h"
#include "serve/serve.h"
#include "util/quantity.h"
#include "util/report.h"

#define UI	"https://ui.perfetto.dev"

enum { KEY_UI = 256, KEY_UI_DIR, KEY_PORT, KEY_LIMIT, KEY_PAGE };

static const struct argp_option table[] = {
	FXT_TIME_OPTION("Open records"),
	FXT_FROM_OPTION(FXT_FROM_KEY, 0),
	FXT_STRICT_OPTION(0),
	{ "no-browser", 'n', NULL, 0, "Print the address; start no browser", 0 },
	{ "page", KEY_PAGE, NULL, 0, "In place of the UI, the page that \"fxtrec page\" makes; it needs no network", 0 },
	{ "ui", KEY_UI, "URL", 0, "The UI at URL (" UI ")", 0 },
	{ "ui-dir", KEY_UI_DIR, "DIR", 0, "Serve a UI of your own, with its files in DIR", 0 },
	{ "port", KEY_PORT, "PORT", 0, "Serve on another port than 9001, the only one that Perfetto's UI may read", 0 },
	{ "limit", KEY_LIMIT, "RECORDS", 0, "Number of records that the UI can hold (10000000): a larger trace is "
	  "offered in parts", 0 },
	{ 0 }
};

static bool is_url(const char *url)
{
	const char *host = !strncmp(url, "https://", 8) ? url + 8 : !strncmp(url, "http://", 7) ? url + 7 : "";

	for (; *url; url++)
		if (*url <= ' ' || *url >= 127 || strchr("\"'<>\\^`{|}#?", *url))
			return false;
	return isalnum((unsigned char)*host) || *host == '[';
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fxt_open_options *o = state->input;
	__u64 port;

	switch (key) {
	case FXT_TIME_KEY:
		fxt_time_option(&o->convert.window, arg, state);
		break;
	case FXT_FROM_KEY:
	case FXT_STRICT_KEY:
	case FXT_LENIENT_KEY:
		fxt_reading_option(&o->convert, key, arg, state);
		break;
	case 'n':
		o->no_browser = true;
		break;
	case KEY_PAGE:
		o->page = true;
		break;
	case KEY_UI:
		if (!is_url(arg))
			argp_error(state, "--ui=%s: no address as http://HOST or https://HOST", arg);
		o->ui = arg;
		break;
	case KEY_UI_DIR:
		o->ui_dir = arg;
		break;
	case KEY_PORT:
		if (fxt_quantity_count(arg, UINT16_MAX + 1, &port) || !port)
			argp_error(state, "--port=%s: no port", arg);
		o->port = port;
		break;
	case KEY_LIMIT:
		if (fxt_quantity_count(arg, UINT32_MAX, &o->convert.records_max) || !o->convert.records_max)
			argp_error(state, "--limit=%s: no number of records", arg);
		break;
	case ARGP_KEY_ARGS:
	case ARGP_KEY_NO_ARGS:
		fxt_inputs_parse(&o->convert, state);
		break;
	case ARGP_KEY_SUCCESS:
		if (o->ui && o->ui_dir)
			argp_error(state, "--ui and --ui-dir name two UIs");
		if (o->page && (o->ui || o->ui_dir || o->convert.records_max))
			argp_error(state, "--ui, --ui-dir and --limit are not of --page");
		if (!o->convert.records_max)
			o->convert.records_max = FXT_OPEN_RECORDS_MAX;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_open_argp = {
	table, parse, "[FILE...]",
	"Opens a trace of any format that \"convert\" reads in Perfetto's UI: converts it, gives it to the UI's "
	"page in a browser of this machine, once, and ends; with --page, gives fxtrec's own page.  The trace "
	"doesn't leave "
	"this machine.  Several files become one trace; \"-\" is standard input.\v"
	"Over SSH, or without a display, the command for the machine with the browser is printed.",
	NULL, NULL, NULL,
};

/* Makes a path that no other page can guess. */
static int path_make(struct fxt_serve *open)
{
	unsigned char key[FXT_SERVE_KEY_BYTES];
	size_t i;

	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		return fxt_report("random bytes: %s", strerror(errno));
	open->path[0] = '/';
	for (i = 0; i < sizeof(key); i++)
		snprintf(open->path + 1 + 2 * i, 3, "%02x", key[i]);
	return FXT_DONE;
}

/*
 * Returns scheme, host and port of the UI as a browser sends them: in lower case and without the scheme's default port.
 */
static char *origin_of(const char *url)
{
	const char *host = strstr(url, "://") + 3, *port = !strncmp(url, "https:", 6) ? ":443" : ":80";
	size_t length = host - url + strcspn(host, "/"), i;
	char *origin = strndup(url, length);

	for (i = 0; origin && i < length; i++)
		origin[i] = tolower((unsigned char)origin[i]);
	if (origin && length > strlen(port) && !strcmp(origin + length - strlen(port), port))
		origin[length - strlen(port)] = '\0';
	return origin;
}

/* Returns the address for the browser to open; NULL without memory. */
static char *address_make(const struct fxt_open_options *o, struct fxt_serve *open)
{
	char *address = NULL, *ui = NULL;

	snprintf(open->host, sizeof(open->host), "127.0.0.1:%u", open->port);
	if (o->page)
		return asprintf(&address, "http://%s%s", open->host, open->path) < 0 ? NULL : address;
	if (asprintf(&ui, o->ui_dir ? "http://%s" : "%s", o->ui_dir ? open->host : o->ui ? o->ui : UI) < 0)
		ui = NULL;
	open->origin = ui ? origin_of(ui) : NULL;
	if (!open->origin || asprintf(&address, "%s%s#!/?url=http://%s%s", ui, ui[strlen(ui) - 1] == '/' ? "" : "/",
				      open->host, open->path) < 0)
		address = NULL;
	free(ui);
	return address;
}

static int serve(const struct fxt_open_options *o, struct fxt_serve *open)
{
	int status = path_make(open);
	char *address = status ? NULL : address_make(o, open);

	if (!status && !address)
		status = fxt_report("%s", strerror(ENOMEM));
	if (!status)
		status = fxt_serve_begin(open);
	if (!status) {
		char *file;

		fxt_serve_browse(address, open->port, o->no_browser, &file);
		fxt_serve_run(open);
		fxt_serve_end(open);
		fxt_serve_browse_end(file);
		puts(o->page ? "The browser has it: its \"save as\", or \"fxtrec page\", makes a file of it." : "The UI has it.");
	}
	free(open->origin);
	free(address);
	return status;
}

int cmd_open(int argc, char **argv)
{
	struct fxt_open_options o = {
		.convert = { .output = "packets", .to = &fxt_format_perfetto, .shown = true,
			     .progress = isatty(STDERR_FILENO) },
		.port = FXT_OPEN_PORT,
		.argv = argv,
	};
	struct fxt_serve open_state = { .fd = -1, .ui_fd = -1 };
	struct stat st;
	int err = argp_parse(&cmd_open_argp, argc, argv, 0, NULL, &o), status;

	if (err)
		return fxt_report("%s", strerror(err));
	open_state.port = o.port;
	open_state.page = o.page;
	if (o.ui_dir) {
		open_state.ui_fd = open(o.ui_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (open_state.ui_fd < 0)
			return fxt_report("%s: %s", o.ui_dir, strerror(errno));
	}
	status = fxt_open_make(&o, &open_state.fd);
	if (!status && fstat(open_state.fd, &st))
		status = fxt_report("%s: %s", o.convert.inputs[0], strerror(errno));
	if (!status) {
		open_state.bytes = st.st_size;
		status = serve(&o, &open_state);
	}
	if (open_state.fd >= 0)
		close(open_state.fd);
	if (open_state.ui_fd >= 0)
		close(open_state.ui_fd);
	return status;
}
