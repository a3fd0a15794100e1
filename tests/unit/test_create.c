// SPDX-License-Identifier: GPL-2.0-only
/* Creating a file while another user exchanges it, or its folder. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/create.h"
#include "unit.h"

#define CALLS	50000
#define NOBODY	65534

/* Two names, which a thread exchanges until it is to stop. */
struct exchange {
	const char *ours, *theirs;
	int stop;
	pthread_t thread;
};

static void *exchange(void *arg)
{
	struct exchange *e = arg;

	while (!__atomic_load_n(&e->stop, __ATOMIC_RELAXED))
		renameat2(AT_FDCWD, e->ours, AT_FDCWD, e->theirs, RENAME_EXCHANGE);
	return NULL;
}

static bool is_created(const char *path)
{
	int fd = fxt_create(path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns whether a link is refused; a path that isn't refused isn't a link. */
static bool is_refused(const char *path)
{
	char *target;
	int err = fxt_create_target(path, &target);

	assert_null(target);
	return err == -ELOOP;
}

/* Returns for how many of the calls is() holds, while the names are exchanged. */
static unsigned int counted(struct exchange *e, const char *path, bool (*is)(const char *path))
{
	unsigned int i, count = 0;

	e->stop = 0;
	assert_int_equal(pthread_create(&e->thread, NULL, exchange, e), 0);
	for (i = 0; i < CALLS; i++)
		count += is(path);
	__atomic_store_n(&e->stop, 1, __ATOMIC_RELAXED);
	pthread_join(e->thread, NULL);
	return count;
}

static int enter(void **state)
{
	static char place[] = "/tmp/fxtrec-create-XXXXXX";

	*state = mkdtemp(place);
	return !*state || chdir(*state);
}

static int leave(void **state)
{
	return chdir("/") || rmdir(*state);
}

/* The target of the link in the other user's folder stays unchanged, whichever folder was checked. */
static void folders(void **state)
{
	struct exchange e = { "folder", "theirs", 0, 0 };
	struct stat st;
	int fd = creat("victim", 0600);

	(void)state;
	assert_int_equal(write(fd, "kept", 4), 4);
	close(fd);
	assert_int_equal(mkdir("safe", 0755) | mkdir("theirs", 0777) | chmod("theirs", 0777), 0);
	assert_int_equal(symlink("../victim", "theirs/trace.fxt") | symlink("safe", "folder"), 0);
	assert_in_range(counted(&e, "folder/trace.fxt", is_created), CALLS / 100, CALLS - CALLS / 100);
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_in_range(counted(&e, "folder/trace.fxt", is_refused), CALLS / 100, CALLS - CALLS / 100);
	unlink("theirs/trace.fxt");
	unlink("folder/trace.fxt");
	unlink("safe/trace.fxt");
	rmdir("theirs");
	rmdir("folder");
	unlink("theirs");
	unlink("folder");
	rmdir("safe");
	unlink("victim");
}

/*
 * A link of another user before the last component isn't followed, wherever it is; links of root and of this user are.
 */
static void links(void **state)
{
	struct exchange e = { "way", "link", 0, 0 };
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(mkdir("victim", 0755) | mkdir("theirs", 0755) | mkdir("way", 0755), 0);
	close(creat("victim/trace.fxt", 0600));
	fd = open("victim/trace.fxt", O_WRONLY);
	assert_int_equal(write(fd, "kept", 4), 4);
	close(fd);
	assert_int_equal(symlink("../victim", "theirs/link") | lchown("theirs/link", NOBODY, NOBODY), 0);
	assert_int_equal(symlink("theirs", "ours") | symlink("victim", "link") | lchown("link", NOBODY, NOBODY), 0);
	assert_int_equal(fxt_create("theirs/link/trace.fxt"), -ELOOP);
	assert_int_equal(fxt_create("ours/link/trace.fxt"), -ELOOP);
	assert_int_equal(fxt_create("ours/../theirs/link/new.fxt"), -ELOOP);
	assert_int_equal(fxt_create_new("theirs/link/new.fxt"), -ELOOP);
	assert_true(is_refused("theirs/link/trace.fxt"));
	assert_in_range(counted(&e, "way/trace.fxt", is_created), CALLS / 100, CALLS - CALLS / 100);
	assert_int_equal(stat("victim/trace.fxt", &st) || st.st_size != 4, 0);
	assert_int_equal(lchown("theirs/link", getuid(), getgid()), 0);
	fd = fxt_create("ours/link/trace.fxt");
	assert_in_range(fd, 0, 1000);
	close(fd);
	assert_int_equal(stat("victim/trace.fxt", &st) || st.st_size, 0);
	/* Each of the two names is the folder or the link to victim. */
	unlink("way/trace.fxt");
	unlink("link/trace.fxt");
	remove("way");
	remove("link");
	unlink("ours");
	unlink("theirs/link");
	rmdir("theirs");
	unlink("victim/trace.fxt");
	assert_int_equal(rmdir("victim"), 0);
}

/* Another user's pipe: opening it would block until it is read. */
static void pipes(void **state)
{
	struct exchange e = { "shared/trace.fxt", "shared/pipe", 0, 0 };
	int fd;

	(void)state;
	alarm(120);
	assert_int_equal(mkdir("shared", 0777) | chmod("shared", 0777), 0);
	assert_int_equal(mkfifo("shared/pipe", 0666) | chown("shared/pipe", NOBODY, NOBODY), 0);
	close(creat("shared/trace.fxt", 0600));
	assert_in_range(counted(&e, "shared/trace.fxt", is_created), CALLS / 100, CALLS - CALLS / 100);
	/* An own pipe, linked from elsewhere. */
	assert_int_equal(mkfifo("own", 0600) | link("own", "shared/linked"), 0);
	assert_int_equal(fxt_create("shared/linked"), -EEXIST);
	/* Nor in a folder that only its owner can write to; but the owner's file is accepted. */
	assert_int_equal(chmod("shared", 0755) | chown("shared", NOBODY, NOBODY), 0);
	assert_int_equal(unlink("shared/pipe") | unlink("shared/trace.fxt"), 0);
	assert_int_equal(mkfifo("shared/pipe", 0666) | chown("shared/pipe", NOBODY, NOBODY), 0);
	assert_int_equal(fxt_create("shared/pipe"), -EEXIST);
	close(creat("shared/trace.fxt", 0600));
	assert_int_equal(chown("shared/trace.fxt", NOBODY, NOBODY), 0);
	fd = fxt_create("shared/trace.fxt");
	assert_in_range(fd, 0, 1000);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	close(fd);
	/* With a lease of its owner: the kernel would wait for it for 45 s. */
	fd = open("shared/trace.fxt", O_RDONLY);
	signal(SIGIO, SIG_IGN);
	assert_int_equal(fcntl(fd, F_SETLEASE, F_WRLCK), 0);
	assert_int_equal(fxt_create("shared/trace.fxt"), -EWOULDBLOCK);
	close(fd);
	unlink("own");
	unlink("shared/linked");
	unlink("shared/trace.fxt");
	unlink("shared/pipe");
	rmdir("shared");
}

/* A slash after the name doesn't make a directory look like a missing file. */
static void directories(void **state)
{
	(void)state;
	assert_int_equal(mkdir("directory", 0755), 0);
	close(creat("directory/file", 0600));
	assert_int_equal(fxt_create("directory"), -EISDIR);
	assert_int_equal(fxt_create("directory/"), -EISDIR);
	assert_int_equal(fxt_create("directory//"), -EISDIR);
	assert_int_equal(fxt_create("/"), -EISDIR);
	assert_int_equal(fxt_create("directory/file/"), -ENOTDIR);
	assert_int_equal(fxt_create("missing/"), -ENOENT);
	unlink("directory/file");
	rmdir("directory");
}

/* A file that is being written isn't emptied; a new one replaces no file. */
static void taken(void **state)
{
	int fd = fxt_create("taken.fxt");
	struct stat st;

	(void)state;
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(fxt_create("taken.fxt"), -EBUSY);
	assert_int_equal(fxt_create_new("taken.fxt"), -EEXIST);
	assert_int_equal(fstat(fd, &st) | (st.st_size != 1), 0);
	close(fd);
	assert_int_equal(fxt_create_new("taken.fxt"), -EEXIST);
	fd = fxt_create("taken.fxt");
	assert_int_equal(fstat(fd, &st) | st.st_size, 0);
	close(fd);
	assert_int_equal(unlink("taken.fxt"), 0);
	fd = fxt_create_new("taken.fxt");
	assert_in_range(fd, 0, 1000);
	close(fd);
	unlink("taken.fxt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders),
		cmocka_unit_test(directories),
		cmocka_unit_test(taken),
	};
	const struct CMUnitTest of_root[] = {
		cmocka_unit_test(folders), cmocka_unit_test(links),
		cmocka_unit_test(directories),
		cmocka_unit_test(taken),
		cmocka_unit_test(pipes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	/* cmocka's TAP calls a test that is skipped "not ok". */
	if (geteuid()) {
		print_message("# without links and pipes: only root can make files of another user\n");
		return cmocka_run_group_tests_name("create", tests, enter, leave);
	}
	return cmocka_run_group_tests_name("create", of_root, enter, leave);
}
