// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits with a cause that is certain by construction: causes MODE SECONDS.  Prints "ROLE TID" for each of its threads,
 * "since NS" (CLOCK_MONOTONIC) if the cause starts later, and the kernel's counts for the thread "victim" at its start
 * and its end: "before" or "after", ns run, ns waited, times run, own switches, preemptions.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static double seconds;
static atomic_bool over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[3][2];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void spin(double time)
{
	double end = now() + time;

	while (now() < end)
		;
}

static void nap(double time)
{
	struct timespec t = { .tv_nsec = time * 1e9 };

	nanosleep(&t, NULL);
}

static void role(const char *name, int cpu)
{
	cpu_set_t set;

	pthread_setname_np(pthread_self(), name);
	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
	printf("%s %ld\n", name, syscall(SYS_gettid));
	fflush(stdout);
}

/* Prints the kernel's counts for the calling thread so far, as a line that starts with WHEN. */
static void counted(const char *when)
{
	char path[64], text[128] = "";
	struct rusage usage;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
	fd = open(path, O_RDONLY);
	got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	getrusage(RUSAGE_THREAD, &usage);
	printf("%s %s %ld %ld\n", when, text, usage.ru_nvcsw, usage.ru_nivcsw);
	fflush(stdout);
}

/*
 * Raises the priority, so that other programs of this machine take little of a CPU that the cause and the victim want.
 */
static void unhindered(void)
{
	FILE *f;

	setsid();
	if (nice(-20) == -1)
		perror("nice");
	/* With autogroups, sessions have shares of their own. */
	f = fopen("/proc/self/autogroup", "w");
	if (f && (fputs("-20", f) < 0 || fclose(f)))
		perror("/proc/self/autogroup");
}

static void *hog(void *arg)
{
	role("hog", 0);
	while (!over)
		spin(0.001);
	return arg;
}

/* Sets a priority above those of other tests' threads, which may run at the same time. */
static void fifo(int priority)
{
	struct sched_param p = { .sched_priority = 40 + priority };

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		perror("SCHED_FIFO");
}

/* Preempts other threads there, for a part of the time. */
static void *realtime(void *arg)
{
	role("realtime", 0);
	fifo(10);
	while (!over) {
		nap(0.007);
		spin(0.003);
	}
	return arg;
}

/* Holds a lock that the victim wants, most of the time. */
static void *holder(void *arg)
{
	role("holder", 1);
	while (!over) {
		pthread_mutex_lock(&lock);
		spin(0.005);
		pthread_mutex_unlock(&lock);
		nap(0.001);
	}
	return arg;
}

/* Holds the lock for a while, and has the least priority of the three. */
static void *low(void *arg)
{
	role("low", 0);
	fifo(2);
	while (!over) {
		pthread_mutex_lock(&lock);
		spin(0.002);
		pthread_mutex_unlock(&lock);
		nap(0.001);
	}
	return arg;
}

/* Wants no lock, but keeps the lock's holder from the CPU. */
static void *medium(void *arg)
{
	role("medium", 0);
	fifo(5);
	while (!over) {
		nap(0.007);
		spin(0.006);
	}
	return arg;
}

/* Sends through the loopback device: a softirq delivers the data. */
static void *sender(void *arg)
{
	char c = 0;

	role("sender", 1);
	while (!over) {
		if (send(pipes[0][1], &c, 1, 0) != 1)
			break;
		nap(0.002);
	}
	return arg;
}

/* Joins the control group that a variable of the environment names. */
static void group_join(const char *variable)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", getenv(variable) ? getenv(variable) : "");
	f = fopen(path, "w");
	if (!f || fprintf(f, "%d\n", getpid()) < 0 || fclose(f))
		perror(path);
}

/* Runs a process of another control group that wants the same CPU. */
static void neighbour(void)
{
	pid_t pid = fork();

	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	group_join("OTHER");
	role("neighbour", 0);
	for (;;)
		spin(0.001);
}

/* Passes its input on after some work. */
static void *stage(void *arg)
{
	int number = *(int *)arg;
	char name[16], c;

	snprintf(name, sizeof(name), "stage%d", number);
	role(name, number % 2);
	while (read(pipes[number][0], &c, 1) == 1) {
		spin(0.002);
		if (write(pipes[number + 1][1], &c, 1) != 1)
			break;
	}
	return NULL;
}

static void victim_sleeps(double until)
{
	while (now() < until) {
		nap(0.003);
		spin(0.0005);
	}
}

/*
 * Waits in turn by a timer of each kind: nanosleep(), a timeout of poll() and of a socket (the timer wheel), a timerfd.
 */
static void victim_is_timed(double until)
{
	const struct itimerspec expiry = { .it_value.tv_nsec = 3000000 };
	const struct timeval timeout = { .tv_usec = 3000 };
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), ends[2], turn;
	uint64_t word;

	if (timer < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) ||
	    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)))
		return;
	for (turn = 0; now() < until; turn++) {
		switch (turn % 4) {
		case 0:
			nap(0.003);
			break;
		case 1:
			poll(NULL, 0, 3);
			break;
		case 2:
			if (recv(ends[0], &word, sizeof(word), 0) >= 0)
				return;
			break;
		default:
			timerfd_settime(timer, 0, &expiry, NULL);
			if (read(timer, &word, sizeof(word)) < 0)
				return;
		}
		spin(0.0005);
	}
}

