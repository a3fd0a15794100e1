// SPDX-License-Identifier: GPL-2.0-only
/* Keeps facts about the inputs of a conversion. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/inputs.h"
#include "util/array.h"

int fxt_inputs_next(struct fxt_inputs *inputs)
{
	if (inputs->count == FXT_INPUTS_MAX)
		return 0;
	if (fxt_array_more(inputs->of, inputs->count))
		return -ENOMEM;
	inputs->of[inputs->count] = (struct fxt_trace_input){ 0 };
	return fxt_trace_input_machine(&inputs->of[inputs->count++], 0) ? 0 : -ENOMEM;
}

void fxt_inputs_uninit(struct fxt_inputs *inputs)
{
	while (inputs->count) {
		free(inputs->of[--inputs->count].machines);
		free(inputs->of[inputs->count].spans);
	}
	free(inputs->of);
}

void fxt_inputs_span(const struct fxt_inputs *inputs, __u64 *first, __u64 *last)
{
	struct fxt_time_span span = { 0 };
	__u32 i;

	for (i = 0; i < inputs->count; i++)
		fxt_time_span_merge(&span, &inputs->of[i].span);
	*first = fxt_time_span_times(&span)->first;
	*last = fxt_time_span_times(&span)->last;
}

struct fxt_trace_machine *fxt_trace_input_machine(struct fxt_trace_input *input, __u32 number)
{
	__u32 i;

	for (i = 0; i < input->machine_count; i++)
		if (input->machines[i].id.number == number)
			return &input->machines[i];
	if (fxt_array_more(input->machines, input->machine_count))
		return NULL;
	input->machines[input->machine_count] = (struct fxt_trace_machine){ .id.number = number };
	return &input->machines[input->machine_count++];
}

/* Sets the host's name as the prefix of a machine's names, where convert has put several machines into one file. */
static void prefix_read(const struct fxt_trace_input *input, struct fxt_trace_machine *m, const struct fxt_record *r)
{
	const struct fxt_arg *arg = fxt_record_arg(r, "host");
	bool again = false;
	char name[FXT_HOST_NAME];
	__u32 i;

	if (m->id.prefix[0] || !arg || arg->type != FXT_ARG_STRING)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)arg->string.length, arg->string.bytes);
	for (i = 0; i < input->machine_count; i++)
		again |= &input->machines[i] != m && input->machines[i].facts.host == m->facts.host;
	fxt_host_prefix_set(&m->id, name, again);
}

int fxt_trace_input_fact_add(struct fxt_trace_input *input, __u32 number, const struct fxt_record *r, __u64 ns)
{
	struct fxt_trace_machine *m = number < FXT_HOSTS_MAX ? fxt_trace_input_machine(input, number) : input->machines;

	if (!m)
		return -ENOMEM;
	fxt_facts_add(&m->facts, r, ns, input->span.scheduled.known || input->left);
	if (m != input->machines && fxt_text_equal(&r->name, "host"))
		prefix_read(input, m, r);
	return 0;
}

struct fxt_time_span *fxt_trace_input_span(struct fxt_trace_input *input, __u32 number)
{
	if (number == input->machines->id.number || number >= FXT_HOSTS_MAX)
		number = 0;
	if (!input->spans) {
		if (!number)
			return &input->span;
		input->spans = calloc(FXT_HOSTS_MAX, sizeof(*input->spans));
		if (!input->spans)
			return NULL;
		/* Earlier records are the first machine's. */
		input->spans[0] = input->span;
	}
	return &input->spans[number];
}

struct fxt_time_span fxt_trace_input_machine_span(const struct fxt_trace_input *input, __u32 machine)
{
	struct fxt_time_span span = { 0 };
	__u32 number, i;

	if (input->machine_count == 1)
		return input->span;
	for (number = 0; number < FXT_HOSTS_MAX; number++) {
		for (i = input->machine_count - 1; i && input->machines[i].id.number != number; i--)
			;
		/* A number without facts in the file is the first machine's, too. */
		if (i == machine && (input->spans || !number))
			fxt_time_span_merge(&span, input->spans ? &input->spans[number] : &input->span);
	}
	return span;
}
