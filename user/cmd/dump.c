// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec dump: prints every record of a file as a line of text. */
#include <argp.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "show/dump.h"
#include "show/input.h"
#include "show/print.h"
#include "util/report.h"

#define OUT_BYTES	(1u << 20)

struct dump_options {
	char *path;
	struct fxt_window window;
	bool raw;
	bool types;
};

static const struct argp_option table[] = {
	{ "raw", 'r', NULL, 0, "Print the records' words, too, on indented lines of their own", 0 },
	{ "types", 't', NULL, 0, "Print the arguments' types: NAME:TYPE=VALUE", 0 },
	FXT_TIME_OPTION("Print records without a time, and records"),
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct dump_options *o = state->input;

	switch (key) {
	case 'r':
		o->raw = true;
		break;
	case 't':
		o->types = true;
		break;
	default:
		return fxt_recording_option(&o->path, &o->window, key, arg, state);
	}
	return 0;
}

const struct argp cmd_dump_argp = {
	table, parse, "[FILE]",
	"Prints every record of FILE, an FXT file of any origin, as a line of text; \"-\" is "
	"standard input."
	"\v"
	"A line has the record's offset, its time in seconds or \"-\", its kind and its fields:\n"
	"\n"
	"  0x00001a20     12.345678901 context-switch: provider=256 ticks=12345678901 cpu=0 "
	"outgoing=71 outgoing_name=\"bash\" state=blocked incoming=15 incoming_name=\"kworker/0:1\" "
	"{outgoing_weight=120 incoming_weight=120}\n"
	"\n"
	"Arguments are in braces.  Strings are quoted, and unprintable characters in them are "
	"escaped.  ?7 is a string or a thread of index 7 that was not registered.  Names of "
	"threads are those that the file has before the line.  Of binary data the first 32 "
	"bytes are printed.\n"
	"\n"
	"Exits with 1 if the file is cut or a record is malformed, after all others.",
	NULL, NULL, NULL,
};

/* Prints all records, and counts the malformed ones.  0, or the error that stopped it. */
static int dump_all(struct fxt_input *input, struct fxt_dump *dump, __u64 *malformed)
{
	int err;

	while ((err = fxt_input_next(input)) > 0) {
		*malformed += input->record.kind == FXT_KIND_MALFORMED;
		if (!fxt_input_in_window(input))
			continue;
		err = fxt_dump_record(dump, &input->record);
		if (err || ferror_unlocked(dump->out))
			break;
	}
	return err;
}

int cmd_dump(int argc, char **argv)
{
	struct dump_options o = { 0 };
	struct fxt_dump dump = { .out = stdout };
	struct fxt_input input;
	__u64 malformed = 0;
	int err, status;

	err = argp_parse(&cmd_dump_argp, argc, argv, 0, NULL, &o);
	if (err)
		return fxt_report("%s", strerror(err));
	dump.raw = o.raw;
	dump.types = o.types;
	setvbuf(stdout, NULL, _IOFBF, OUT_BYTES);
	err = fxt_input_open_window(&input, o.path, &o.window);
	if (err)
		return fxt_input_report(&input, err);
	fxt_objects_init(&dump.objects, &input.spill);
	err = dump_all(&input, &dump, &malformed);
	status = fxt_print_finish(stdout, FXT_DONE);
	if (err)
		status = fxt_input_report(&input, err);
	else if (malformed)
		status = fxt_report("%s: %llu malformed records", input.name, malformed);
	else if (!status)
		status = fxt_input_outside(&input);
	fxt_objects_uninit(&dump.objects);
	fxt_input_close(&input);
	return status;
}
