// SPDX-License-Identifier: GPL-2.0-only
/* Parses the command line of "fxtrec record". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/record.h"
#include "cmd/trace_options.h"
#include "files/create.h"
#include "fxt/stack.h"
#include "model/calls.h"
#include "util/near.h"
#include "util/quantity.h"
#include "util/series.h"

#define SUBBUFS		16
#define FLUSH_NS_MIN	10000000ULL

/* Keys of options without a letter. */
enum {
	OPTION_BACKEND = 0x100, OPTION_CLOCK, OPTION_SIZE_LIMIT, OPTION_DELAY, OPTION_ROTATE,
	OPTION_FLIGHT, OPTION_TRIGGER, OPTION_AFTER, OPTION_KEEP, OPTION_FLUSH, OPTION_COUNTERS,
	OPTION_STACKS, OPTION_NO_MARKS, OPTION_NO_REASONS, OPTION_NO_NAMES, OPTION_ADDRESSES, OPTION_PAGE, OPTION_EXPLAIN,
};

static const struct argp_option option_list[] = {
	{ "all-cpus", 'a', NULL, 0, "Record the whole machine, as without any option", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of trace.fxt; - is standard output. With the suffix of "
	  "another format (see \"fxtrec convert --help\"), FILE is converted at the end", 0 },
	{ "events", 'e', "LIST", 0, "Record other events, too: irq, power, syscalls, mm and "
	  "others (see \"fxtrec list\"), all, or subsystem:name of any tracepoint", 0 },
	{ "duration", 'd', "TIME", 0, "End after TIME: 5, 1.5s, 200ms, 2m, 1h", 0 },
	{ "size-limit", OPTION_SIZE_LIMIT, "SIZE", 0, "End once the file, or all files together, hold SIZE", 0 },
	{ "counters", OPTION_COUNTERS, NULL, 0, "Record the number of runnable threads, and the pressure on CPU, "
	  "memory and I/O, once a second", 0 },
	{ "stacks", OPTION_STACKS, "all", OPTION_ARG_OPTIONAL, "Record the kernel stack of each thread that goes "
	  "to an uninterruptible sleep; with all, to any sleep", 0 },
	{ "no-marks", OPTION_NO_MARKS, NULL, 0, "Leave out marks of programs (fxtrec/mark.h); another recorder may "
	  "read them", 0 },
	{ "no-reasons", OPTION_NO_REASONS, NULL, 0, "Leave out the reasons of sleeps: system call, object and holder", 0 },
	{ "no-names", OPTION_NO_NAMES, NULL, 0, "Leave out the names of files, pipes and sockets that threads may wait for", 0 },
	{ "addresses", OPTION_ADDRESSES, NULL, 0, "Record addresses of locks as they are, in place of their hashes", 0 },
	{ "flush", OPTION_FLUSH, "TIME", 0, "Have all data that is older than TIME on the disk (1s)", 0 },
	{ "page", OPTION_PAGE, "PAGE", OPTION_ARG_OPTIONAL,
	  "Make a page of the recording at the end, as \"fxtrec page\" does; by default FILE's name, with .html", 0 },
	{ "explain", OPTION_EXPLAIN, NULL, 0, "Print why work was late at the end, as \"fxtrec explain\" does", 0 },
	{ "delay", OPTION_DELAY, "TIME", 0, "Start recording after TIME; COMMAND starts at once", 0 },
	{ "rotate", OPTION_ROTATE, "LIMIT[:KEEP]", 0, "Start a new file whenever a file reaches this size (100M) "
	  "or duration (10s, 5m, 1h): FILE.0001.fxt and so on, each complete by itself; keep the newest KEEP "
	  "files", 0 },
	{ "flight", OPTION_FLIGHT, "TIME", OPTION_ARG_OPTIONAL, "Write nothing until a trigger, and then the "
	  "content of the rings, of the last TIME at most, to FILE.0001.fxt and so on.  SIGUSR1, \"fxtrec "
	  "snapshot\" and a COMMAND that fails are triggers", 0 },
	{ "trigger", OPTION_TRIGGER, "EVENT", 0, "With --flight: log=GLOB, a line of the kernel's log; "
	  "latency>TIME, from a thread's wakeup to its run; dsleep>TIME, an uninterruptible sleep.  "
	  "It can be given several times", 0 },
	{ "after", OPTION_AFTER, "TIME", 0, "With --flight: wait for TIME between a trigger and its snapshot", 0 },
	{ "keep", OPTION_KEEP, "N", 0, "With --flight: keep the newest N snapshots", 0 },
	{ "buffer", 'b', "SIZE[:N]", 0,
	  "Memory for the rings of each CPU, rounded up to a power of two, in N sub-buffers "
	  "(4M:16)", 0 },
	{ "backend", OPTION_BACKEND, "auto|kmod|bpf", 0, "auto uses the module if it can be loaded, else eBPF", 0 },
	{ "clock", OPTION_CLOCK, "auto|mono|boot|tsc", 0, "auto uses the cheapest correct clock",
	  0 },
	{ "verbose", 'v', NULL, 0, "Show the messages of libbpf and the verifier", 0 },
	{ 0 },
};

