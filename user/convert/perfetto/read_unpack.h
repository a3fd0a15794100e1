/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets that were compressed into one. */
#ifndef FXT_CONVERT_PERFETTO_READ_UNPACK_H
#define FXT_CONVERT_PERFETTO_READ_UNPACK_H

#include "convert/perfetto/read.h"

/* Unpacks them to g->unpacked; 0, -EBADMSG with the error set, -ENOMEM. */
int fxt_pf_unpack(struct fxt_pf_reading *g, const Pf__TracePacket *packet, size_t *bytes);

#endif
