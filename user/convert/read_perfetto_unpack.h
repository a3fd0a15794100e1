/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets that were compressed into one. */
#ifndef FXT_READ_PERFETTO_UNPACK_H
#define FXT_READ_PERFETTO_UNPACK_H

#include "read_perfetto.h"

/* Unpacks them to g->unpacked; 0, -EBADMSG with the error set, -ENOMEM. */
int fxt_pf_unpack(struct fxt_pf_reading *g, const Pf__TracePacket *packet, size_t *bytes);

#endif
