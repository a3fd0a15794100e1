/* SPDX-License-Identifier: GPL-2.0-only */
/* Packets that say nothing to other formats. */
#ifndef FXT_CONVERT_PERFETTO_READ_KINDS_H
#define FXT_CONVERT_PERFETTO_READ_KINDS_H

#include "convert/notes.h"
#include "convert/perfetto/perfetto.h"

/* Counts what a packet holds that no part of the reader takes. */
void fxt_pf_kinds_note(struct fxt_notes *notes, const Pf__TracePacket *packet);

#endif
