// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces child/child.c for fuzzers: one process runs the library for many inputs, and is replaced only where an input
 * broke it.  Its coverage and costs count as the fuzzer's.  A library that breaks or loops is not a finding, as fxtrec
 * survives that: it is counted, and printed at the end.  Code of fxtrec that breaks or loops in the process is a finding.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/ctf/ctf.h"
#include "formats/tracecmd/tracecmd.h"
#include "store/temporary.h"
#include "child/child.h"

/* Inputs for one process, as the libraries leak memory of damaged inputs. */
#define INPUTS		64u
/* Limits of an input's process: beyond them, the process is ended, and counted. */
#define SENT_MIB	16
#define CPU_MS		250
#define RESIDENT_MIB	768
/*
 * After the limit of time, the stack is checked LOOKS times, every 10 ms: if the library's code is never in it, the
 * code of fxtrec loops.
 */
#define LOOKS		20u

/* Exit statuses of the process. */
enum { LIBRARY_BROKE = 120, LIBRARY_LOOPED, LIBRARY_SENT, OURS_BROKE, OURS_LOOPED };

struct request {
	int (*run)(struct fxt_child_out *out, void *arg);
	int fd;			/* descriptor of the fuzzer; or -1, for a folder: */
	char path[128];
};

/* Clang's counters for each edge, and its two words for each edge, the address first. */
extern __u8 __start___sancov_cntrs[], __stop___sancov_cntrs[];
extern const size_t __start___sancov_pcs[][2], __stop___sancov_pcs[][2];

const char *__asan_default_options(void);
void __asan_on_error(void);
void __sanitizer_set_report_fd(void *fd);

static pid_t server;
static unsigned int served;		/* number of its inputs */
static bool serves;			/* this process is the server */
static int requests = -1, statuses = -1;	/* pipes of the fuzzer */
static int sent = -1, report = -1;		/* unnamed files that both processes share */
static __u8 *covered;				/* counters of the last input, which both processes share */
static size_t edges;
static volatile unsigned int looks;

/* Number of inputs, and of those that the library didn't survive. */
static struct {
	unsigned long all, broke, looped, sent, large;
} counts;

/* Only for the fuzzer of costs (tests/cost): this process's cost, and the last input's, which both processes share. */
extern unsigned long long cost_count __attribute__((weak));
static unsigned long long *cost;

/*
 * Leaves out functions' names in reports, which would take longer than the input; ASAN_OPTIONS=symbolize=1 adds them.
 */
const char *__asan_default_options(void)
{
	return "symbolize=0:allocator_may_return_null=1:max_allocation_size_mb=256";
}

/*
 * Returns whether code of fxtrec broke: the nearest frame that is neither the sanitizer's nor the C library's.  That
 * code is linked in one piece.
 */
static inline __attribute__((always_inline)) bool is_ours(void)
{
	size_t from = SIZE_MAX, to = 0, pc, i, count;
	extern const char __executable_start[], etext[];
	void *frames[64];
	int depth = backtrace(frames, 64), at;
	Dl_info info;

	count = ((size_t)__stop___sancov_pcs - (size_t)__start___sancov_pcs) / sizeof(*__start___sancov_pcs);
	for (i = 0; i < count; i++) {
		pc = __start___sancov_pcs[i][0];
		from = pc < from ? pc : from;
		to = pc > to ? pc : to;
	}
	/* The first frames are the caller's, or the caller's and the sanitizer's backtrace(). */
	for (at = 2; at < depth; at++) {
		pc = (size_t)frames[at];
		if (pc >= from && pc <= to)
			return true;
		if (pc >= (size_t)__executable_start && pc < (size_t)etext)
			continue;
		if (!dladdr(frames[at], &info) || !strstr(info.dli_fname, "/libc.so"))
			return false;
	}
	return false;
}

/* Called before a report, in either process. */
void __asan_on_error(void)
{
	if (serves && !is_ours())
		_exit(LIBRARY_BROKE);
}

static void on_death(void)
{
	_exit(OURS_BROKE);
}

static void on_timer(int number)
{
	(void)number;
	if (!is_ours())
		_exit(LIBRARY_LOOPED);
	if (++looks == LOOKS)
		_exit(OURS_LOOPED);
}

