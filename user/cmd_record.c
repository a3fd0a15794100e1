// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec record: options, the loop, and the summary. */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "command.h"
#include "progress.h"
#include "quantity.h"
#include "recording.h"
#include "report.h"
#include "target.h"
#include "workload.h"

#define SECOND_NS	1000000000ULL
#define FLUSH_NS	(SECOND_NS / 2)
#define SUBBUFS		16

struct options {
	const char *path;
	__u64 duration_ns;	/* 0: none */
	enum fxt_source_choice backend;
	struct fxt_source_options source;
	char **command;
};

static const struct argp_option option_list[] = {
	{ "all-cpus", 'a', NULL, 0, "Record the whole machine (always so; for users of perf)", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of trace.fxt; - is standard output. A "
	  "suffix of another format (see \"fxtrec convert --help\") has it converted in the end", 0 },
	{ "duration", 'd', "TIME", 0, "End after TIME: 5, 1.5s, 200ms, 2m, 1h", 0 },
	{ "buffer", 'b', "SIZE[:N]", 0,
	  "Memory for the rings of each CPU, rounded up to a power of two, in N sub-buffers "
	  "(4M:16)", 0 },
	{ "backend", 1, "WHICH", 0, "auto, kmod or bpf; auto takes the module where it can be "
	  "loaded, eBPF else", 0 },
	{ "clock", 2, "CLOCK", 0, "auto, mono, boot or tsc; auto takes the cheapest that is right",
	  0 },
	{ "verbose", 'v', NULL, 0, "Show what libbpf and the verifier say", 0 },
	{ 0 },
};

static int choose(const char *text, const char *const *names)
{
	int i;

	for (i = 0; names[i]; i++)
		if (!strcmp(text, names[i]))
			return i;
	return -EINVAL;
}

static __u64 power_of_two(__u64 number)
{
	__u64 power = 1;

	while (power < number)
		power <<= 1;
	return power;
}

/* SIZE[:N]. */
static void parse_buffer(struct argp_state *state, const char *arg, struct fxt_source_options *s)
{
	char *text = strdupa(arg), *colon = strchr(text, ':'), *end = "";
	__u64 bytes, subbufs = SUBBUFS;

	if (colon) {
		*colon = '\0';
		subbufs = strtoull(colon + 1, &end, 10);
	}
	if (fxt_quantity_bytes(text, &bytes) || !*arg || *end)
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

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const backends[] = { "auto", "kmod", "bpf", NULL };
	static const char *const clocks[] = { "mono", "boot", "tsc", "auto", NULL };
	struct options *o = state->input;
	int choice;

	switch (key) {
	case 'a':
		break;
	case 'o':
		o->path = arg;
		break;
	case 'd':
		if (fxt_quantity_duration(arg, &o->duration_ns) || !o->duration_ns)
			argp_error(state, "-d %s: not a duration: 5, 1.5s, 200ms, 2m, 1h", arg);
		break;
	case 'b':
		parse_buffer(state, arg, &o->source);
		break;
	case 1:
		choice = choose(arg, backends);
		if (choice < 0)
			argp_error(state, "--backend=%s: it is auto, kmod or bpf", arg);
		o->backend = choice;
		break;
	case 2:
		choice = choose(arg, clocks);
		if (choice < 0)
			argp_error(state, "--clock=%s: it is auto, mono, boot or tsc", arg);
		o->source.clock = choice > FXT_CLOCK_TSC ? -1 : choice;
		break;
	case 'v':
		o->source.verbose = 1;
		break;
	case ARGP_KEY_ARGS:
		o->command = state->argv + state->next;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	option_list, parse, "[-- COMMAND...]",
	"Records the scheduling of the whole machine until COMMAND or TIME ends, or until SIGINT "
	"(Ctrl-C) or SIGTERM.\v"
	"Returns COMMAND's status; 1 where the recording fails, 2 where it is called wrongly.",
	NULL, NULL, NULL,
};

/* The signals that end a recording, as a descriptor. */
static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* The writes themselves fail, and say why. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Whether a signal asks to end. */
static int signalled(int fd)
{
	struct signalfd_siginfo info;
	int end = 0;

	while (read(fd, &info, sizeof(info)) == sizeof(info))
		end |= info.ssi_signo != SIGCHLD;
	return end;
}

/* Drains until the recording ends; *status becomes COMMAND's. */
static int loop(struct fxt_recording *r, const struct options *o, struct fxt_workload *workload,
		int signals, int *status, struct fxt_error *error)
{
	struct fxt_progress progress;
	int end = 0, err = 0;

	fxt_progress_begin(&progress, r);
	while (!end && !err) {
		struct pollfd pollfd = { .fd = signals, .events = POLLIN };
		struct timespec period = { .tv_nsec = r->drain.period_ns };

		ppoll(&pollfd, 1, &period, NULL);
		end = signalled(signals) || fxt_workload_ended(workload, status);
		if (o->duration_ns && fxt_clock_mono() - r->started >= o->duration_ns)
			end = 1;
		err = fxt_recording_run(r, error);
		fxt_progress_show(&progress, r);
	}
	fxt_progress_end(&progress);
	return err;
}

/*
 * Late draining loses events: go before the load that is recorded, as a real-time
 * thread of the least priority, or else with the best nice value there is.
 */
static void go_first(void)
{
	struct sched_param least = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least))
		setpriority(PRIO_PROCESS, 0, -20);
}

