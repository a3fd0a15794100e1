// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec mcp: answers questions of other programs about traces, by the Model Context Protocol. */
#include <string.h>

#include "cmd/command.h"
#include "mcp/mcp.h"
#include "show/print.h"
#include "util/quantity.h"
#include "util/report.h"

#define TIMEOUT_NS	60000000000ull
#define TIMEOUT_MAX_NS	86400000000000ull

enum { KEY_RECORD = 0x2000, KEY_TIMEOUT };

static const struct argp_option table[] = {
	{ "allow-record", KEY_RECORD, NULL, 0, "Allow recordings of this machine, of up to 60 seconds each, as new "
	  "files in the folders", 0 },
	{ "timeout", KEY_TIMEOUT, "TIME", 0, "Kill a command that takes longer than TIME; 60s is the default", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static char current[] = ".", *here[] = { current };
	struct fxt_mcp *o = state->input;

	switch (key) {
	case KEY_RECORD:
		o->record = true;
		break;
	case KEY_TIMEOUT:
		if (fxt_quantity_duration(arg, &o->timeout_ns) || !o->timeout_ns || o->timeout_ns > TIMEOUT_MAX_NS)
			argp_error(state, "--timeout=%s: no duration up to 24h (60s)", arg);
		break;
	case ARGP_KEY_ARGS:
		o->folders = state->argv + state->next;
		o->folder_count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS:
		o->folders = here;
		o->folder_count = 1;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_mcp_argp = {
	table, parse, "[FOLDER...]",
	"Answers questions of other programs, such as language models, about the traces below the folders, or below "
	"the current folder: serves the commands info, explain, report, blame, path, query and diff by the Model "
	"Context Protocol, on standard input and output.  It reads no other file, and ends with its input."
	"\v"
	"A client starts it by a command line such as: fxtrec mcp /srv/traces\n",
	NULL, NULL, NULL,
};

int cmd_mcp(int argc, char **argv)
{
	struct fxt_mcp o = { .timeout_ns = TIMEOUT_NS };
	int err = argp_parse(&cmd_mcp_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	return fxt_print_finish(stdout, fxt_mcp_run(&o));
}
