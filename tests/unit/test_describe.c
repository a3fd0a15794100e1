// SPDX-License-Identifier: GPL-2.0-only
/* Order of describing processes: the share of each user, and the rest of processes that rename themselves. */
#include <stdlib.h>

#include "describe/names.h"
#include "describe/shares.h"
#include "fxt/thread.h"
#include "unit.h"

#define OWN	7u
#define MANY	1000u

static void ask(struct fxt_shares *shares, __u32 user, __u32 pid, bool postponed)
{
	struct fxt_description *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->user = user;
	r->pid = pid;
	r->postponed = postponed;
	fxt_shares_put(shares, r);
}

/* Takes a process of a user, without returning its worker, or asserts that there is none. */
static void taken(struct fxt_shares *shares, struct fxt_description **at, __u32 user)
{
	*at = fxt_shares_take(shares);
	assert_non_null(*at);
	assert_int_equal((*at)->user, user);
}

static void returned(struct fxt_shares *shares, struct fxt_description *r)
{
	fxt_shares_return(shares, r);
	fxt_description_free(r);
}

/* A user's stuck processes occupy some workers, but neither another user's nor the recorder's own. */
static void budgets(void **state)
{
	struct fxt_shares shares = { .own_user = OWN };
	struct fxt_description *stuck[FXT_SHARE_OWN + FXT_SHARE_OTHERS], *r;
	unsigned int i, count = 0;

	(void)state;
	for (i = 0; i < MANY; i++)
		ask(&shares, 1, i, false);
	while (count < FXT_SHARE_OTHER)
		taken(&shares, &stuck[count++], 1);
	assert_false(fxt_shares_ready(&shares));
	/* Users take turns. */
	for (i = 0; i < 3; i++) {
		ask(&shares, OWN, i, false);
		ask(&shares, 2, i, false);
	}
	for (i = 0; i < 6; i++) {
		taken(&shares, &r, i % 2 ? 2 : OWN);
		assert_int_equal(r->pid, i / 2);
		returned(&shares, r);
	}
	assert_null(fxt_shares_take(&shares));
	/* All other users together. */
	for (i = 0; i < MANY; i++)
		ask(&shares, 3 + i % 6 * 10, i, false);
	while ((r = fxt_shares_take(&shares)))
		stuck[count++] = r;
	assert_int_equal(count, FXT_SHARE_OTHERS);
	for (i = 0; i < FXT_SHARE_OWN + 1; i++)
		ask(&shares, OWN, i, false);
	while ((r = fxt_shares_take(&shares))) {
		assert_int_equal(r->user, OWN);
		stuck[count++] = r;
	}
	assert_int_equal(count, FXT_SHARE_OWN + FXT_SHARE_OTHERS);
	/* A process that ends its work makes way for the next of its user. */
	returned(&shares, stuck[0]);
	taken(&shares, &stuck[0], 3);
	while (count)
		returned(&shares, stuck[--count]);
	fxt_shares_uninit(&shares);
}

/* Processes that seem to be stuck come last of their user's. */
static void postponed(void **state)
{
	struct fxt_shares shares = { .own_user = OWN };
	struct fxt_description *r;
	__u32 pid;

	(void)state;
	ask(&shares, 1, 3, true);
	ask(&shares, 1, 1, false);
	ask(&shares, 1, 2, false);
	for (pid = 1; pid <= 3; pid++) {
		taken(&shares, &r, 1);
		assert_int_equal(r->pid, pid);
		returned(&shares, r);
	}
	assert_int_equal(shares.others.count, 0);
	fxt_shares_uninit(&shares);
}

static void rename_at(struct fxt_names *names, __u32 pid, __u64 when)
{
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = {};
	struct fxt_thread_name name = { { 'a' + when % 26, 0 } };

	assert_int_equal(fxt_names_list(names, words, fxt_thread_describe(words, pid, pid, &name, when + 1, 0)), 0);
}

/* A process that renames itself all the time is described ever more rarely; a process that has a new name now and then, at once. */
static void rests(void **state)
{
	struct fxt_names names = {};
	unsigned int noisy = 0, calm = 0, second, pid;

	(void)state;
	for (second = 1000; second < 1000 + 3600; second++) {
		rename_at(&names, 5, second);
		if (second % 600 == 0)
			rename_at(&names, 6, second);
		while ((pid = fxt_names_changed(&names, second))) {
			noisy += pid == 5;
			calm += pid == 6;
		}
	}
	assert_int_equal(calm, 6);
	/* 1, 2, 4, ... 32 s, then each 64 s. */
	assert_in_range(noisy, 50, 70);
	/* The last name is described at the end. */
	rename_at(&names, 5, second);
	assert_int_equal(fxt_names_changed(&names, second), 0);
	assert_int_equal(fxt_names_changed(&names, FXT_NAMES_ALL), 5);
	assert_int_equal(fxt_names_changed(&names, FXT_NAMES_ALL), 0);
	/* Another process with its id. */
	fxt_names_ended(&names, 5);
	rename_at(&names, 5, ++second);
	assert_int_equal(fxt_names_changed(&names, second), 5);
	fxt_names_uninit(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(budgets),
		cmocka_unit_test(postponed),
		cmocka_unit_test(rests),
	};

	return unit_run(tests);
}
