/* SPDX-License-Identifier: GPL-2.0-only */
/* Computes the largest size of a record in a file of FXT. */
#ifndef FXT_STAGES_ROOM_H
#define FXT_STAGES_ROOM_H

#include "codec/record.h"

/* Returns the largest size in bytes: with a string record for each of its texts, and the section that it may start. */
__u64 fxt_room(const struct fxt_record *r);

#endif
