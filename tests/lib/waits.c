// SPDX-License-Identifier: GPL-2.0-only
/* Waits by system calls, and logs each wait with its object: waits ROUNDS [STEP]... */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "waitlog.h"

#define FILE_BYTES	(1 << 20)

/* The system calls that the C library makes for poll() and its like, by processor. */
#ifdef __aarch64__
#define POLL	"ppoll"
#define EPOLL	"epoll_pwait"
#define SELECT	"pselect6"
#define VFORK	"clone"
#else
#define POLL	"poll"
#define EPOLL	"epoll_wait"
#define SELECT	"select"
#define VFORK	"vfork"
#endif

static int main_tid;
static char buffer[FILE_BYTES] __attribute__((aligned(4096)));

/* Work for the helper, once the main thread sleeps. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	void (*run)(long arg);
	long arg;
} task = { .mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

static void *help(void *arg)
{
	void (*run)(long arg);

	for (;;) {
		pthread_mutex_lock(&task.mutex);
		while (!task.run)
			pthread_cond_wait(&task.cond, &task.mutex);
		run = task.run;
		task.run = NULL;
		pthread_mutex_unlock(&task.mutex);
		asleep(main_tid);
		usleep(1000);
		run(task.arg);
	}
	return arg;
}

static void later(void (*run)(long arg), long arg)
{
	pthread_mutex_lock(&task.mutex);
	task.run = run;
	task.arg = arg;
	pthread_cond_signal(&task.cond);
	pthread_mutex_unlock(&task.mutex);
}

static void poke(long fd)
{
	unsigned long long one = 1;

	if (write(fd, &one, sizeof(one)) < 0)
		exit(2);
}

static void drain(long fd)
{
	if (read(fd, buffer, 65536) < 0)
		exit(2);
}

static void signal_main(long number)
{
	syscall(SYS_tgkill, getpid(), main_tid, number);
}

static int made(int fd)
{
	if (fd < 0) {
		perror("waits");
		exit(2);
	}
	return fd;
}

/* Logs a wait for a descriptor: its inode, and the device as the kernel has it. */
static struct entry *on(const char *call, const char *kind, int fd, int must)
{
	int own = !strcmp(kind, "eventfd") || !strcmp(kind, "timerfd") || !strcmp(kind, "epoll") ||
		  !strcmp(kind, "inotify") || !strcmp(kind, "signalfd") || !strcmp(kind, "pidfd");
	struct stat st;

	if (fstat(fd, &st))
		exit(2);
	return wait_add(call, kind, own ? 0 : st.st_ino, own ? 0 : major(st.st_dev) << 20 | minor(st.st_dev), must);
}

static void read_on(const char *kind, int fd)
{
	struct entry *e = on("read", kind, fd, 1);

	made(read(fd, buffer, sizeof(struct signalfd_siginfo)));
	wait_end(e);
}

static void sleeps(void)
{
	struct timespec t = { 0, 1000000 };
	sigset_t none;
	struct entry *e;

	nap(1);
	e = wait_add(POLL, "", 0, 0, 0);
	poll(NULL, 0, 1);
	wait_end(e);
	e = wait_add("ppoll", "", 0, 0, 0);
	ppoll(NULL, 0, &t, NULL);
	wait_end(e);
	e = wait_add(SELECT, "", 0, 0, 0);
	select(0, NULL, NULL, NULL, &(struct timeval){ 0, 1000 });
	wait_end(e);
	sigemptyset(&none);
	sigaddset(&none, SIGUSR2);
	e = wait_add("rt_sigtimedwait", "", 0, 0, 0);
	sigtimedwait(&none, NULL, &t);
	wait_end(e);
	e = wait_add("futex", "word", (unsigned long)buffer, 4, 0);
	syscall(SYS_futex, buffer, FUTEX_WAIT_PRIVATE, *(int *)buffer, &t, NULL, 0);
	wait_end(e);
}

static void pipes(void)
{
	int fd[2], i;
	struct entry *e;

	made(pipe(fd));
	later(poke, fd[1]);
	read_on("pipe", fd[0]);
	fcntl(fd[1], F_SETPIPE_SZ, 4096);
	for (i = 0; i < 4096 / 8; i++)
		poke(fd[1]);
	later(drain, fd[0]);
	e = on("write", "pipe", fd[1], 1);
	poke(fd[1]);
	wait_end(e);
	close(fd[0]);
	close(fd[1]);
}

