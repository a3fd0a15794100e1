// SPDX-License-Identifier: GPL-2.0-only
/* Sorts a conversion's records in bounded memory: runs in a file, then merged. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/sorter.h"
#include "fxt/linux.h"
#include "model/cpu.h"
#include "store/huge.h"
#include "store/keyed.h"
#include "util/array.h"

/* Bytes of a run, where a reader needs much memory. */
#define YIELDED_BYTES	((size_t)8 << 20)

const struct fxt_provider *fxt_sorter_provider_at(const struct fxt_sorter *s, int index)
{
	return fxt_map_get(&s->tables.providers, index + 1);
}

const struct fxt_provider *fxt_sorter_provider_of(const struct fxt_sorter *s, __u32 id)
{
	return fxt_map_get(&s->ids, id);
}

/* Returns a provider's id; a CPU's provider of a recording keeps its id, which identifies it. */
static __u32 provider_id(const char *name, __u32 other)
{
	unsigned int cpu;
	char end;

	return sscanf(name, "fxtrec cpu %5u%c", &cpu, &end) == 1 ? FXT_PROVIDER_CPU(cpu) :
	       other < FXT_PROVIDER_CPU(0) ? other : other + 0x10000;
}

static int provider_find(struct fxt_sorter *s, const char *name, size_t bytes)
{
	size_t i = s->tables.providers.count;
	struct fxt_provider *p;
	__u64 key = fxt_keyed_bytes(name, bytes);
	__u32 cpu;

	/* Names with equal hashes have the following keys; names of CPUs also differ by machine. */
	for (; (p = fxt_map_get(&s->names, key)); key++)
		if (p->name_bytes == bytes && !memcmp(p->name, name, bytes) &&
		    (p->host == s->host.number || !fxt_provider_cpu(p, &cpu)))
			return p->index;
	if (i == FXT_PROVIDERS_MAX || bytes > 255)
		return -E2BIG;
	p = fxt_map_new(&s->tables.providers, i + 1, sizeof(*p));
	if (!p || fxt_map_put(&s->names, key, p))
		return -ENOMEM;
	p->index = i;
	p->announced = true;
	p->ticks_per_second = FXT_TICKS_PER_SECOND;
	p->name_bytes = bytes;
	memcpy(p->name, name, bytes);
	p->id = provider_id(p->name, i + 2);
	p->host = s->host.number;
	if (!fxt_map_get(&s->ids, p->id) && fxt_map_put(&s->ids, p->id, p))
		return -ENOMEM;
	return i;
}

/* Returns the current input's data of a machine after its first; NULL without memory. */
static struct fxt_sorter_host *host_get(struct fxt_sorter_input *input, __u32 number)
{
	__u32 i;

	for (i = 0; i < input->host_count; i++)
		if (input->hosts[i].id.number == number)
			return &input->hosts[i];
	if (fxt_array_more(input->hosts, input->host_count))
		return NULL;
	input->hosts[input->host_count] = (struct fxt_sorter_host){ .id.number = number };
	return &input->hosts[input->host_count++];
}

int fxt_sorter_provider(struct fxt_sorter *s, const char *name, size_t bytes)
{
	struct fxt_sorter_input *input = &s->inputs[fxt_sorter_input(s)];
	struct fxt_sorter_host *host;
	char mapped[256];
	size_t length;
	int err;

	if (!s->host.number)
		return provider_find(s, name, bytes);
	if (s->host.number != input->host) {
		host = host_get(input, s->host.number);
		if (!host)
			return -ENOMEM;
		host->id = s->host;
	}
	err = fxt_host_provider(&s->host, name, bytes, mapped, &length);
	return err ? err : provider_find(s, mapped, length);
}

/* Sorts the records in memory and writes them to the file. */
static int spill(struct fxt_sorter *s)
{
	int err = fxt_keys_sort(&s->keys);

	if (!err)
		err = fxt_runs_add(&s->runs, &s->keys, s->words.w, s->words.count);
	if (err)
		return err;
	s->words.count = 0;
	s->keys.count = 0;
	return 0;
}

