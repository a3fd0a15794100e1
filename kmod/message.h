/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages: lines of the kernel's log, and marks written to the device. */
#ifndef FXT_KMOD_MESSAGE_H
#define FXT_KMOD_MESSAGE_H

#include <linux/types.h>

int fxt_message_register(void);
void fxt_message_unregister(void);

/* Records a mark of the current thread.  The recording must be armed or running, and fxt_recording_lock held. */
void fxt_message_mark(char *text, size_t bytes);

#endif