static void unix_sockets(void)
{
	struct msghdr message = { .msg_iov = &(struct iovec){ buffer, 8 }, .msg_iovlen = 1 };
	int fd[2];
	struct entry *e;

	made(socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	later(poke, fd[1]);
	e = on("recvfrom", "unix", fd[0], 1);
	made(recv(fd[0], buffer, 8, 0));
	wait_end(e);
	later(poke, fd[1]);
	e = on("recvmsg", "unix", fd[0], 1);
	made(recvmsg(fd[0], &message, 0));
	wait_end(e);
	later(poke, fd[1]);
	read_on("unix", fd[0]);
	close(fd[0]);
	close(fd[1]);
}

static struct sockaddr_storage address;
static socklen_t address_bytes;
static int connected;

static void connect_to(long family)
{
	connected = made(socket(family, SOCK_STREAM, 0));
	made(connect(connected, (struct sockaddr *)&address, address_bytes));
}

static void tcp(int family)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	const char *kind = family == AF_INET ? "inet" : "inet6";
	int server = socket(family, SOCK_STREAM, 0), fd;
	struct entry *e;

	if (server < 0 || bind(server, family == AF_INET ? (struct sockaddr *)&in : (struct sockaddr *)&in6,
			       family == AF_INET ? sizeof(in) : sizeof(in6))) {
		printf("none %s\n", kind);
		close(server);
		return;
	}
	address_bytes = sizeof(address);
	getsockname(server, (struct sockaddr *)&address, &address_bytes);
	made(listen(server, 5));
	later(connect_to, family);
	e = on("accept", kind, server, 1);
	fd = made(accept(server, NULL, NULL));
	wait_end(e);
	while (!__atomic_load_n(&connected, __ATOMIC_ACQUIRE))
		;
	later(poke, connected);
	e = on("recvfrom", kind, fd, 1);
	made(recv(fd, buffer, 8, 0));
	wait_end(e);
	later(poke, connected);
	read_on(kind, fd);
	close(fd);
	close(connected);
	connected = 0;
	close(server);
}

static void sockets(void)
{
	tcp(AF_INET);
	tcp(AF_INET6);
}

static void anonymous(void)
{
	int event = made(eventfd(0, 0)), timer = made(timerfd_create(CLOCK_MONOTONIC, 0)), queue = made(epoll_create1(0)), fd;
	struct itimerspec in = { .it_value = { 0, 1000000 } };
	struct epoll_event ev = { .events = EPOLLIN };
	struct entry *e;
	sigset_t set;

	later(poke, event);
	read_on("eventfd", event);
	timerfd_settime(timer, 0, &in, NULL);
	e = on("read", "timerfd", timer, 0);
	made(read(timer, buffer, 8));
	wait_end(e);
	epoll_ctl(queue, EPOLL_CTL_ADD, event, &ev);
	e = on(EPOLL, "epoll", queue, 0);
	epoll_wait(queue, &ev, 1, 1);
	wait_end(e);
	later(poke, event);
	e = on(EPOLL, "epoll", queue, 1);
	epoll_wait(queue, &ev, 1, -1);
	wait_end(e);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	fd = made(signalfd(-1, &set, 0));
	later(signal_main, SIGUSR1);
	read_on("signalfd", fd);
	close(fd);
	close(queue);
	close(timer);
	close(event);
}

static int watched;

static void touch(long arg)
{
	close(made(openat(watched, "touched", O_CREAT | O_WRONLY, 0600)));
	unlinkat(watched, "touched", 0);
	(void)arg;
}

static void watch(void)
{
	int fd = made(inotify_init1(0));

	watched = made(open(".", O_RDONLY | O_DIRECTORY));
	made(inotify_add_watch(fd, ".", IN_CREATE));
	later(touch, 0);
	struct entry *e = on("read", "inotify", fd, 1);

	made(read(fd, buffer, 4096));
	wait_end(e);
	close(fd);
	close(watched);
}