int fxt_sorter_yield(struct fxt_sorter *s)
{
	int err = 0;

	if (s->run_bytes <= YIELDED_BYTES)
		return 0;
	s->run_bytes = YIELDED_BYTES;
	if (s->keys.count)
		err = spill(s);
	fxt_words_uninit(&s->words);
	fxt_keys_uninit(&s->keys);
	return err;
}

/* Returns the time span of a machine's records; NULL without memory. */
static struct fxt_time_span *host_span(struct fxt_sorter_input *input, __u32 number)
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

static void span_add(struct fxt_time_span *span, const struct fxt_record *r, __u64 ns)
{
	fxt_time_span_add(span, r, ns);
	if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE && r->event.end > span->ends)
		span->ends = r->event.end;
}

/* Makes capacity for an entry with a number of words; a run's memory is allocated as a whole, and used as it fills. */
static __u64 *entry_begin(struct fxt_sorter *s, size_t words)
{
	if (!s->words.w && s->run_bytes > FXT_HUGE_BYTES) {
		s->words.w = fxt_huge_alloc(s->run_bytes);
		s->words.room = s->words.w ? s->run_bytes / sizeof(*s->words.w) : 0;
	}
	return fxt_words_more(&s->words, FXT_ENTRY_WORDS + words);
}

/* Completes the entry that starts at index at, with the words put after it. */
static int entry_end(struct fxt_sorter *s, size_t at, __u64 ns, int provider, __u32 mark)
{
	int err = s->words.failed ? -ENOMEM : fxt_keys_put(&s->keys, ns, at);

	if (err) {
		s->words.count = at;
		return err;
	}
	s->put_count++;
	s->words.w[at] = ns;
	s->words.w[at + 1] = (__u64)fxt_sorter_input(s) << FXT_ENTRY_INPUT_SHIFT |
			     (__u64)provider << FXT_ENTRY_PROVIDER_SHIFT | mark |
			     (s->words.count - at - FXT_ENTRY_WORDS);
	if (8 * s->words.count + 2 * sizeof(*s->keys.key) * s->keys.count < s->run_bytes)
		return 0;
	return spill(s);
}

int fxt_sorter_input_next(struct fxt_sorter *s)
{
	if (s->input_count == FXT_SORTER_INPUTS_MAX)
		return 0;
	if (fxt_array_more(s->inputs, s->input_count))
		return -ENOMEM;
	s->inputs[s->input_count++] = (struct fxt_sorter_input){ 0 };
	s->streamed = s->streams.records;
	return 0;
}

/* Returns whether the current input has scheduling records that were left in it. */
static bool streamed(const struct fxt_sorter *s)
{
	return s->streams.records > s->streamed;
}

/* Sets the host's name as the prefix of a machine's names, where convert has put several machines into one file. */
static void prefix_read(const struct fxt_sorter_input *input, struct fxt_sorter_host *host, const struct fxt_record *r)
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

/* Keeps a recorder's event, so that its facts are known before the sorted records come to it. */
static int facts_add(struct fxt_sorter *s, const struct fxt_record *r, __u64 ns, int provider)
{
	struct fxt_sorter_input *input = &s->inputs[fxt_sorter_input(s)];
	bool names = fxt_text_equal(&r->name, "host");
	struct fxt_sorter_host *host = NULL;
	__u32 number;

	if (r != &s->mapped)
		s->mapped = *r;
	s->mapped.frame.offset = ns;
	s->mapped.provider = fxt_sorter_provider_at(s, provider);
	number = fxt_host_said(&s->mapped, s->mapped.provider);
	if (number != input->host && number < FXT_HOSTS_MAX) {
		host = host_get(input, number);
		if (!host)
			return -ENOMEM;
	}
	fxt_facts_add(host ? &host->facts : &input->facts, r, ns, input->span.scheduled.known || streamed(s));
	if (host && names)
		prefix_read(input, host, r);
	return fxt_known_add(&s->known, &s->mapped, &s->tables.strings);
}

/* Returns whether a record is a wakeup or a migration: its provider shows the CPU that recorded it. */
static bool of_cpu(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_WAKEUP || fxt_is_migration(r);
}

