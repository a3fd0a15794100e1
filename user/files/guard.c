// SPDX-License-Identifier: GPL-2.0-only
/* Removes a file that a signal would leave in place. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "files/guard.h"

static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

#define SIGNALS	(sizeof(signals) / sizeof(*signals))

static struct sigaction before[SIGNALS];
static const char *volatile guarded;
static volatile int folder_of;

/* Removes the file, restores the signal's former handler, and raises the signal again. */
static void ended(int number)
{
	const char *name = guarded;
	size_t i;

	if (name)
		unlinkat(folder_of, name, 0);
	for (i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			sigaction(number, &before[i], NULL);
	raise(number);
}

void fxt_guard(int folder, const char *name)
{
	struct sigaction action = { .sa_handler = ended };
	size_t i;

	folder_of = folder;
	guarded = name;
	for (i = 0; i < SIGNALS; i++)
		if (!sigaction(signals[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

void fxt_unguard(void)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &before[i], NULL);
	guarded = NULL;
}
