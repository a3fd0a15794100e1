/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets that say nothing to other formats. */
#ifndef FXT_READ_PERFETTO_KINDS_H
#define FXT_READ_PERFETTO_KINDS_H

#include "notes.h"
#include "perfetto.h"

/* Counts what a packet holds that no part of the reader takes. */
void fxt_pf_kinds_note(struct fxt_notes *notes, const Pf__TracePacket *packet);

#endif
