/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of the kernel's tracepoints, as libtraceevent describes them. */
#ifndef FXT_UTIL_TEP_FIELD_H
#define FXT_UTIL_TEP_FIELD_H

#include <traceevent/event-parse.h>

/* What kind of argument a field becomes: FXTREC_FIELD_*; -1: none.  Pointers never are. */
int fxt_tep_field_kind(const struct tep_format_field *f);

#endif
