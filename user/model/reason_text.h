/* SPDX-License-Identifier: GPL-2.0-only */
/* The reason of a sleep as a text, for formats without fields for it: "0x10000 pipe=4711 holder=12". */
#ifndef FXT_MODEL_REASON_TEXT_H
#define FXT_MODEL_REASON_TEXT_H

#include "model/sched_view.h"

/* Most bytes of such a text, with its end. */
#define FXT_REASON_TEXT_BYTES	160u

/* Writes a reason that was recorded.  Returns the text's length. */
size_t fxt_reason_text(char text[FXT_REASON_TEXT_BYTES], const struct fxt_sleep_reason *reason);

/* Parses such a text; false, and no reason, for any other text. */
bool fxt_reason_parse(struct fxt_sleep_reason *reason, const char *text, size_t length);

#endif
