/* SPDX-License-Identifier: GPL-2.0-only */
/* Locks memory maps where the kernel's scheduler runs. */
#ifndef FXT_KMOD_MEMORY_H
#define FXT_KMOD_MEMORY_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* Initializes before any probe runs.  Returns 0 or -ENOMEM. */
int fxt_memory_init(void);

/* Waits until all memory maps are unlocked; no probe runs. */
void fxt_memory_uninit(void);

/*
 * Locks the current thread's memory map for reading, if that needs no wait.  Interrupts are off, and stay off until it
 * is unlocked.
 */
bool fxt_memory_trylock(struct mm_struct *mm);

/* Unlocks that memory map once interrupts are on again: unlocking may wake a thread. */
void fxt_memory_unlock(struct mm_struct *mm);

#endif