/* Returns the number of a name among the option's names. */
static int choose(struct argp_state *state, const char *option, const char *text, const char *usage, const char *const *names)
{
	char hint[FXT_NEAR_BYTES];
	int i;

	for (i = 0; names[i] && strcmp(text, names[i]); i++)
		;
	if (!names[i])
		argp_error(state, "%s=%s: it is %s%s", option, text, usage, fxt_near_hint(hint, text, names));
	return i;
}

static __u64 power_of_two(__u64 number)
{
	__u64 power = 1;

	while (power < number)
		power <<= 1;
	return power;
}

/* Parses SIZE[:N]. */
static void parse_buffer(struct argp_state *state, const char *arg, struct fxt_source_options *s)
{
	char *text = strdupa(arg), *colon = strchr(text, ':');
	__u64 bytes, subbufs = SUBBUFS;

	if (colon)
		*colon = '\0';
	if (fxt_quantity_bytes(text, &bytes) || (colon && fxt_quantity_count(colon + 1, 0, &subbufs)))
		argp_error(state, "-b %s: not a size, or a size and a number: 4M, 4M:16", arg);
	if (subbufs < FXTREC_SUBBUFS_MIN || subbufs > FXTREC_SUBBUFS_MAX ||
	    power_of_two(subbufs) != subbufs)
		argp_error(state, "-b %s: the number of sub-buffers is a power of two from %u to %u",
			   arg, FXTREC_SUBBUFS_MIN, FXTREC_SUBBUFS_MAX);
	if (bytes < FXTREC_SUBBUF_MIN * subbufs || bytes > FXTREC_DATA_MAX)
		argp_error(state, "-b %s: %llu sub-buffers take from %llu KiB to %u MiB", arg, subbufs,
			   FXTREC_SUBBUF_MIN * subbufs >> 10, FXTREC_DATA_MAX >> 20);
	s->data_bytes = power_of_two(bytes);
	s->subbufs = subbufs;
}

/* Returns a number of files; 0 where the argument isn't one. */
static unsigned int parse_keep(const char *arg)
{
	__u64 keep;

	return fxt_quantity_count(arg, 10000, &keep) ? 0 : keep;
}

/* Parses LIMIT[:KEEP]: a size or a duration, with its unit. */
static void parse_rotate(struct argp_state *state, const char *arg, struct fxt_record_options *o)
{
	char *text = strdupa(arg), *colon = strchr(text, ':');

	if (colon) {
		*colon = '\0';
		o->keep = parse_keep(colon + 1);
		if (!o->keep)
			argp_error(state, "--rotate=%s: KEEP is a number of files from 1 to 9999", arg);
	}
	if (fxt_quantity_limit(text, &o->rotate_bytes, &o->rotate_ns))
		argp_error(state, "--rotate=%s: neither a size (500K, 100M, 2G) nor a duration "
			   "(10s, 5m, 1h)", arg);
}

