/* SPDX-License-Identifier: GPL-2.0-only */
/* Losses of the CPUs' scheduling events by damage of a file. */
#ifndef FXT_CONVERT_FXT_DAMAGE_H
#define FXT_CONVERT_FXT_DAMAGE_H

#include "formats/fxt/read.h"

/*
 * Puts a loss, as a CPU's events continue at ns: the events between the two sides of the last damage aren't known.
 * Returns an error of fxt_reading_put().
 */
int fxt_file_damage_tell(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 ns);

/*
 * Puts the losses up to the file's last event, of all CPUs without events after the last damage; of a CPU without any
 * events, the whole time is lost.
 */
int fxt_file_damages_end(struct fxt_file_reader *rd);

#endif