static void flush(struct fxt_child_out *out)
{
	if (lseek(sent, 0, SEEK_CUR) + (off_t)out->used > ((off_t)SENT_MIB << 20) ||
	    fxt_write_all(sent, out->bytes, out->used))
		_exit(LIBRARY_SENT);
	out->used = 0;
}

void fxt_child_put_parts(struct fxt_child_out *out, const void *bytes, size_t count)
{
	const __u8 *at = bytes;

	while (count) {
		size_t room = sizeof(out->bytes) - out->used, part = count < room ? count : room;

		memcpy(out->bytes + out->used, at, part);
		out->used += part;
		at += part;
		count -= part;
		if (out->used == sizeof(out->bytes))
			flush(out);
	}
}

/*
 * Ends the process.  No input is as long as a portion, and all of its memory exists: the library returned impossible
 * values.
 */
void fxt_child_exit(struct fxt_child_out *out, int status)
{
	(void)out;
	(void)status;
	_exit(LIBRARY_BROKE);
}

/* Handles one input, in the serving process. */
static int serve(const struct request *q)
{
	static const struct itimerval timer = { .it_value = { .tv_usec = CPU_MS * 1000 },
					       .it_interval = { .tv_usec = 10000 } };
	static struct fxt_child_out out;
	struct fxt_ctf_traces *traces = calloc(1, sizeof(*traces));
	static struct fxt_tp *known[FXT_TRACECMD_IDS];
	struct fxt_tracecmd_portion portion = { .known = known };
	unsigned long long before;
	char path[64];
	int status;

	out.used = 0;
	memset(__start___sancov_cntrs, 0, edges);
	before = &cost_count ? cost_count : 0;
	looks = 0;
	setitimer(ITIMER_PROF, &timer, NULL);
	if (q->fd >= 0) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", getppid(), q->fd);
		portion.fd = open(path, O_RDONLY | O_CLOEXEC);
		status = q->run(&out, &portion);
		close(portion.fd);
	} else {
		fxt_ctf_traces_find(traces, q->path);
		status = q->run(&out, traces);
	}
	flush(&out);
	*cost = &cost_count ? cost_count - before : 0;
	free(traces);
	memcpy(covered, __start___sancov_cntrs, edges);
	return status;
}

static void serve_all(int from, int to)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
	struct request q;

#if FXT_CHILD_LIMITS
	/* Without the sanitizer, it is unknown which code breaks. */
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	signal(SIGFPE, SIG_DFL);
	(void)on_death;
#else
	__sanitizer_set_report_fd((void *)(size_t)report);
	__sanitizer_set_death_callback(on_death);
#endif
	/* The first call loads a library. */
	is_ours();
	signal(SIGPROF, on_timer);
	signal(SIGABRT, SIG_DFL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	serves = true;
	while (read(from, &q, sizeof(q)) == sizeof(q)) {
		status = serve(&q);
		if (write(to, &status, sizeof(status)) != sizeof(status))
			break;
	}
	_exit(0);
}

static void server_end(void)
{
	close(requests);
	close(statuses);
	kill(server, SIGKILL);
	while (waitpid(server, NULL, 0) < 0 && errno == EINTR)
		;
	server = 0;
}

static void counts_show(void)
{
	fprintf(stderr, "LIBRARY: of %lu inputs, %lu broke it, %lu kept it busy for %d ms of processor time, "
		"%lu made it give more than %d MiB, %lu made it take more than %d MiB\n", counts.all, counts.broke,
		counts.looped, CPU_MS, counts.sent, SENT_MIB, counts.large, RESIDENT_MIB);
}