int fxt_sorter_put(struct fxt_sorter *s, const struct fxt_record *r, __u64 ns, int provider)
{
	bool of_recorder = r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec");
	bool unsettled = r->kind == FXT_KIND_EVENT && r->event.unsettled;
	struct fxt_sorter_input *input = &s->inputs[fxt_sorter_input(s)];
	struct fxt_time_span *own;
	size_t at = s->words.count;
	__u32 cpu = r->sched.cpu;
	int err = -ENOMEM;

	s->cut += r->cut;
	if (s->watch && of_recorder) {
		int stop = s->watch(s->watch_arg, r);

		if (stop)
			return stop;
	}
	if (s->host.number) {
		s->mapped = *r;
		fxt_host_map(&s->host, &s->mapped, s->name);
		r = &s->mapped;
		cpu = r->sched.cpu;
		ns = fxt_host_time(&s->host, ns);
	}
	if (entry_begin(s, 0))
		err = fxt_encode(&s->words, r, fxt_strings_ref, &s->tables.strings);
	if (!err && of_recorder)
		err = facts_add(s, r, ns, provider);
	own = err ? NULL : host_span(input, fxt_host_of(r, input->spans ? fxt_sorter_provider_at(s, provider) : NULL));
	if (!own) {
		s->words.count = at;
		return err ? err : -ENOMEM;
	}
	span_add(own, r, ns);
	if (own != &input->span)
		span_add(&input->span, r, ns);
	if (r->kind == FXT_KIND_WAKEUP)
		fxt_sorter_wakeup(s);
	if (r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_LEGACY_SWITCH ||
	    (of_cpu(r) && !fxt_provider_cpu(fxt_sorter_provider_at(s, provider), &cpu)))
		fxt_cpus_add(&input->cpus, cpu);
	return entry_end(s, at, ns, provider, unsettled ? FXT_ENTRY_UNSETTLED : 0);
}

int fxt_sorter_put_view(struct fxt_sorter *s, enum fxt_kind kind, const union fxt_sched_view *view,
			__u64 ns, int provider)
{
	struct fxt_sorter_input *input = &s->inputs[fxt_sorter_input(s)];
	bool wakeup = kind == FXT_KIND_WAKEUP;
	struct fxt_time_span *own;
	size_t at = s->words.count, bytes = wakeup ? sizeof(view->wakeup) : sizeof(view->change);
	__u64 *w = entry_begin(s, fxt_words(bytes));
	union fxt_sched_view mapped;
	__u32 cpu;

	if (!w)
		return -ENOMEM;
	if (s->host.number) {
		mapped = *view;
		fxt_host_map_view(&s->host, kind, &mapped);
		view = &mapped;
		ns = fxt_host_time(&s->host, ns);
	}
	memcpy(w + FXT_ENTRY_WORDS, view, bytes);
	if (wakeup)
		fxt_sorter_wakeup(s);
	cpu = wakeup ? view->wakeup.cpu : view->change.cpu;
	own = host_span(input, cpu / FXT_HOST_CPUS);
	if (!own)
		return -ENOMEM;
	fxt_times_add(&own->scheduled, ns);
	fxt_times_add(&input->span.scheduled, ns);
	fxt_cpus_add(&input->cpus, cpu);
	return entry_end(s, at, ns, provider, wakeup ? FXT_ENTRY_WAKEUP : FXT_ENTRY_SWITCH);
}

int fxt_sorter_put_formed(struct fxt_sorter *s, const struct fxt_formed *event, __u64 ns, int provider)
{
	size_t at = s->words.count;
	__u64 *w = entry_begin(s, fxt_formed_words(event));

	if (!w)
		return -ENOMEM;
	fxt_formed_texts(&s->tables.forms, event, &s->tables.strings);
	fxt_formed_put(event, w + FXT_ENTRY_WORDS);
	fxt_times_add(&s->inputs[fxt_sorter_input(s)].span.others, ns);
	return entry_end(s, at, ns, provider, FXT_ENTRY_FORMED);
}

__u64 fxt_sorter_count(const struct fxt_sorter *s)
{
	return s->put_count + s->streams.records;
}

