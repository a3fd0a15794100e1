// SPDX-License-Identifier: GPL-2.0-only
/* Opens the source, runs the event loop, and ends: a session of recording. */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "describe/listing.h"
#include "fxt/loss.h"
#include "output/output.h"
#include "record/follow.h"
#include "record/session.h"
#include "record/signals.h"
#include "source/stretch.h"
#include "files/create.h"
#include "util/time.h"

#define DELAY_PERIOD_NS	10000000
#define NOTIFY_US	100000
/*
 * Interval between descriptions of processes: a process is described once it has lived for some time, as most are
 * short-lived.
 */
#define DESCRIBE_NS	SECOND_NS

/* Opens the source.  Points to the doctor, unless another recorder or the options are the cause. */
static int source_open(struct fxt_session *s, struct fxt_error *error)
{
	const struct fxt_record_options *o = s->options;
	int err = fxt_source_open(&s->source, o->backend, &o->source, &s->fallback, error);
	struct fxt_error cause = *error;

	if (err && s->fallback.text[0] && strcmp(s->fallback.text, cause.text))
		fxt_error_set(error, -err, "%.200s; and no module: %.200s", cause.text, s->fallback.text);
	cause = *error;
	if (err && err != -EBUSY && err != -ERANGE && err != -EOPNOTSUPP && err != -EXDEV &&
	    !strstr(cause.text, "fxtrec doctor"))
		fxt_error_set(error, -err, "%.470s (\"fxtrec doctor\" tells more)", cause.text);
	return err;
}

int fxt_session_open(struct fxt_session *s, const struct fxt_record_options *o, struct fxt_error *error)
{
	struct fxt_error cause;
	int err = 0;

	*s = (struct fxt_session){
		.options = o, .workload = { .go = -1, .failure = -1 }, .wakeup = -1, .patience = { fxt_session_patience, s },
	};
	s->signals = fxt_session_signals_open();
	if (s->signals < 0)
		return fxt_error_set(error, errno, "can't wait for signals: %s", strerror(errno));
	if (o->source.events & FXTREC_EVENTS_STACKS)
		err = fxt_stacks_open(&s->stacks, &cause);
	if (err)
		return fxt_error_set(error, -err, "--stacks: %s", cause.text);
	err = fxt_describer_open(&s->describer, o->flight || fxt_record_rotates(o));
	if (err)
		return fxt_error_set(error, -err, "no memory");
	err = source_open(s, error);
	if (err)
		return err;
	s->surplus = calloc(s->source.cpu_count, sizeof(*s->surplus));
	if (!s->surplus)
		return fxt_error_set(error, ENOMEM, "no memory");
	if (!o->counters)
		return 0;
	err = fxt_counters_open(&s->counters);
	return err ? fxt_error_set(error, -err, "/proc/loadavg: %s", strerror(-err)) : 0;
}

/* Returns -errno with the error set where COMMAND could not be run; else err. */
static int command_error(const struct fxt_session *s, int err, struct fxt_error *error)
{
	if (!s->command_err)
		return err;
	*error = s->command_error;
	return s->command_err;
}

static int wait_for_begin(struct fxt_session *s, struct fxt_error *error)
{
	__u64 until = fxt_clock_mono() + s->options->delay_ns;
	struct timespec period = { .tv_nsec = DELAY_PERIOD_NS };

	while (fxt_clock_mono() < until && !s->end) {
		struct pollfd pollfd = { .fd = s->signals, .events = POLLIN };

		ppoll(&pollfd, 1, &period, NULL);
		/* Skips names of threads: the threads are listed when the recording starts. */
		fxt_source_info_skip(&s->source);
		fxt_session_events_read(s);
	}
	s->sigusr1 = false;
	if (!s->end)
		return 0;
	if (s->signalled || !s->options->command)
		fxt_error_set(error, ECANCELED, "ended before the recording began");
	else
		fxt_error_set(error, ECANCELED, "%s: it ended before the recording began", s->options->command[0]);
	return command_error(s, -ECANCELED, error);
}

/* Forks COMMAND, has the source follow the selected threads, and waits for the start. */
static int prepare(struct fxt_session *s, struct fxt_error *error)
{
	const struct fxt_record_options *o = s->options;
	int err = 0;

	if (o->command)
		err = fxt_workload_prepare(&s->workload, o->command, fxt_create_is_standard(o->path) ||
					   (o->page && fxt_create_is_standard(o->page)), error);
	if (!err)
		err = fxt_follow(o->source.filter, &s->source, s->workload.pid, error);
	if (!err && o->delay_ns && o->command)
		err = fxt_workload_begin(&s->workload, o->command, error);
	if (!err && o->delay_ns)
		err = wait_for_begin(s, error);
	return err;
}