/* With the source and the output open. */
static int record(struct fxt_recording *r, const struct options *o, int signals, int *status,
		  struct fxt_error *error)
{
	struct fxt_workload workload = { .go = -1 };
	int err = 0, ended;

	if (o->command)
		err = fxt_workload_prepare(&workload, o->command);
	if (err)
		return fxt_error_set(error, -err, "%s: %s", o->command[0], strerror(-err));
	go_first();
	err = fxt_recording_begin(r, FLUSH_NS, error);
	if (!err && o->command) {
		err = fxt_workload_start(&workload);
		if (err)
			fxt_error_set(error, -err, "%s: %s", o->command[0], strerror(-err));
	}
	if (!err)
		err = loop(r, o, &workload, signals, status, error);
	fxt_workload_kill(&workload);
	if (!r->started)
		return err;
	ended = fxt_recording_end(r, err ? &(struct fxt_error){} : error);
	return err ? err : ended;
}

int cmd_record(int argc, char **argv)
{
	static struct fxt_recording r;
	struct options o = {
		.path = "trace.fxt",
		.source = { .data_bytes = 4 << 20, .subbufs = SUBBUFS, .clock = -1 },
	};
	struct fxt_error error, why;
	struct fxt_target target;
	int err, closed, signals, status = FXT_DONE;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (!strcmp(o.path, "-") && isatty(STDOUT_FILENO)) {
		fxt_report("standard output is a terminal: give -o FILE, or a pipe");
		return FXT_MISUSED;
	}
	signals = signals_open();
	if (signals < 0)
		return fxt_report("can't wait for signals: %s", strerror(errno));
	err = fxt_source_open(&r.source, o.backend, &o.source, &why, &error);
	if (err && why.text[0] && strcmp(why.text, error.text))
		return fxt_report("%s; and no module: %s", error.text, why.text);
	if (err)
		return fxt_report("%s", error.text);
	if (why.text[0])
		fprintf(stderr, "fxtrec: with eBPF, as the module can't be had: %s\n", why.text);
	err = fxt_target_open(&target, o.path);
	if (!err)
		err = fxt_output_open(&r.output, fxt_target_path(&target));
	if (err) {
		fxt_report("%s: %s", o.path, strerror(-err));
		goto close_source;
	}
	err = record(&r, &o, signals, &status, &error);
	closed = fxt_output_close(&r.output);
	if (!err && closed)
		err = fxt_error_set(&error, -closed, "%s: %s", o.path, strerror(-closed));
	if (r.started)
		fxt_progress_summary(&r);
	if (!err)
		err = fxt_target_finish(&target, &error);
	if (err)
		fxt_report("%s", error.text);
close_source:
	fxt_recording_close(&r);
	return err ? FXT_FAILED : status;
}