/* Reads and writes a file so that a disk has to work, if there is one. */
static void disk(void)
{
	int fd = made(open("waits.data", O_CREAT | O_RDWR | O_TRUNC, 0600)), direct;
	struct entry *e;
	char *map;
	long i;

	e = on("write", "file", fd, 0);
	made(write(fd, buffer, sizeof(buffer)));
	wait_end(e);
	e = on("fsync", "file", fd, 0);
	made(fsync(fd));
	wait_end(e);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	for (i = 0; i < 4; i++) {
		e = on("pread64", "file", fd, 0);
		made(pread(fd, buffer, 4096, i * (FILE_BYTES / 4)));
		wait_end(e);
	}
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	map = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	madvise(map, FILE_BYTES, MADV_RANDOM);
	for (i = 0; i < 4; i++) {
		e = wait_add("exception", "", 0, 0, 0);
		*(volatile char *)(map + i * (FILE_BYTES / 4));
		wait_end(e);
	}
	munmap(map, FILE_BYTES);
	direct = open("waits.data", O_RDWR | O_DIRECT);
	if (direct >= 0) {
		e = on("pwrite64", "file", direct, 0);
		made(pwrite(direct, buffer, 65536, 0));
		wait_end(e);
		e = on("pread64", "file", direct, 0);
		made(pread(direct, buffer, 65536, 0));
		wait_end(e);
		e = on("fdatasync", "file", direct, 0);
		fdatasync(direct);
		wait_end(e);
		close(direct);
	}
	close(fd);
	unlink("waits.data");
}

static pid_t child(void)
{
	pid_t pid = made(fork());

	if (!pid) {
		nap(20);
		_exit(0);
	}
	return pid;
}

static void children(void)
{
	pid_t pid = child();
	struct timespec t = { 0, 2000000 };
	struct entry *e = wait_add("wait4", "child", pid, 0, 0);
	int fd;

	waitpid(pid, NULL, 0);
	wait_end(e);
	pid = child();
	e = wait_add("waitid", "child", pid, 0, 0);
	waitid(P_PID, pid, NULL, WEXITED);
	wait_end(e);
	pid = child();
	e = wait_add("wait4", "", 0, 0, 0);
	waitpid(-1, NULL, 0);
	wait_end(e);
	pid = child();
	fd = syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0) {
		e = on("waitid", "pidfd", fd, 0);
		waitid(P_PIDFD, fd, NULL, WEXITED);
		wait_end(e);
		close(fd);
	} else {
		waitpid(pid, NULL, 0);
	}
	e = wait_add(VFORK, "", 0, 0, 0);
	pid = vfork();
	if (!pid) {
		syscall(SYS_nanosleep, &t, NULL);
		_exit(0);
	}
	wait_end(e);
	waitpid(pid, NULL, 0);
}

static int ipc;

static void send_message(long arg)
{
	struct { long type; char text[8]; } message = { 1, "hello" };

	msgsnd(ipc, &message, sizeof(message.text), 0);
	(void)arg;
}

static void post(long arg)
{
	semop(ipc, &(struct sembuf){ 0, 1, 0 }, 1);
	(void)arg;
}

static void sysv(void)
{
	struct { long type; char text[8]; } message;
	struct entry *e;

	ipc = msgget(IPC_PRIVATE, 0600);
	later(send_message, 0);
	e = wait_add("msgrcv", "", 0, 0, 1);
	msgrcv(ipc, &message, sizeof(message.text), 0, 0);
	wait_end(e);
	msgctl(ipc, IPC_RMID, NULL);
	ipc = semget(IPC_PRIVATE, 1, 0600);
	later(post, 0);
	e = wait_add("semop", "", 0, 0, 1);
	semop(ipc, &(struct sembuf){ 0, -1, 0 }, 1);
	wait_end(e);
	semctl(ipc, 0, IPC_RMID);
}

static void unlock(long fd)
{
	flock(fd, LOCK_UN);
}

static void file_locks(void)
{
	int held = made(open("waits.lock", O_CREAT | O_RDWR, 0600)), fd = made(open("waits.lock", O_RDWR));
	struct entry *e;

	flock(held, LOCK_EX);
	later(unlock, held);
	e = on("flock", "file", fd, 1);
	flock(fd, LOCK_EX);
	wait_end(e);
	close(fd);
	close(held);
	unlink("waits.lock");
}

static const struct {
	const char *name;
	void (*run)(void);
} steps[] = {
	{ "sleeps", sleeps }, { "pipes", pipes }, { "unix", unix_sockets }, { "sockets", sockets }, { "anonymous", anonymous },
	{ "watch", watch }, { "disk", disk }, { "children", children }, { "sysv", sysv }, { "locks", file_locks },
};

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	pthread_t helper;
	sigset_t blocked;
	unsigned int i;

	waitlog_open();
	main_tid = gettid();
	memset(buffer, 1, sizeof(buffer));
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	pthread_create(&helper, NULL, help, NULL);
	while (rounds-- > 0)
		for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
			if (wanted(argc, argv, steps[i].name))
				steps[i].run();
	return waitlog_print();
}
