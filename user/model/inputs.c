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
	inputs->of[inputs->count++] = (struct fxt_trace_input){ 0 };
	return 0;
}

void fxt_inputs_uninit(struct fxt_inputs *inputs)
{
	while (inputs->count) {
		free(inputs->of[--inputs->count].hosts);
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

struct fxt_trace_input_host *fxt_trace_input_host(struct fxt_trace_input *input, __u32 number)
{
	__u32 i;

	for (i = 0; i < input->host_count; i++)
		if (input->hosts[i].id.number == number)
			return &input->hosts[i];
	if (fxt_array_more(input->hosts, input->host_count))
		return NULL;
	input->hosts[input->host_count] = (struct fxt_trace_input_host){ .id.number = number };
	return &input->hosts[input->host_count++];
}

/* Sets the host's name as the prefix of a machine's names, where convert has put several machines into one file. */
static void prefix_read(const struct fxt_trace_input *input, struct fxt_trace_input_host *host, const struct fxt_record *r)
{
	const struct fxt_arg *arg = fxt_record_arg(r, "host");
	bool again = input->facts.host == host->facts.host;
	char name[FXT_HOST_NAME];
	__u32 i;

	if (host->id.prefix[0] || !arg || arg->type != FXT_ARG_STRING)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)arg->string.length, arg->string.bytes);
	for (i = 0; i < input->host_count; i++)
		again |= &input->hosts[i] != host && input->hosts[i].facts.host == host->facts.host;
	fxt_host_prefix_set(&host->id, name, again);
}

int fxt_trace_input_fact_add(struct fxt_trace_input *input, __u32 number, const struct fxt_record *r, __u64 ns)
{
	struct fxt_trace_input_host *host = NULL;

	if (number != input->host && number < FXT_HOSTS_MAX) {
		host = fxt_trace_input_host(input, number);
		if (!host)
			return -ENOMEM;
	}
	fxt_facts_add(host ? &host->facts : &input->facts, r, ns, input->span.scheduled.known || input->left);
	if (host && fxt_text_equal(&r->name, "host"))
		prefix_read(input, host, r);
	return 0;
}

struct fxt_time_span *fxt_trace_input_span(struct fxt_trace_input *input, __u32 number)
{
	if (number == input->host || number >= FXT_HOSTS_MAX)
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

struct fxt_time_span fxt_trace_input_host_span(const struct fxt_trace_input *input, __u32 machine)
{
	struct fxt_time_span span = { 0 };
	__u32 number, i;

	if (!input->host_count)
		return input->span;
	for (number = 0; number < FXT_HOSTS_MAX; number++) {
		for (i = input->host_count; i && input->hosts[i - 1].id.number != number; i--)
			;
		/* A number without facts in the file is the first machine's, too. */
		if (i == machine && (input->spans || !number))
			fxt_time_span_merge(&span, input->spans ? &input->spans[number] : &input->span);
	}
	return span;
}
