// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec doctor: checks whether a recording would work here, and prints remedies. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>

#include "cmd/command.h"
#include "doctor/doctor.h"
#include "show/print.h"
#include "util/json_writer.h"
#include "util/report.h"

/* Version of the object's members: Documentation/versions.rst. */
#define JSON_VERSION	1

static const struct argp_option table[] = {
	{ "json", 'j', NULL, 0, "Print a JSON object", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	*(bool *)state->input = true;
	return 0;
}

const struct argp cmd_doctor_argp = {
	table, parse, NULL,
	"Checks whether \"fxtrec record\" would work here: prints each condition of the machine, and the command "
	"to type if it is not met.\v"
	"Loads eBPF programs for a moment, and no module; it changes nothing.\n"
	"\n"
	"Exits with 0 if a recording would work, else with 1.",
	NULL, NULL, NULL,
};

static const char *const states[] = {
	[FXT_FINDING_OK] = "ok", [FXT_FINDING_NOTE] = "note", [FXT_FINDING_BAD] = "no",
};

static const char *verdict(const struct fxt_doctor *d)
{
	if (d->busy)
		return "no recording would work: another recorder has the module";
	if (!d->cpus)
		return "no recording would work: the CPUs can't be counted";
	if (!d->memory)
		return "no recording would work without -b: there is too little memory";
	if (!fxt_doctor_works(d))
		return "no recording would work";
	return d->module ? "a recording works: by the module" : "a recording works: by eBPF";
}

static void text_print(const struct fxt_doctor *d)
{
	unsigned int i;

	for (i = 0; i < d->count; i++) {
		const struct fxt_doctor_finding *f = &d->finding[i];

		printf("%-4s  %-19s  ", states[f->state], f->name);
		fxt_print_cell(stdout, f->text, 0);
		putchar('\n');
		if (*f->remedy)
			printf("      %-19s  -> %s\n", "", f->remedy);
	}
	printf("\n%s\n", verdict(d));
}

static void finding_json(struct fxt_json_writer *w, const struct fxt_doctor_finding *f)
{
	fxt_json_open(w, '{');
	fxt_json_key(w, "name");
	fxt_json_word(w, f->name);
	fxt_json_key(w, "state");
	fxt_json_word(w, states[f->state]);
	fxt_json_key(w, "text");
	fxt_json_string(w, f->text, strlen(f->text));
	fxt_json_key(w, "remedy");
	if (*f->remedy)
		fxt_json_string(w, f->remedy, strlen(f->remedy));
	else
		fxt_json_null(w);
	fxt_json_close(w, '}');
}

/* Prints the findings as JSON.  0 or -ENOMEM. */
static int json_print(const struct fxt_doctor *d)
{
	struct fxt_json_writer w = { .lines = true };
	unsigned int i;
	int err;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", JSON_VERSION);
	fxt_json_key(&w, "fxtrec");
	fxt_json_word(&w, FXT_VERSION);
	fxt_json_key(&w, "works");
	fxt_json_bool(&w, fxt_doctor_works(d));
	fxt_json_key(&w, "backend");
	if (fxt_doctor_works(d))
		fxt_json_word(&w, d->module ? "kmod" : "bpf");
	else
		fxt_json_null(&w);
	fxt_json_key(&w, "findings");
	fxt_json_open(&w, '[');
	for (i = 0; i < d->count; i++)
		finding_json(&w, &d->finding[i]);
	fxt_json_close(&w, ']');
	fxt_json_close(&w, '}');
	err = w.text.failed ? -ENOMEM : 0;
	if (!err)
		printf("%.*s\n", (int)w.text.length, w.text.bytes);
	fxt_buffer_uninit(&w.text);
	return err;
}

int cmd_doctor(int argc, char **argv)
{
	static struct fxt_doctor d;
	bool json = false;

	argp_parse(&cmd_doctor_argp, argc, argv, 0, NULL, &json);
	/* The default rings of "fxtrec record". */
	fxt_doctor_run(&d, 4 << 20);
	if (!json)
		text_print(&d);
	else if (json_print(&d))
		return fxt_report("no memory");
	return fxt_print_finish(stdout, fxt_doctor_works(&d) ? FXT_DONE : FXT_FAILED);
}
