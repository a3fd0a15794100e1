// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs, processes and threads, and the source's options from a filter of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "select/filter.h"
#include "unit.h"

static void filter_free(struct fxt_filter *f)
{
	free(f->pids);
	free(f->tids);
}

static void cpus(void **state)
{
	static const char *const wrong[] = { "", "a", "0-", "1-0", "0,,1", "0 ", "-1", "99999" };
	struct fxt_filter f = {};
	struct fxt_error error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct fxt_filter none = {};

		assert_int_equal(fxt_filter_add_cpus(&none, wrong[i], &error), -EINVAL);
		assert_string_equal(error.text, "not a list of CPUs: 0-3,5");
	}
	assert_int_equal(fxt_filter_add_cpus(&f, "0,4095", &error), -ENODEV);
	assert_string_equal(error.text, "no CPU 4095");
	memset(&f, 0, sizeof(f));
	assert_int_equal(fxt_filter_add_cpus(&f, "0,0-0", &error), 0);
	assert_int_equal(f.kernel.cpus[0], 1);
	assert_ptr_equal(fxt_filter_finish(&f), &f);
	/* CPUs alone choose no thread. */
	assert_int_equal(f.kernel.flags, FXTREC_FILTER_CPUS);
	assert_false(fxt_filter_threads(&f));
}

static void ids(void **state)
{
	static const char *const wrong[] = { "", "0", "1,", ",1", "x", "1 2", "4194304" };
	struct fxt_filter f = {};
	struct fxt_error error;
	char list[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(fxt_filter_add_tids(&f, wrong[i], &error), -EINVAL);
		assert_string_equal(error.text, *wrong[i] == 'x' ? "not a list of thread ids (1234,1240): --comm=x chooses by name" :
						"not a list of thread ids: 1234,1240");
		f.tid_count = 0;
	}
	snprintf(list, sizeof(list), "%d,4194303", getpid());
	assert_int_equal(fxt_filter_add_pids(&f, list, &error), -ESRCH);
	assert_string_equal(error.text, "no process 4194303");
	f.pid_count = 0;
	snprintf(list, sizeof(list), "%d,1", getpid());
	assert_int_equal(fxt_filter_add_pids(&f, list, &error), 0);
	assert_int_equal(f.pid_count, 2);
	assert_int_equal(f.pids[0], getpid());
	assert_ptr_equal(fxt_filter_finish(&f), &f);
	assert_int_equal(f.kernel.flags, FXTREC_FILTER_THREADS | FXTREC_FILTER_INHERIT);
	f.no_inherit = true;
	f.kernel.flags = 0;
	fxt_filter_finish(&f);
	assert_int_equal(f.kernel.flags, FXTREC_FILTER_THREADS);
	filter_free(&f);
}

static void nothing(void **state)
{
	struct fxt_filter f = {};
	struct fxt_error error;

	(void)state;
	assert_null(fxt_filter_finish(&f));
	assert_int_equal(fxt_filter_add_comm(&f, "", &error), -EINVAL);
	assert_int_equal(fxt_filter_add_cgroup(&f, "", &error), -ENOENT);
	assert_int_equal(fxt_filter_add_cgroup(&f, "/tmp", &error), -ENOENT);
	assert_null(fxt_filter_finish(&f));
	assert_int_equal(fxt_filter_add_comm(&f, "make,", &error), -EINVAL);
	assert_int_equal(fxt_filter_add_comm(&f, "make*", &error), 0);
	assert_ptr_equal(fxt_filter_finish(&f), &f);
}

/* A list of names is the same as one glob after another. */
static void names(void **state)
{
	struct fxt_filter list = {}, single = {};
	struct fxt_error error;

	(void)state;
	assert_int_equal(fxt_filter_add_comm(&list, "make,cc1*,[a-c]x", &error), 0);
	assert_int_equal(fxt_filter_add_comm(&single, "make", &error), 0);
	assert_int_equal(fxt_filter_add_comm(&single, "cc1*", &error), 0);
	assert_int_equal(fxt_filter_add_comm(&single, "[a-c]x", &error), 0);
	assert_memory_equal(&list, &single, sizeof(list));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus),
		cmocka_unit_test(ids),
		cmocka_unit_test(nothing),
		cmocka_unit_test(names),
	};

	return unit_run(tests);
}
