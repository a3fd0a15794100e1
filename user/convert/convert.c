// SPDX-License-Identifier: GPL-2.0-only
/* Runs one conversion: inputs of any format through the sorter to one output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/convert.h"
#include "convert/hosts.h"
#include "convert/missing.h"
#include "convert/parts.h"
#include "convert/progress.h"
#include "convert/skip.h"
#include "convert/unknown.h"
#include "files/create.h"
#include "util/quantity.h"
#include "util/reason.h"
#include "util/report.h"

/* Default limit of temporary files, in addition to FXT_IN_SPOOL_RATIO. */
#define SPOOL_BYTES	((__u64)256 << 20)

/* Memory of the records; the rest of the limit is for buffers. */
#define SORTER_BYTES	((size_t)31 << 20)

const struct fxt_format *fxt_format_named(const char *name)
{
	const struct fxt_format *const *f;

	for (f = fxt_formats; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

static bool ends(const char *path, size_t length, const char *suffix)
{
	return *suffix && fxt_path_ends(path, length, suffix);
}

const struct fxt_format *fxt_format_suffixed(const char *path)
{
	const struct fxt_format *const *f;
	size_t length = strlen(path);

	if (fxt_path_ends(path, length, ".gz"))
		length -= 3;
	else if (fxt_path_ends(path, length, ".zst"))
		length -= 4;
	for (f = fxt_formats; *f; f++)
		if ((*f)->ops->writer && (ends(path, length, (*f)->suffix) ||
					  ends(path, length, (*f)->other_suffix)))
			return *f;
	return NULL;
}

/* Reads an input; damaged compressed data counts as its end. */
static int format_read(struct fxt_conversion *c, const struct fxt_format *format, struct fxt_in *in)
{
	static const struct fxt_flaw damaged = { "its gzip or zstd data is damaged",
						  "ends of inputs, from where their gzip or zstd data is damaged", NULL };
	int err;

	in->lenient = !c->strict;
	fxt_flaw_begin(c, in->name);
	c->reading.cut = 0;
	err = format->ops->read(c, in);
	if (c->reading.cut)
		fxt_skip(c, "ends of texts beyond 32000 bytes", c->reading.cut);
	if (in->damaged && (!err || err == -EBADMSG)) {
		c->place = (struct fxt_place){ .input = in->name, .at = in->offset };
		err = fxt_flaw(c, &damaged);
	}
	return err ? err : fxt_flaw_end(c);
}

/*
 * Handles an empty input, as the last part of a recorder that was killed, or that had a full disk; it is an error only
 * if all inputs are empty.
 */
static int empty_pass(struct fxt_conversion *c, const struct fxt_in *in)
{
	static const struct fxt_flaw empty = { "it is empty", "inputs with nothing in them", NULL };

	c->place = (struct fxt_place){ .input = in->name };
	return fxt_flaw(c, &empty);
}

/* Finds an input's machine, where there are several. */
static int machine_set(struct fxt_conversion *c, const struct fxt_convert_options *o, const char *path)
{
	struct fxt_host_facts facts;
	struct fxt_host *m;
	__s64 offset = 0;
	int i;

	if (o->apart)
		return 0;
	if (!c->hosts)
		c->hosts = calloc(1, sizeof(*c->hosts));
	if (!c->hosts)
		return -ENOMEM;
	c->reading.watch = fxt_hosts_say;
	c->reading.watch_arg = c;
	if (o->input_count < 2) {
		c->hosts->count = 1;
		return 0;
	}
	for (i = 0; i < o->offset_count; i++)
		if (!strcmp(o->offsets[i].input, path))
			offset = o->offsets[i].ns;
	fxt_host_facts_read(&facts, o->from, path);
	m = fxt_hosts_find(c->hosts, &facts, path, offset);
	if (!m)
		return fxt_error_set(&c->error, E2BIG, "%s: of more machines than %u", path, FXT_HOSTS_MAX);
	if (offset && m->offset != offset)
		return fxt_error_set(&c->error, EINVAL, "--offset=%s: it is of the machine of %s: give that one's name",
				     path, m->input);
	c->reading.host = m->id;
	fxt_reading_input(&c->reading)->machines->id = m->id;
	return 0;
}

/*
 * Checks the numbers of CPUs: with several machines, each has FXT_HOST_CPUS numbers, and a higher number would be
 * another machine's.
 */
static int cpus_check(struct fxt_conversion *c, const struct fxt_convert_options *o)
{
	__u32 input, cpu;

	for (input = 0; c->hosts && c->hosts->count > 1 && input < c->reading.inputs.count; input++) {
		const struct fxt_trace_input *of = &c->reading.inputs.of[input];

		/* An input of several machines has CPUs of each machine. */
		if (of->machine_count > 1)
			continue;
		for (cpu = (of->machines->id.number + 1) * FXT_HOST_CPUS; cpu < FXTREC_CPUS_MAX; cpu++)
			if (fxt_cpus_has(&of->cpus, cpu))
				return fxt_error_set(&c->error, E2BIG, "%s: of a machine with CPU %u: with others it may "
						     "have %u CPUs; analyses take the files as they are", o->inputs[input],
						     cpu - of->machines->id.number * FXT_HOST_CPUS, FXT_HOST_CPUS);
	}
	return 0;
}

static int read_input(struct fxt_conversion *c, const struct fxt_convert_options *o, const char *path)
{
	const struct fxt_format *format = o->from;
	struct fxt_reason reason;
	struct fxt_in in;
	int err = fxt_in_open(&in, path);

	if (err)
		return fxt_error_set(&c->error, -err, "%s: %s", in.name, in.refused ? in.refused :
				     err == -EBADMSG ? "its gzip or zstd data is damaged" :
				     fxt_reason_read(&reason, in.name, -err));
	if (!o->spool_bytes) {
		in.spool = &c->spool;
		fxt_in_allow(&in, in.consumed);
	}
	fxt_convert_progress_read(&c->progress, &in);
	if (!format)
		format = fxt_format_of(&in);
	if (!format && !in.start_bytes && ++c->empty < o->input_count)
		err = empty_pass(c, &in);
	else if (!format)
		err = fxt_unknown_error(&c->error, &in);
	else
		err = format_read(c, format, &in);
	if (err && in.refused)
		fxt_error_set(&c->error, -err, "%s: %s", in.name, in.refused);
	if (err && c->hosts && c->hosts->refused)
		fxt_error_set(&c->error, -err, "%s: of several machines, with ids of others here: give it as the first one, "
			      "or the files that it was made of", in.name);
	fxt_in_close(&in);
	return err;
}

static int write_records(struct fxt_conversion *c, const struct fxt_convert_options *o, struct fxt_parts *parts)
{
	struct fxt_stage last = { .put = fxt_parts_put, .arg = parts };
	int err;

	fxt_convert_progress_write(&c->progress, o->output, c->records);
	err = fxt_chain_run(&c->chain, &last, NULL);
	if (c->chain.unread)
		fxt_error_set(&c->error, -err, "reading the sorted records: %s", strerror(-err));
	return err;
}

/* Checks the window: one with sides of different kinds may be empty in this trace. */
static int window_check(struct fxt_conversion *c, const struct fxt_convert_options *o)
{
	char span[FXT_WINDOW_SPAN_BYTES];
	__u64 from, to;

	c->records = fxt_sorter_count(c->reading.sorter);
	fxt_inputs_span(&c->reading.inputs, &c->first, &c->last);
	fxt_window_resolve(&o->window, c->first, c->last, &from, &to);
	return from < to ? 0 : fxt_error_set(&c->error, ERANGE, FXT_WINDOW_EMPTY ": %s",
					     fxt_window_span(span, c->first, c->last));
}

static int write_output(struct fxt_conversion *c, const struct fxt_convert_options *o)
{
	struct fxt_parts parts;
	char span[FXT_WINDOW_SPAN_BYTES];
	int err = fxt_parts_open(&parts, c, o), closed;

	if (!err)
		err = write_records(c, o, &parts);
	if (!err && parts.over) {
		c->records = c->chain.bounds.set ? parts.records : c->records;
		err = -E2BIG;
	}
	if (!err && !c->chain.bounds.started && fxt_bounds_is_outside(&c->chain.bounds)) {
		fxt_window_span(span, c->first, c->last);
		if (o->shown)
			err = fxt_error_set(&c->error, ERANGE, "%s: nothing of it is in that time: %s", o->inputs[0], span);
		else
			fxt_report("%s: nothing of it is in that time: an empty trace: %s", o->inputs[0], span);
	}
	closed = fxt_parts_close(&parts, err);
	err = err ? err : closed;
	/* The caller reports its own limit. */
	if (err && !c->error.text[0] && !(err == -E2BIG && o->records_max))
		fxt_error_set(&c->error, -err, "%s: %s", parts.path ? parts.path : o->output,
			      fxt_create_error(err));
	free(parts.path);
	return err;
}

/* Returns the conditions of a chain that ends in a writer, or in the caller. */
static unsigned int chain_has(const struct fxt_convert_options *o)
{
	return !o->to ? 0 : FXT_CHAIN_PAIRED | FXT_CHAIN_BOUNDED | (o->to->ops->writer->by_cpu ? FXT_CHAIN_BY_CPU : 0);
}

int fxt_convert_begin(struct fxt_conversion *c, const struct fxt_convert_options *o)
{
	struct fxt_inputs *inputs = &c->reading.inputs;
	struct fxt_merge *merge;
	int err, i;

	*c = (struct fxt_conversion){ .apart = o->apart, .strict = o->strict, .fuchsia = o->fuchsia,
				      .progress.shown = o->progress };
	err = fxt_conversion_init(c, o->memory ? o->memory : SORTER_BYTES);
	c->reading.sched_only = o->sched_only;
	c->spool.max = o->spool_bytes ? o->spool_bytes : SPOOL_BYTES;
	for (i = 0; !err && i < o->input_count; i++) {
		err = i ? fxt_inputs_next(inputs) : 0;
		if (!err)
			err = machine_set(c, o, o->inputs[i]);
		if (!err)
			err = read_input(c, o, o->inputs[i]);
	}
	if (!err && o->offset_count && (!c->hosts || c->hosts->count < 2))
		err = fxt_error_set(&c->error, EINVAL, "--offset: all inputs are of one machine");
	if (!err && !o->apart)
		err = cpus_check(c, o);
	if (!err && !o->apart)
		err = fxt_missing_parts(c);
	if (!err)
		/* Duplicates in two inputs, and a record's machine, need the whole contents of records. */
		err = fxt_sorter_sort(c->reading.sorter, o->views && inputs->count == 1 && inputs->of->machine_count == 1, &merge);
	if (!err)
		err = fxt_chain_begin(&c->chain, merge, inputs, chain_has(o));
	c->chain.seen = fxt_convert_progress_wrote;
	c->chain.seen_arg = &c->progress;
	if (err && !c->error.text[0])
		fxt_error_set(&c->error, -err, "sorting: %s", strerror(-err));
	if (err)
		fxt_error_spool(&c->error, &c->spool);
	return err;
}

void fxt_convert_end(struct fxt_conversion *c)
{
	fxt_convert_progress_end(&c->progress);
	fxt_conversion_uninit(c);
	free(c->hosts);
	c->hosts = NULL;
}

bool fxt_convert_reads_stdin(const struct fxt_convert_options *o)
{
	int i;

	for (i = 0; i < o->input_count; i++)
		if (!strcmp(o->inputs[i], "-"))
			return true;
	return false;
}

int fxt_convert(struct fxt_conversion *c, const struct fxt_convert_options *o)
{
	int err = fxt_convert_begin(c, o);

	if (!err) {
		err = window_check(c, o);
		if (!err)
			err = write_output(c, o);
		if (err)
			fxt_error_spool(&c->error, &c->spool);
		if (!err)
			fxt_hosts_report(c->hosts);
	}
	fxt_convert_end(c);
	return err;
}