/* Prints the start of the time that a test examines. */
static void since(void)
{
	printf("since %.0f\n", now() * 1e9);
	fflush(stdout);
}

/* Becomes real-time; before that, it waits as any thread does. */
static void victim_is_realtime(double until)
{
	fifo(5);
	since();
	while (now() < until) {
		nap(0.003);
		spin(0.003);
	}
}

static void victim_locks(double until)
{
	while (now() < until) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		nap(0.0005);
	}
}

/* Waits, with the highest priority, for a thread of the lowest, and so for one in between. */
static void victim_inverts(double until)
{
	fifo(8);
	victim_locks(until);
}

static void victim_reads(double until)
{
	char path[] = "causes.data.XXXXXX";
	int fd = mkstemp(path);
	void *page;

	unlink(path);
	if (fd < 0 || posix_memalign(&page, 4096, 4096))
		return;
	memset(page, 1, 4096);
	while (now() < until) {
		if (write(fd, page, 4096) < 0)
			break;
		fsync(fd);
	}
}

static void victim_asks(double until)
{
	char c = 0;

	while (now() < until)
		if (write(pipes[0][1], &c, 1) != 1 || read(pipes[2][0], &c, 1) != 1)
			break;
}

static void victim_receives(double until)
{
	char c;

	while (now() < until)
		if (recv(pipes[0][0], &c, 1, 0) != 1)
			break;
}

/* Prints how long the kernel has throttled the group LIMITED so far: this thread runs, so no throttling is open. */
static void until(void)
{
	char path[256], line[128];
	long long ns;
	FILE *f;

	printf("until %.0f\n", now() * 1e9);
	snprintf(path, sizeof(path), "%s/cpu.stat", getenv("LIMITED") ? getenv("LIMITED") : "");
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "throttled_time %lld", &ns) == 1)
			printf("throttled %lld\n", ns);
		else if (sscanf(line, "throttled_usec %lld", &ns) == 1)
			printf("throttled %lld\n", ns * 1000);
	if (f)
		fclose(f);
	fflush(stdout);
}

static void victim_spins(double end)
{
	group_join("GROUP");
	since();
	spin(end - now());
	until();
}

/* Competes with the neighbour, which has no limit, and has never been in the victim's group. */
static void victim_competes(double end)
{
	neighbour();
	group_join("GROUP");
	since();
	spin(end - now());
	until();
}

static void victim_shares(double until)
{
	group_join("GROUP");
	since();
	neighbour();
	spin(until - now());
	/* Processes are described once a second, while they live: this leaves time for a recorder on a slow machine. */
	sleep(3);
}

static void victim_moves(double until)
{
	unsigned int moves = 0;
	cpu_set_t set;

	/* The thread may be on the first CPU already. */
	do {
		CPU_ZERO(&set);
		CPU_SET(moves++ % 2, &set);
		sched_setaffinity(0, sizeof(set), &set);
		nap(0.001);
	} while (now() < until || moves < 3);
	printf("moves %u\n", moves - 1);
	fflush(stdout);
}

static const struct mode {
	const char *name;
	void *(*others[2])(void *);
	void (*victim)(double until);
	int cpu;
} modes[] = {
	{ "hog", { hog }, victim_sleeps, 0 },
	{ "realtime", { realtime }, victim_is_realtime, 0 },
	{ "lock", { holder }, victim_locks, 0 },
	{ "disk", { 0 }, victim_reads, -1 },
	{ "timer", { 0 }, victim_is_timed, -1 },
	{ "stages", { stage, stage }, victim_asks, 0 },
	{ "moves", { 0 }, victim_moves, -1 },
	{ "inversion", { low, medium }, victim_inverts, 0 },
	{ "net", { sender }, victim_receives, 0 },
	{ "throttled", { 0 }, victim_spins, 0 },
	{ "nested", { 0 }, victim_spins, 0 },
	{ "crowded", { 0 }, victim_competes, 0 },
	{ "groups", { 0 }, victim_shares, 0 },
};

/* Opens two sockets of the loopback device. */
static int sockets_open(int ends[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(at);

	ends[0] = socket(AF_INET, SOCK_DGRAM, 0);
	ends[1] = socket(AF_INET, SOCK_DGRAM, 0);
	return bind(ends[0], (struct sockaddr *)&at, bytes) || getsockname(ends[0], (struct sockaddr *)&at, &bytes) ||
	       connect(ends[1], (struct sockaddr *)&at, bytes);
}

int main(int argc, char **argv)
{
	static int numbers[] = { 0, 1 };
	const struct mode *mode = modes;
	pthread_t thread;
	unsigned int i;

	if (argc != 3)
		return 2;
	/* The victim runs since before the recording: fork() to exec(). */
	counted("before");
	unhindered();
	seconds = atof(argv[2]);
	while (strcmp(mode->name, argv[1]))
		if (++mode == modes + sizeof(modes) / sizeof(*modes))
			return 2;
	for (i = 0; i < 3; i++)
		if (strcmp(mode->name, "net") ? pipe(pipes[i]) : sockets_open(pipes[i]))
			return 1;
	for (i = 0; i < 2 && mode->others[i]; i++)
		if (pthread_create(&thread, NULL, mode->others[i], &numbers[i]))
			return 1;
	nap(0.05);
	role("victim", mode->cpu);
	mode->victim(now() + seconds);
	counted("after");
	over = true;
	_exit(0);
}
