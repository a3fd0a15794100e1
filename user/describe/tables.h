/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file's tables hold for events beside scheduling. */
#ifndef FXT_DESCRIBE_TABLES_H
#define FXT_DESCRIBE_TABLES_H

#include <stdio.h>

#include "source/source.h"

/* The further strings of a provider; nothing where there are no such events. */
void fxt_tables_strings(FILE *f, const struct fxt_source *source);

/* A CPU's own tracks, as threads of that process. */
void fxt_tables_tracks(FILE *f, const struct fxt_source *source, __u32 cpu, __u64 process);

#endif
