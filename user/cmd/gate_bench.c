// SPDX-License-Identifier: GPL-2.0-only
/* Runs commands beside a recorder, again and again, and reads the figures of the runs from the recordings. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/gate/trace.h"
#include "cmd/analyze.h"
#include "cmd/gate.h"
#include "record/workload.h"
#include "source/clock.h"
#include "util/array.h"
#include "util/report.h"
#include "util/time.h"

/* The yardstick: steps of a fixed computation in memory, about 2 ms. */
#define YARDSTICK_STEPS		200000u
#define YARDSTICK_BYTES		((size_t)4 << 20)

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = number;
}

/* Returns the CPU time of a fixed computation: it shows the speed of the machine now. */
static __u64 yardstick(void)
{
	static unsigned char memory[YARDSTICK_BYTES];
	__u64 begin = fxt_time_ns(CLOCK_PROCESS_CPUTIME_ID), x = 1;
	unsigned int i;

	for (i = 0; i < YARDSTICK_STEPS; i++) {
		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		memory[(x >> 33) % YARDSTICK_BYTES] += x;
	}
	return fxt_time_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

/* Opens a counter of the instructions of a process and its children, from its exec on.  -1: none. */
static int counter_open(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1, .inherit = 1, .enable_on_exec = 1, .exclude_kernel = 1, .exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Runs in the child, until the command replaces it. */
static void command_run(char **argv, int go)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char c;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* The parent has opened the counter when the pipe closes. */
	while (read(go, &c, 1) < 0 && errno == EINTR)
		;
	signal(SIGXFSZ, SIG_DFL);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execvp(argv[0], argv);
	_exit(127);
}

/* A run that has ended. */
struct gate_turn {
	enum gate_side side;
	pid_t pid;
	__u64 cpu;
	struct fxt_gate_run run;
};

static __u64 ns_of(const struct timeval *time)
{
	return time->tv_sec * SECOND_NS + time->tv_usec * 1000ULL;
}

/* Waits for a command's end. */
static int command_wait(char **argv, struct gate_turn *turn, struct fxt_error *error)
{
	struct rusage usage;
	int status;

	while (wait4(turn->pid, &status, 0, &usage) < 0) {
		if (errno != EINTR)
			return fxt_error_set(error, errno, "%s: %s", argv[0], strerror(errno));
		if (interrupted)
			kill(turn->pid, SIGTERM);
	}
	turn->cpu = ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
	if (interrupted)
		return -EINTR;
	if (WIFSIGNALED(status))
		return fxt_report("%s: signal %d ended it", argv[0], WTERMSIG(status));
	return WEXITSTATUS(status) ? fxt_report("%s: it ended with status %d", argv[0], WEXITSTATUS(status)) : 0;
}

static int command_turn(struct gate_bench *b, struct gate_turn *turn, struct fxt_error *error)
{
	char **argv = b->commands[turn->side];
	__u64 begin = fxt_clock_mono();
	int go[2], counter, err;

	if (pipe2(go, O_CLOEXEC))
		return fxt_error_set(error, errno, "no pipe: %s", strerror(errno));
	turn->pid = fork();
	if (!turn->pid) {
		close(go[1]);
		command_run(argv, go[0]);
	}
	err = errno;
	counter = turn->pid > 0 && b->counters ? counter_open(turn->pid) : -1;
	close(go[0]);
	close(go[1]);
	if (turn->pid < 0)
		return fxt_error_set(error, err, "no process: %s", strerror(err));
	err = command_wait(argv, turn, error);
	turn->run.of[FXT_GATE_WALL] = fxt_clock_mono() - begin;
	if (counter >= 0 && read(counter, &turn->run.of[FXT_GATE_INSTRUCTIONS], sizeof(__u64)) != sizeof(__u64))
		turn->run.of[FXT_GATE_INSTRUCTIONS] = 0;
	if (counter >= 0)
		close(counter);
	return err;
}

int gate_bench_open(struct gate_bench *b, struct fxt_error *error)
{
	const struct sigaction action = { .sa_handler = interrupt };
	struct gate_turn turn = { 0 };
	int counter = counter_open(0), err = 0;

	b->counters = counter >= 0;
	if (counter >= 0)
		close(counter);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	for (; turn.side < GATE_SIDES && !err; turn.side++) {
		if (!b->commands[turn.side])
			continue;
		err = fxt_workload_check(b->commands[turn.side], error);
		if (!err)
			err = command_turn(b, &turn, error);
	}
	return err;
}

void gate_bench_close(struct gate_bench *b)
{
	int side;

	for (side = 0; side < GATE_SIDES; side++)
		free(b->runs[side].runs);
}

/* Fills the runs of the turns from the recording. */
static int turns_read(char *file, struct gate_turn *turns, size_t count, struct fxt_error *error)
{
	struct fxt_gate_process *processes = calloc(count + 1, sizeof(*processes));
	char *inputs[] = { file, NULL };
	struct analyze_options options = { .convert = { .inputs = inputs, .input_count = 1 } };
	static struct analysis analysis;
	struct fxt_gate_trace trace = { 0 };
	size_t i;
	int status;

	if (!processes)
		return fxt_error_set(error, ENOMEM, "no memory");
	for (i = 0; i < count; i++)
		processes[i] = (struct fxt_gate_process){
			.pid = turns[i].pid, .cpu = turns[i].cpu, .run = &turns[i].run,
		};
	analysis = (struct analysis){ 0 };
	status = analyze_open_one(&analysis, &options);
	if (!status) {
		status = analyze_failed(&analysis, fxt_gate_trace_init(&trace, &analysis.machines.of[0].m, processes,
								       count));
		if (!status)
			status = analyze_run(&analysis);
		if (!status)
			status = analyze_failed(&analysis, fxt_gate_trace_settle(&trace, processes, count));
		fxt_gate_trace_uninit(&trace);
	}
	analyze_close(&analysis, &options);
	free(processes);
	return status;
}

/* Runs each command once, in random order. */
static int pair_run(struct gate_bench *b, struct gate_turn **turns, size_t *count, struct fxt_error *error)
{
	unsigned char chance = 0;
	int i, err = 0;

	if (getrandom(&chance, sizeof(chance), 0) < 0)
		return fxt_error_set(error, errno, "no random number: %s", strerror(errno));
	for (i = 0; i < GATE_SIDES && !err; i++) {
		struct gate_turn turn = { .side = (i + chance) % GATE_SIDES };

		if (!b->commands[turn.side])
			continue;
		if (!b->commands[GATE_AGAINST])
			turn.run.of[FXT_GATE_YARDSTICK] = yardstick();
		err = command_turn(b, &turn, error);
		if (!err && fxt_array_more(*turns, *count))
			err = fxt_error_set(error, ENOMEM, "no memory");
		if (!err)
			(*turns)[(*count)++] = turn;
	}
	return err;
}

int gate_bench_round(struct gate_bench *b, __u64 end, size_t max, struct fxt_error *error)
{
	struct gate_turn *turns = NULL;
	size_t count = 0, pairs = b->runs[GATE_COMMAND].count, i;
	struct gate_recorder recorder;
	struct fxt_error ignored;
	int err = gate_recorder_start(&recorder, error), stopped;

	if (err)
		return err;
	do
		err = pair_run(b, &turns, &count, error);
	while (!err && ++pairs < max && fxt_clock_mono() < end);
	stopped = gate_recorder_stop(&recorder, err ? &ignored : error);
	err = err ? err : stopped;
	if (!err)
		err = turns_read(recorder.file, turns, count, error);
	gate_recorder_remove(&recorder);
	for (i = 0; i < count && !err; i++)
		if (fxt_gate_runs_put(&b->runs[turns[i].side], &turns[i].run))
			err = fxt_error_set(error, ENOMEM, "no memory");
	free(turns);
	return err;
}
