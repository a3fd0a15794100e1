// SPDX-License-Identifier: GPL-2.0-only
/* Common parts of the commands that analyze traces. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/analyze.h"
#include "util/report.h"

/* Memory for records to sort, as an analysis needs memory of its own. */
#define SORTER_BYTES	((size_t)12 << 20)

int analyze_failed(const struct analysis *a, int err)
{
	return err ? analyze_error(a, err) : FXT_DONE;
}

/* Returns all inputs in one word, as a report names them. */
static char *names_join(const struct fxt_convert_options *o)
{
	size_t bytes = 1;
	char *names;
	int i;

	for (i = 0; i < o->input_count; i++)
		bytes += strlen(o->inputs[i]) + 1;
	names = malloc(bytes);
	if (!names)
		return NULL;
	*names = '\0';
	for (i = 0; i < o->input_count; i++) {
		if (i)
			strcat(names, " ");
		strcat(names, o->inputs[i]);
	}
	return names;
}

/* Adds a machine's CPUs, from the CPUs of its file. */
static void cpus_own(struct fxt_cpus *own, const struct fxt_cpus *all, __u32 number)
{
	__u32 cpu, first = number * FXT_HOST_CPUS;

	for (cpu = 0; cpu < FXT_HOST_CPUS && first + cpu < FXTREC_CPUS_MAX; cpu++)
		if (fxt_cpus_has(all, first + cpu))
			fxt_cpus_add(own, cpu);
}

/* Sets, for each machine of a file, which CPUs were traced.  A file of one machine has all CPUs. */
static void recorded_set(struct analysis *a, __u32 file)
{
	const struct fxt_trace_input *input = &a->conversion.reading.inputs.of[file];
	struct fxt_cpus own;
	__u32 i;

	for (i = 0; i < input->machine_count; i++) {
		own = input->cpus;
		if (input->machine_count > 1) {
			own = (struct fxt_cpus){ 0 };
			cpus_own(&own, &input->cpus, input->machines[i].id.number);
		}
		fxt_machines_recorded(&a->machines, a->firsts[file] + i, &own, input->wakeups);
	}
}

/* Sets the inputs of the machines: a file is an input for each of its machines. */
static void inputs_set(struct analysis *a, struct fxt_holes_input *inputs)
{
	const struct fxt_inputs *read = &a->conversion.reading.inputs;
	__u32 file, i;

	for (file = 0; file < read->count; file++) {
		const struct fxt_trace_input *input = &read->of[file];
		const struct fxt_facts *first = &input->machines->facts;

		for (i = 0; i < input->machine_count; i++) {
			struct fxt_facts facts = input->machines[i].facts;

			/* All times of a file are on its first machine's clock. */
			if (i) {
				facts.clock = first->clock;
				facts.timed_by = first->host ? first->host : ~0ULL;
			}
			facts.read = first->read;
			facts.first = first->first;
			facts.begin = first->begin;
			facts.last = first->last;
			inputs[a->firsts[file] + i] = (struct fxt_holes_input){
				.file = file, .facts = facts, .span = fxt_trace_input_machine_span(input, i),
				.whole = *fxt_time_span_times(&input->span),
			};
		}
	}
}

/* Determines the machines of the files. */
static int machines_open(struct analysis *a, const char *chosen)
{
	const struct fxt_inputs *read = &a->conversion.reading.inputs;
	__u32 count = read->count, all = 0, i;
	const struct fxt_origin **origins;
	struct fxt_holes_input *inputs;
	int err = -ENOMEM;

	a->firsts = calloc(2 * count, sizeof(*a->firsts));
	if (!a->firsts)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		a->firsts[i] = all;
		all += read->of[i].machine_count;
	}
	a->several = all > count;
	inputs = calloc(all, sizeof(*inputs));
	if (inputs) {
		inputs_set(a, inputs);
		err = fxt_machines_init(&a->machines, &a->conversion.spill, inputs, all, chosen);
	}
	for (i = 0; i < count && !err; i++) {
		recorded_set(a, i);
		a->firsts[count + i] = inputs[a->firsts[i]].machine;
	}
	free(inputs);
	a->conversion.chain.dedup.machines = a->firsts + count;
	if (err)
		return err;
	origins = calloc(a->machines.count, sizeof(*origins));
	if (!origins)
		return -ENOMEM;
	for (i = 0; i < a->machines.count; i++)
		origins[i] = &a->machines.of[i].origin;
	a->origins = (struct fxt_origins){ .file = a->file, .of = origins, .count = a->machines.count };
	return 0;
}

/* Reports a --machine that matches no machine, or more than one. */
static int machine_wrong(const struct analysis *a, const char *name, int err)
{
	return fxt_report("%s: %s \"%s\": \"fxtrec report\" names them, and has their numbers", a->file,
			  err == -ESRCH ? "no machine" : "more than one machine", name);
}