static void marks_hint(void *session, __u32 pid, __u32 uid, bool memory)
{
	fxt_marks_hint(((struct fxt_session *)session)->marks, pid, uid, memory);
}

/* Opens the marks.  Running programs are found where processes are described, and write once the source has started. */
static int marks_open(struct fxt_session *s, struct fxt_error *error)
{
	struct fxt_marks_to to = {
		.names = &s->names,
		.names_take = s->ops->drain_names,
		.put = s->ops->put_marks,
		.on_idle = s->ops->drain,
		.arg = s->arg,
	};

	if (s->options->no_marks)
		return 0;
	fxt_describer_watch(s->describer, marks_hint, s);
	return fxt_marks_open(&s->marks, s->source.clock, &to) ? fxt_error_set(error, ENOMEM, "no memory") : 0;
}

/*
 * Notifies the process that started the recorder, as systemd services do (sd_notify(3)).  Waits for a reader that
 * doesn't read only as long as the rings hold the events of that time.
 */
static void notify_ready(void)
{
	static const char message[] = "READY=1";
	const struct timeval longest = { .tv_usec = NOTIFY_US };
	const char *path = getenv(FXT_NOTIFY_SOCKET);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	if (!length || length > sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* The recording continues without the notification. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof(longest));
	sendto(fd, message, strlen(message), MSG_NOSIGNAL, (const struct sockaddr *)&address,
	       offsetof(struct sockaddr_un, sun_path) + length);
	close(fd);
}

/* Drains the rings.  The next drain returns an error that occurs here. */
static void on_idle(void *session)
{
	struct fxt_session *s = session;

	s->ops->drain(s->arg);
}

static __u64 surplus_of_producer(const struct fxt_session *s, unsigned int i)
{
	return fxt_position(&s->source.cpus[i].area->ring[FXTREC_RING_INFO].renames_surplus);
}

/* Called between two tracepoints.  Skips names of threads: the threads are listed when the recording starts. */
static bool attach_over(void *session)
{
	struct fxt_session *s = session;

	fxt_source_info_skip(&s->source);
	return fxt_session_patience(s);
}

static int attach(struct fxt_session *s, struct fxt_error *error)
{
	const struct fxt_patience patience = { attach_over, s };

	return s->source.ops->attach ? s->source.ops->attach(&s->source, &patience, error) : 0;
}

static int start(struct fxt_session *s, struct fxt_error *error)
{
	unsigned int i;
	int err = attach(s, error);

	if (err)
		return err;
	/* Checked before a new file replaces an older one. */
	if (fxt_session_patience(s))
		return fxt_error_set(error, ECANCELED, "ended before the recording began");
	/* Renames before the threads are listed don't count for this recording. */
	for (i = 0; i < s->source.cpu_count; i++)
		s->surplus[i].before = surplus_of_producer(s, i);
	err = marks_open(s, error);
	if (!err)
		err = s->ops->begin(s->arg, error);
	if (err)
		return err;
	err = s->source.ops->start(&s->source, error);
	if (err)
		return err;
	fxt_source_rings_open(&s->source, s->ops->ring_tail);
	s->opened = s->surplus_read = fxt_clock_ticks(s->source.clock);
	s->started = fxt_clock_mono();
	s->idle = (struct fxt_idle){ .run = on_idle, .arg = s };
	/* Soon after the start: a thread's state is needed until its first event. */
	if (s->ops->started)
		err = s->ops->started(s->arg, error);
	fxt_marks_start(s->marks);
	if (!err && s->workload.go >= 0)
		err = fxt_workload_begin(&s->workload, s->options->command, error);
	if (!err)
		notify_ready();
	return err;
}

static int sink_error(const struct fxt_session *s, int err, struct fxt_error *error)
{
	return fxt_error_set(error, -err, "%s: %s", s->object, fxt_output_error(err));
}

__u64 fxt_session_surplus(const struct fxt_session *s, unsigned int i)
{
	return surplus_of_producer(s, i) - s->surplus[i].before + s->surplus[i].left_out;
}

