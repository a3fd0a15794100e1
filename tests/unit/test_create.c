// SPDX-License-Identifier: GPL-2.0-only
/* A file to write, in a folder that somebody exchanges for one of his own meanwhile. */
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "create.h"
#include "unit.h"

#define CALLS 50000

static int stop;

static void *exchange(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		renameat2(AT_FDCWD, "folder", AT_FDCWD, "his", RENAME_EXCHANGE);
	return NULL;
}

/* What the link in his own folder leads to stays as it is, whichever folder was looked at. */
static void exchanged(void **state)
{
	char place[] = "/tmp/fxtrec-create-XXXXXX";
	unsigned int i, opened = 0;
	struct stat st;
	pthread_t other;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(place));
	assert_int_equal(chdir(place), 0);
	fd = creat("victim", 0600);
	assert_int_equal(write(fd, "kept", 4), 4);
	close(fd);
	assert_int_equal(mkdir("safe", 0755) | mkdir("his", 0777) | chmod("his", 0777), 0);
	assert_int_equal(symlink("../victim", "his/trace.fxt") | symlink("safe", "folder"), 0);
	assert_int_equal(pthread_create(&other, NULL, exchange, NULL), 0);
	for (i = 0; i < CALLS; i++) {
		fd = fxt_create("folder/trace.fxt");
		opened += fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(other, NULL);
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_in_range(opened, CALLS / 100, CALLS - CALLS / 100);
	unlink("his/trace.fxt");
	unlink("folder/trace.fxt");
	unlink("safe/trace.fxt");
	rmdir("his");
	rmdir("folder");
	unlink("his");
	unlink("folder");
	rmdir("safe");
	unlink("victim");
	assert_int_equal(chdir("/") | rmdir(place), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanged),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("create", tests, NULL, NULL);
}