int analyze_open(struct analysis *a, const struct analyze_options *options)
{
	struct fxt_convert_options convert = options->convert;
	char span[FXT_WINDOW_SPAN_BYTES];
	int err;

	convert.memory = SORTER_BYTES;
	convert.apart = true;
	convert.views = true;
	convert.sched_only = options->sched_only;
	convert.progress = isatty(STDERR_FILENO);
	err = fxt_convert_begin(&a->conversion, &convert);
	fxt_convert_progress_end(&a->conversion.progress);
	if (!options->again)
		fxt_notes_report(&a->conversion.skipped, "passed over");
	if (!err) {
		a->file = names_join(&convert);
		err = a->file ? machines_open(a, options->machine) : -ENOMEM;
		if (err == -ESRCH || err == -EEXIST)
			return machine_wrong(a, options->machine, err);
	}
	if (err)
		return a->conversion.error.text[0] ? fxt_report("%s", a->conversion.error.text) :
		       analyze_failed(a, err);
	fxt_convert_progress_write(&a->conversion.progress, a->file, fxt_sorter_count(a->conversion.reading.sorter));
	if (!fxt_machines_window(&a->machines, &options->window))
		return fxt_report("%s: nothing of it is in that time: %s", a->file,
				  fxt_window_span(span, a->machines.of[0].whole.first, a->machines.of[0].whole.last));
	return FXT_DONE;
}

int analyze_open_one(struct analysis *a, const struct analyze_options *options)
{
	int status = analyze_open(a, options);

	if (!status && a->machines.count > 1)
		status = fxt_report("%s: recordings of different machines: --machine=N chooses one", a->file);
	return status;
}

int analyze_error(const struct analysis *a, int err)
{
	struct fxt_error error;

	if (fxt_error_spool(&error, &a->conversion.spool))
		return fxt_report("%s", error.text);
	if (!a->file)
		return fxt_report("%s", strerror(-err));
	/* Thread ids and CPUs of the machines would be taken for each other's. */
	if (!err)
		return fxt_report("%s: a file has recordings of different machines: give the files that it was made of", a->file);
	return fxt_report("%s: %s", a->file, strerror(-err));
}

/* Sets, for a file of several machines, the record as its own machine has it, and its input. */
static void own_set(struct analysis *a, struct fxt_record *r)
{
	const struct fxt_trace_input *input = &a->conversion.reading.inputs.of[r->input];
	__u32 own = a->firsts[r->input], i;

	for (i = 1; i < input->machine_count; i++)
		if (input->machines[i].id.number == r->machine) {
			*r = *fxt_host_own(&a->own, r, &input->machines[i].id);
			own += i;
			break;
		}
	r->input = own;
}

/* Finds the machine of a record, and sets the record as that machine has it; NULL: it isn't chosen. */
static struct fxt_machines_one *machine_of(struct analysis *a, struct fxt_record *r)
{
	if (a->several)
		own_set(a, r);
	return fxt_machines_of(&a->machines, r);
}

int analyze_next(struct analysis *a, struct fxt_record *r, struct fxt_machines_one **one)
{
	int got;

	do {
		got = fxt_chain_next(&a->conversion.chain, r);
		*one = got > 0 ? machine_of(a, r) : NULL;
	} while (got > 0 && !*one);
	return got;
}

static int machines_end(struct analysis *a)
{
	__u32 i;
	int err = 0;

	for (i = 0; i < a->machines.count && !err; i++)
		err = fxt_machine_end(&a->machines.of[i].m);
	return err;
}

int analyze_run(struct analysis *a)
{
	return analyze_run_with(a, NULL, NULL);
}

/* The last stage of an analysis. */
struct run {
	struct analysis *a;
	const struct analyze_ops *ops;
	void *arg;
};

static int run_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct run *run = stage->arg;
	struct fxt_machines_one *one = machine_of(run->a, r);
	int err;

	if (!one)
		return 0;
	err = one->hole_count ? fxt_machines_lose(one, r) : 0;
	if (!err)
		err = run->ops ? run->ops->put(run->arg, r) : fxt_machine_put(&one->m, r);
	return err;
}

static int run_end(struct fxt_stage *stage)
{
	struct run *run = stage->arg;

	return run->ops ? run->ops->end(run->arg) : machines_end(run->a);
}

/* Puts a record of scheduling of the one machine of the one file. */
static int run_brief(struct fxt_stage *stage, const struct fxt_brief *brief)
{
	struct run *run = stage->arg;

	return fxt_machine_put_view(&run->a->machines.of[0].m, brief->kind, &brief->view, brief->ns);
}

int analyze_run_with(struct analysis *a, const struct analyze_ops *ops, void *arg)
{
	struct run run = { a, ops, arg };
	struct fxt_stage last = { .put = run_put, .end = run_end, .arg = &run };
	bool brief = !ops && a->machines.count == 1 && !a->machines.of[0].hole_count;
	int err;

	err = fxt_chain_run(&a->conversion.chain, &last, brief ? run_brief : NULL);
	fxt_convert_progress_end(&a->conversion.progress);
	return err < 0 || fxt_machines_mixed(&a->machines) ? analyze_error(a, err < 0 ? err : 0) : FXT_DONE;
}

void analyze_end(struct analysis *a)
{
	fxt_machines_uninit(&a->machines);
	free((void *)a->origins.of);
	free(a->firsts);
	fxt_convert_end(&a->conversion);
	free(a->file);
}

void analyze_close(struct analysis *a, struct analyze_options *options)
{
	analyze_end(a);
	fxt_selection_uninit(&options->selection);
}

int analyze_main(int argc, char **argv, const struct argp *argp, struct analyze_options *options,
		 int (*run)(void *options, struct analysis *analysis))
{
	static struct analysis analysis;
	int status, err = argp_parse(argp, argc, argv, 0, NULL, options);

	if (err)
		return fxt_report("%s", strerror(err));
	status = analyze_open(&analysis, options);
	if (!status)
		status = run(options, &analysis);
	analyze_close(&analysis, options);
	return status;
}