/* Reports the renames that were left out since the last report.  Returns 1 if there were any, 0, or -errno. */
static int surplus_put(struct fxt_session *s, unsigned int i, __u64 loss_start)
{
	__u64 surplus = fxt_session_surplus(s, i), count = surplus - s->surplus[i].reported;
	__u32 cpu = s->source.cpus[i].cpu;
	__u64 words[FXT_LOSS_BYTES_MAX / 8];
	__u32 bytes;

	if (!count)
		return 0;
	s->surplus[i].reported = surplus;
	bytes = fxt_loss_write(words, cpu, FXTREC_RING_INFO, FXTREC_LOST_SURPLUS, count, loss_start,
			       s->surplus_read);
	return s->ops->put_cpu(s->arg, cpu, words, bytes) ?: 1;
}

int fxt_session_surplus_report(struct fxt_session *s)
{
	__u64 loss_start = s->surplus_read;
	struct fxt_error ignored;
	bool renamed = false;
	unsigned int i;

	s->surplus_read = fxt_clock_ticks(s->source.clock);
	for (i = 0; i < s->source.cpu_count; i++) {
		int err = surplus_put(s, i, loss_start);

		if (err < 0)
			return err;
		renamed |= err;
	}
	if (!renamed)
		return 0;
	fxt_names_mark(&s->names);
	if (fxt_listing_read(&s->source, &s->names, &s->idle, &ignored))
		return 0;
	return fxt_names_put_learned(&s->names, &s->tool);
}

/* Has processes described that were named since the last call. */
static int describe(struct fxt_session *s)
{
	__u64 now = fxt_clock_mono();
	int err = 0;

	if (now - s->described >= DESCRIBE_NS) {
		s->described = now;
		err = fxt_session_surplus_report(s);
		if (!err)
			err = fxt_describer_ask(s->describer, &s->names, s->source.clock, false);
	}
	return err ? err : fxt_describer_poll(s->describer, s->descriptions);
}

int fxt_session_drain(struct fxt_session *s, struct fxt_error *error)
{
	int err = s->ops->drain(s->arg);

	if (!err)
		err = describe(s);
	if (!err)
		err = fxt_counters_poll(&s->counters, s->source.clock, &s->tool);
	if (!err)
		err = fxt_marks_poll(s->marks);
	return err ? sink_error(s, err, error) : 0;
}

/* Waits for a period, and then does all that is due. */
static int turn(struct fxt_session *s, struct fxt_error *error)
{
	struct pollfd pollfds[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->wakeup, .events = POLLIN },
	};
	struct timespec period = { .tv_nsec = s->period_ns };
	int err;

	ppoll(pollfds, sizeof(pollfds) / sizeof(*pollfds), &period, NULL);
	fxt_session_events_read(s);
	err = fxt_session_drain(s, error);
	return err ? err : s->ops->poll(s->arg, error);
}

int fxt_session_describe(struct fxt_session *s, __u64 longest_ns)
{
	int err = fxt_describer_ask(s->describer, &s->names, s->source.clock, true);

	s->described = fxt_clock_mono();
	return err ? err : fxt_describer_wait(s->describer, longest_ns, s->descriptions, &s->idle);
}

void fxt_session_objects(struct fxt_session *s, bool all)
{
	if (!s->options->no_names && !s->options->no_reasons)
		fxt_describer_objects(s->describer, all);
}

int fxt_session_stop(struct fxt_session *s, struct fxt_error *error)
{
	if (!s->ended) {
		s->ended = fxt_clock_mono();
		s->missed = s->source.ops->missed(&s->source);
		s->stop_err = s->source.ops->stop(&s->source, &s->stop_error);
	}
	if (s->stop_err)
		*error = s->stop_error;
	return s->stop_err;
}

static int finish(struct fxt_session *s, struct fxt_error *error)
{
	int marks = fxt_marks_finish(s->marks);
	int err = s->ops->end(s->arg, error);

	return !err && marks ? sink_error(s, marks, error) : err;
}

int fxt_session_run(struct fxt_session *s, struct fxt_error *error)
{
	struct fxt_error ignored;
	int err = prepare(s, error), finished;

	if (!err)
		err = start(s, error);
	while (!err && (!s->end || (s->busy && !fxt_session_hurried(s))))
		err = turn(s, error);
	if (!err)
		err = command_error(s, 0, error);
	s->end = true;
	/* The recording has ended. */
	fxt_workload_kill(&s->workload);
	if (!s->started)
		return err;
	finished = finish(s, err ? &ignored : error);
	return err ? err : finished;
}

void fxt_session_close(struct fxt_session *s)
{
	fxt_counters_close(&s->counters);
	fxt_describer_close(s->describer);
	fxt_marks_close(s->marks);
	fxt_names_uninit(&s->names);
	fxt_source_close(&s->source);
	fxt_stacks_close(s->stacks);
	free(s->surplus);
}
