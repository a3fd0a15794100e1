/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Decodes a file's records in order, without input and output. */
#ifndef FXT_CODEC_DECODER_H
#define FXT_CODEC_DECODER_H

#include "codec/provider.h"
#include "codec/record.h"

struct fxt_decoder {
	struct fxt_providers providers;
	struct fxt_provider *provider;	/* provider of the following records */
};

void fxt_decoder_init(struct fxt_decoder *decoder);
void fxt_decoder_uninit(struct fxt_decoder *decoder);

/*
 * Decodes the record of a frame, in the file's order.  Returns 0 for a record of any kind but
 * MALFORMED; -EBADMSG for a MALFORMED record with its fault, which changes nothing: the next record
 * can be read; -ENOMEM, or -E2BIG beyond the limits of provider.h: later records can't be decoded.
 */
int fxt_decoder_read(struct fxt_decoder *decoder, const struct fxt_frame *frame,
		     struct fxt_record *r);

#endif