static void parse_stacks(struct argp_state *state, const char *arg, struct fxt_record_options *o)
{
	if (arg && strcmp(arg, "all"))
		argp_error(state, "--stacks=%s: --stacks takes only \"all\"", arg);
	o->events.events |= FXTREC_EVENTS_STACKS;
	o->source.stack_states = arg ? FXT_STACK_ALL : FXT_STACK_BLOCKED;
}

/* Parses a duration.  option: the option as on the command line, up to its argument: "-d ", "--delay=". */
static void parse_duration(struct argp_state *state, const char *option, const char *arg, __u64 *ns)
{
	if (fxt_quantity_duration(arg, ns) || !*ns)
		argp_error(state, "%s%s: not a duration: 5, 1.5s, 200ms, 2m, 1h", option, arg);
}

/*
 * Rejects other formats for several files: these are only written as FXT, as converting one file while recording
 * another is the user's task.
 */
static void check_format(struct argp_state *state, const struct fxt_record_options *o)
{
	const char *suffix = fxt_series_suffixes(o->path);
	int stem = suffix - o->path;

	if (cmd_record_converts(o->path))
		argp_error(state, "%s writes files of FXT: give -o %.*s.fxt, and then type \"fxtrec convert "
			   "%.*s.0001.fxt -o %.*s.0001%s\"", o->flight ? "--flight" : "--rotate", stem,
			   o->path, stem, o->path, stem, o->path, suffix);
}

/* Rejects options that exclude each other. */
static void check(struct argp_state *state, const struct fxt_record_options *o)
{
	const char *what = NULL;

	if (!*o->path)
		what = "-o: an empty name";
	else if (fxt_record_rotates(o) && fxt_create_is_standard(o->path))
		what = "--rotate makes files: not with -o -";
	else if (o->flight && fxt_create_is_standard(o->path))
		what = "--flight makes files: not with -o -";
	else if (o->flight && (fxt_record_rotates(o) || o->size_limit))
		what = "--flight writes snapshots: not with --rotate or --size-limit";
	else if (!o->flight && (fxt_trigger_any(&o->triggers) || o->after_ns))
		what = "--trigger and --after are for snapshots: give --flight";
	else if (o->filter.only_command && !o->command)
		what = "--only-command needs a COMMAND";
	else if (o->page && (o->flight || fxt_record_rotates(o) || fxt_create_is_standard(o->path)))
		what = "--page is of one file: not with --flight, --rotate or -o -; \"fxtrec page\" makes one of any";
	else if (o->explain && (o->flight || fxt_record_rotates(o) || fxt_create_is_standard(o->path)))
		what = "--explain is of one file: not with --flight, --rotate or -o -; \"fxtrec explain\" reads any";
	else if (o->keep && !o->flight && !fxt_record_rotates(o))
		what = "--keep is for snapshots: give --flight";
	if (what)
		argp_error(state, "%s", what);
	if (o->flight || fxt_record_rotates(o))
		check_format(state, o);
}

/* Parses the options of the source. */
static error_t parse_source(int key, const char *arg, struct argp_state *state,
			    struct fxt_record_options *o)
{
	static const char *const backends[] = { "auto", "kmod", "bpf", NULL };
	static const char *const clocks[] = { "mono", "boot", "tsc", "auto", NULL };
	int choice;

