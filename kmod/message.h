/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages: the kernel's log, and marks that users write. */
#ifndef FXT_KMOD_MESSAGE_H
#define FXT_KMOD_MESSAGE_H

#include <linux/types.h>

int fxt_message_register(void);
void fxt_message_unregister(void);

/* A mark by the current thread; only while a recording is armed or running. */
void fxt_message_mark(char *text, size_t bytes);

#endif
