// SPDX-License-Identifier: GPL-2.0-only
/* Writes the reason of a thread's sleep in words. */
#include <stdio.h>

#include "analyze/machine/sleep.h"

const char *fxt_sleep_write(const struct fxt_machine *m, char *text, size_t room, const struct fxt_sleep_reason *reason,
			    const struct fxt_task *holder)
{
	char call[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const char *name = fxt_wait_call(&m->calls, reason, call);

	fxt_wait_object(object, reason);
	if (holder && reason->bits & FXT_REASON_JOIN)
		snprintf(text, room, "end of %s:%llu", holder->name, holder->tid);
	else if (reason->kind == FXT_ON_FUTEX)
		snprintf(text, room, "%s", object);
	else
		snprintf(text, room, "%s%s%s", *name ? name : "unknown call", *object ? " of " : "", object);
	return text;
}
