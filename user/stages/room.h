/* SPDX-License-Identifier: GPL-2.0-only */
/* How large a record can become in a file of FXT. */
#ifndef FXT_STAGES_ROOM_H
#define FXT_STAGES_ROOM_H

#include "codec/record.h"

/* At most so many bytes: with a string record for each of its texts, and the section that it may begin. */
__u64 fxt_room(const struct fxt_record *r);

#endif
