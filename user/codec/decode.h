/* SPDX-License-Identifier: GPL-2.0-only */
/* Decodes the fields of each kind of record. */
#ifndef FXT_CODEC_DECODE_H
#define FXT_CODEC_DECODE_H

#include "codec/cursor.h"

/* Reads a record of r->kind from behind its header; c->fault is set where it is malformed. */
void fxt_decode(struct fxt_cursor *c, struct fxt_record *r);

#endif
