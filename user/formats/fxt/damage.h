/* SPDX-License-Identifier: GPL-2.0-only */
/* What damage of a file hides: losses of the CPUs' scheduling events. */
#ifndef FXT_CONVERT_FXT_DAMAGE_H
#define FXT_CONVERT_FXT_DAMAGE_H

#include "formats/fxt/read.h"

/*
 * A CPU's events go on at ns: what came between the last damage's two sides isn't known.  What
 * fxt_sorter_put() fails with.
 */
int fxt_file_damage_tell(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 ns);

/* Up to the file's last event, the CPUs' events that damage has ended aren't known; of those without any, none is. */
int fxt_file_damages_end(struct fxt_file_reader *rd);

#endif
