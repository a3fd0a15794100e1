/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Decodes a file's records one after the other: no input, no output. */
#ifndef FXT_CODEC_DECODER_H
#define FXT_CODEC_DECODER_H

#include "codec/provider.h"
#include "codec/record.h"

struct fxt_decoder {
	struct fxt_providers providers;
	struct fxt_provider *provider;	/* of the records that follow */
};

void fxt_decoder_init(struct fxt_decoder *decoder);
void fxt_decoder_uninit(struct fxt_decoder *decoder);

/*
 * Decodes the record of a frame, in the file's order.  0: a record of any kind
 * but MALFORMED.  -EBADMSG: a MALFORMED one, with its fault set; it changed
 * nothing, and the next one can be read.  -ENOMEM, or -E2BIG past the limits
 * of provider.h: what follows can't be decoded.
 */
int fxt_decoder_read(struct fxt_decoder *decoder, const struct fxt_frame *frame,
		     struct fxt_record *r);

#endif