	switch (key) {
	case 'b':
		parse_buffer(state, arg, &o->source);
		break;
	case OPTION_BACKEND:
		o->backend = choose(state, "--backend", arg, "auto, kmod or bpf", backends);
		break;
	case OPTION_CLOCK:
		choice = choose(state, "--clock", arg, "auto, mono, boot or tsc", clocks);
		o->source.clock = choice > FXT_CLOCK_TSC ? -1 : choice;
		break;
	case 'v':
		o->source.verbose = 1;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Parses the options of the flight recorder. */
static error_t parse_flight(int key, const char *arg, struct argp_state *state,
			    struct fxt_record_options *o)
{
	switch (key) {
	case OPTION_FLIGHT:
		o->flight = 1;
		if (arg)
			parse_duration(state, "--flight=", arg, &o->flight_ns);
		break;
	case OPTION_TRIGGER:
		cmd_record_trigger(state, arg, &o->triggers);
		break;
	case OPTION_AFTER:
		if (fxt_quantity_duration(arg, &o->after_ns))
			argp_error(state, "--after=%s: not a duration: 5, 1.5s, 200ms, 2m, 1h", arg);
		break;
	case OPTION_KEEP:
		o->keep = parse_keep(arg);
		if (!o->keep)
			argp_error(state, "--keep=%s: a number of files from 1 to 9999", arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fxt_record_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->filter;
		break;
	case 'a':
		o->filter.all = true;
		break;
	case 'o':
		o->path = arg;
		break;
	case 'e':
		cmd_record_events(state, arg, &o->events);
		break;
	case 'd':
		parse_duration(state, "-d ", arg, &o->duration_ns);
		break;
	case OPTION_SIZE_LIMIT:
		if (fxt_quantity_bytes(arg, &o->size_limit) || !o->size_limit)
			argp_error(state, "--size-limit=%s: not a size: 500K, 100M, 2G", arg);
		break;
	case OPTION_DELAY:
		parse_duration(state, "--delay=", arg, &o->delay_ns);
		break;
	case OPTION_ROTATE:
		parse_rotate(state, arg, o);
		break;
	case OPTION_FLUSH:
		if (fxt_quantity_duration(arg, &o->flush_ns) || o->flush_ns < FLUSH_NS_MIN)
			argp_error(state, "--flush=%s: not a duration of 10ms or more", arg);
		break;
	case OPTION_COUNTERS:
		o->counters = 1;
		break;
	case OPTION_STACKS:
		parse_stacks(state, arg, o);
		break;
	case OPTION_NO_MARKS:
		o->no_marks = 1;
		break;
	case OPTION_NO_REASONS:
		o->no_reasons = 1;
		break;
	case OPTION_NO_NAMES:
		o->no_names = 1;
		break;
	case OPTION_ADDRESSES:
		o->addresses = 1;
		break;
	case OPTION_EXPLAIN:
		o->explain = true;
		break;
	case OPTION_PAGE:
		o->page = arg ? arg : "";
		break;
	case ARGP_KEY_SUCCESS:
		check(state, o);
		o->source.filter = cmd_record_filter_finish(&o->filter, state);
		break;
	case ARGP_KEY_ARGS:
		o->command = state->argv + state->next;
		break;
	default:
		return parse_source(key, arg, state, o) && parse_flight(key, arg, state, o) ?
		       ARGP_ERR_UNKNOWN : 0;
	}
	return 0;
}

static const struct argp_child children[] = {
	{ &cmd_record_filter, 0, "Threads and CPUs to record:", 0 },
	{ 0 },
};

const struct argp cmd_record_argp = {
	option_list, parse, "[-- COMMAND...]",
	"Records the scheduling of the whole machine until the end of COMMAND, of TIME or of all threads that -p "
	"and -t chose, or until SIGINT (Ctrl-C) or SIGTERM.\v"
	"Returns COMMAND's status; 1 if the recording fails, 2 if the command line is wrong.",
	children, NULL, NULL,
};

void cmd_record_options(struct fxt_record_options *o, int argc, char **argv)
{
	*o = (struct fxt_record_options){
		.path = FXT_TRACE_NAME,
		.flush_ns = 1000000000,
		.source = { .data_bytes = 4 << 20, .subbufs = SUBBUFS, .clock = -1 },
	};
	/* Words after COMMAND are COMMAND's. */
	argp_parse(&cmd_record_argp, argc, argv, ARGP_IN_ORDER, NULL, o);
	o->source.delays = o->triggers.delays.size ? &o->triggers.delays : NULL;
	if (o->no_reasons)
		return;
	fxt_calls_fill(&o->reasons, o->addresses);
	o->source.reasons = &o->reasons;
}
