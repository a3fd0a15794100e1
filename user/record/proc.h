/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads as /proc shows them, for those that a source's listing leaves out. */
#ifndef FXT_PROC_H
#define FXT_PROC_H

#include <stdio.h>

#include "clock.h"
#include "names.h"

/*
 * Writes records for every thread in /proc that this round has not listed, on that clock;
 * none where this process's thread ids are not the kernel's.
 */
void fxt_proc_describe(FILE *records, const struct fxt_names *names, enum fxt_linux_clock clock);

#endif
