// SPDX-License-Identifier: GPL-2.0-only
/* Inputs that are read at any offset: temporary files are allowed for all of their bytes. */
#include <stdlib.h>
#include <unistd.h>

#include "convert/in_file.h"
#include "unit.h"

#define BYTES	(4u << 20)

static void allows_for_all(void **state)
{
	char path[] = "/tmp/fxtrec-in-XXXXXX";
	struct fxt_spool spool = { 0 };
	struct fxt_in in;
	bool copied = true;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	close(fd);
	assert_int_equal(fxt_in_open(&in, path), 0);
	in.spool = &spool;
	assert_int_equal(fxt_in_seekable(&in, &spool, &copied), in.fd);
	assert_false(copied);
	assert_true(spool.max >= (__u64)FXT_IN_SPOOL_RATIO * BYTES);
	fxt_in_close(&in);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allows_for_all),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("in_file", tests, NULL, NULL);
}
