/* SPDX-License-Identifier: GPL-2.0-only */
/* The probe for stacks of threads that go to sleep. */
#ifndef FXT_KMOD_STACK_H
#define FXT_KMOD_STACK_H

#include <linux/types.h>

/* Sets the states, as bits of enum fxt_linux_state, while no probe runs. */
void fxt_stack_choose(u32 states);

#endif