void fxt_sorter_span(const struct fxt_sorter *s, __u64 *first, __u64 *last)
{
	struct fxt_time_span span = { 0 };
	size_t i;

	for (i = 0; i < s->input_count; i++)
		fxt_time_span_merge(&span, &s->inputs[i].span);
	fxt_streams_span(&s->streams, FXT_STREAMS_ALL, FXT_STREAMS_ALL, &span);
	*first = fxt_time_span_times(&span)->first;
	*last = fxt_time_span_times(&span)->last;
}

struct fxt_time_span fxt_sorter_input_span(const struct fxt_sorter *s, __u32 input)
{
	struct fxt_time_span span = s->inputs[input].span;

	fxt_streams_span(&s->streams, input, FXT_STREAMS_ALL, &span);
	return span;
}

struct fxt_time_span fxt_sorter_host_span(const struct fxt_sorter *s, __u32 input, __u32 machine)
{
	const struct fxt_sorter_input *of = &s->inputs[input];
	struct fxt_time_span span = { 0 };
	__u32 number, i;

	if (!of->host_count)
		return fxt_sorter_input_span(s, input);
	for (number = 0; number < FXT_HOSTS_MAX; number++) {
		for (i = of->host_count; i && of->hosts[i - 1].id.number != number; i--)
			;
		/* A number without facts in the file is the first machine's, too. */
		if (i != machine)
			continue;
		if (of->spans || !number)
			fxt_time_span_merge(&span, of->spans ? &of->spans[number] : &of->span);
		fxt_streams_span(&s->streams, input, number, &span);
	}
	return span;
}

void fxt_sorter_input_cpus(const struct fxt_sorter *s, __u32 input, struct fxt_cpus *cpus)
{
	fxt_cpus_merge(cpus, &s->inputs[input].cpus);
	fxt_streams_cpus(&s->streams, input, cpus);
}

/* Reads the keys in memory, as a source. */
static int memory_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_sorter *s = (struct fxt_sorter *)source;

	if (s->key_at == s->keys.count)
		return 0;
	*ns = s->keys.key[s->key_at++].ns;
	return 1;
}

static int memory_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	struct fxt_sorter *s = (struct fxt_sorter *)source;

	(void)ns;
	return fxt_entry_read(&s->tables, s->words.w + s->keys.key[s->key_at - 1].at, r);
}

int fxt_sorter_init(struct fxt_sorter *s, size_t memory, struct fxt_spill *spill)
{
	int err;

	*s = (struct fxt_sorter){ .memory = { .next = memory_next, .get = memory_get }, .run_bytes = memory,
				  .spill = spill };
	s->tables.providers.memory.spill = s->names.memory.spill = s->ids.memory.spill = s->spill;
	fxt_known_init(&s->known, s->spill);
	fxt_runs_init(&s->runs, &s->tables, s->spill->spool);
	err = fxt_strings_init(&s->tables.strings);
	return err ? err : fxt_sorter_input_next(s);
}

void fxt_sorter_uninit(struct fxt_sorter *s)
{
	fxt_merge_uninit(&s->merge);
	fxt_keys_uninit(&s->keys);
	while (s->input_count) {
		free(s->inputs[--s->input_count].hosts);
		free(s->inputs[s->input_count].spans);
	}
	free(s->inputs);
	fxt_words_uninit(&s->words);
	fxt_runs_uninit(&s->runs);
	fxt_streams_uninit(&s->streams);
	fxt_strings_uninit(&s->tables.strings);
	fxt_forms_uninit(&s->tables.forms);
	fxt_known_uninit(&s->known);
	fxt_map_uninit(&s->names, NULL);
	fxt_map_uninit(&s->ids, NULL);
	fxt_map_uninit(&s->tables.providers, NULL);
}

int fxt_sorter_sort(struct fxt_sorter *s)
{
	/* Duplicates in two inputs, and a record's machine, need the whole contents of records. */
	bool views = s->views && s->input_count == 1 && !s->inputs->host_count;
	int err = fxt_keys_sort(&s->keys);

	/* Records with equal times come in the order of their puts; records of streams come last. */
	if (!err)
		err = fxt_runs_merge(&s->runs, &s->merge);
	if (!err)
		err = fxt_merge_add(&s->merge, &s->memory);
	return err ? err : fxt_streams_merge(&s->streams, &s->merge, views);
}
