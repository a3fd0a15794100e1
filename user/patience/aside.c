// SPDX-License-Identifier: GPL-2.0-only
/* Runs functions that may wait for ever in threads of their own. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "patience/aside.h"

struct fxt_aside {
	struct fxt_aside *next;
	pthread_t thread;
	void (*run)(void *arg);
	void *arg;
	bool done;		/* atomic */
};

static void *run(void *arg)
{
	struct fxt_aside *aside = arg;

	aside->run(aside->arg);
	/* Publishes the effects of run() before done; pairs with the load-acquire in fxt_aside_done(). */
	__atomic_store_n(&aside->done, true, __ATOMIC_RELEASE);
	return NULL;
}

int fxt_aside_add(struct fxt_aside **list, void (*what)(void *arg), void *arg)
{
	struct fxt_aside *aside = malloc(sizeof(*aside));
	int err;

	if (!aside)
		return -ENOMEM;
	*aside = (struct fxt_aside){ .next = *list, .run = what, .arg = arg };
	err = pthread_create(&aside->thread, NULL, run, aside);
	if (err)
		free(aside);
	else
		*list = aside;
	return -err;
}

bool fxt_aside_done(const struct fxt_aside *list)
{
	for (; list; list = list->next)
		if (!__atomic_load_n(&list->done, __ATOMIC_ACQUIRE))
			return false;
	return true;
}

/* Detaches the threads that still run; each keeps its memory. */
static int give_up(struct fxt_aside **list)
{
	struct fxt_aside *aside;

	for (aside = *list; aside; aside = aside->next)
		pthread_detach(aside->thread);
	*list = NULL;
	return -ECANCELED;
}

int fxt_aside_end(struct fxt_aside **list, const struct fxt_patience *patience)
{
	const struct timespec period = { .tv_nsec = FXT_PATIENCE_NS };
	struct fxt_aside *aside;

	while (!fxt_aside_done(*list)) {
		if (fxt_patience_over(patience))
			return give_up(list);
		nanosleep(&period, NULL);
	}
	while ((aside = *list)) {
		*list = aside->next;
		pthread_join(aside->thread, NULL);
		free(aside);
	}
	return 0;
}
