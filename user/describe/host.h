/* SPDX-License-Identifier: GPL-2.0-only */
/* Describes the machine, its processors, and the recorder's command line. */
#ifndef FXT_DESCRIBE_HOST_H
#define FXT_DESCRIBE_HOST_H

#include <stdio.h>

#include "source/source.h"

/* Writes instant events of the tool: "host", and "processor" for each CPU. */
void fxt_host_put(FILE *f, const struct fxt_source *source);

#endif