static void shared_make(void)
{
	edges = (size_t)__stop___sancov_cntrs - (size_t)__start___sancov_cntrs;
	cost = mmap(NULL, sizeof(*cost) + edges, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sent = memfd_create("sent", MFD_CLOEXEC);
	report = memfd_create("report", MFD_CLOEXEC);
	if (cost == MAP_FAILED || sent < 0 || report < 0 || atexit(counts_show))
		abort();
	covered = (__u8 *)(cost + 1);
}

static int server_start(void)
{
	int to[2], from[2];

	if (sent < 0)
		shared_make();
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return -errno;
	served = 0;
	server = fork();
	if (!server) {
		close(to[1]);
		close(from[0]);
		serve_all(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	requests = to[1];
	statuses = from[0];
	return server < 0 ? -errno : 0;
}

static bool too_large(void)
{
	char path[32];
	long pages = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", server);
	f = fopen(path, "r");
	if (f && fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages > ((long)RESIDENT_MIB << 20) / 4096;
}

/* Reports a finding: the process's report follows the fuzzer's own words. */
static void finding(int status)
{
	char text[4096] = "code of fxtrec breaks in the process that runs the library:\n";
	off_t at = 0;
	ssize_t got;

	if (status == OURS_LOOPED)
		strcpy(text, "code of fxtrec loops in the process that runs the library\n");
	fxt_write_all(STDERR_FILENO, text, strlen(text));
	while ((got = pread(report, text, sizeof(text), at)) > 0) {
		fxt_write_all(STDERR_FILENO, text, got);
		at += got;
	}
	abort();
}

/* Handles a process that has ended by itself. */
static void broken(void)
{
	int left = 0, status;

	while (waitpid(server, &left, 0) < 0 && errno == EINTR)
		;
	status = WIFEXITED(left) ? WEXITSTATUS(left) : LIBRARY_BROKE;
	if (status == OURS_BROKE || status == OURS_LOOPED)
		finding(status);
	if (status == LIBRARY_LOOPED)
		counts.looped++;
	else if (status == LIBRARY_SENT)
		counts.sent++;
	else
		counts.broke++;
	server = 0;
	close(requests);
	close(statuses);
}

/* Returns the result of the library's process for the input, as fxt_child_end(). */
static int outcome(void)
{
	struct pollfd ready = { .fd = statuses, .events = POLLIN };
	int status;

	while (poll(&ready, 1, 100) <= 0) {
		if (!too_large())
			continue;
		counts.large++;
		server_end();
		return -EBADMSG;
	}
	if (read(statuses, &status, sizeof(status)) != sizeof(status)) {
		broken();
		return -EBADMSG;
	}
	if (++served == INPUTS)
		server_end();
	return status;
}

static void outcome_add(void)
{
	size_t i;

	if (&cost_count)
		cost_count += *cost;
	for (i = 0; i < edges; i++)
		if (covered[i] > __start___sancov_cntrs[i])
			__start___sancov_cntrs[i] = covered[i];
}

int fxt_child_start(struct fxt_child *child, const struct fxt_child_limits *limits,
		    int (*run)(struct fxt_child_out *out, void *arg), void *arg)
{
	struct request q = { .run = run, .fd = -1 };
	const struct fxt_tracecmd_portion *portion = arg;
	const struct fxt_ctf_traces *traces = arg;
	ssize_t got;
	off_t bytes;

	(void)limits;
	*child = (struct fxt_child){ .fd = -1 };
#ifdef FUZZ_FOLDER
	/* The folder that has the traces. */
	(void)portion;
	snprintf(q.path, sizeof(q.path), "%s", traces->count ? traces->path[0] : "");
#else
	(void)traces;
	q.fd = portion->fd;
#endif
	if (!server && server_start())
		return -ENOMEM;
	if (ftruncate(sent, 0) || lseek(sent, 0, SEEK_SET) || ftruncate(report, 0) || lseek(report, 0, SEEK_SET))
		abort();
	memset(covered, 0, edges);
	*cost = 0;
	counts.all++;
	child->pid = write(requests, &q, sizeof(q)) == sizeof(q) ? outcome() : -EBADMSG;
	outcome_add();
	bytes = lseek(sent, 0, SEEK_END);
	child->bytes = malloc(bytes ? bytes : 1);
	if (!child->bytes)
		return -ENOMEM;
	got = pread(sent, child->bytes, bytes, 0);
	child->end = got > 0 ? got : 0;
	return 0;
}

/* All bytes were received at once. */
int fxt_child_get_parts(struct fxt_child *child, void *to, size_t count)
{
	(void)child;
	(void)to;
	(void)count;
	return 0;
}

int fxt_child_take_parts(struct fxt_child *child, size_t count, const __u8 **at)
{
	(void)child;
	(void)count;
	(void)at;
	return 0;
}

int fxt_child_end(struct fxt_child *child)
{
	free(child->bytes);
	return child->pid;
}
