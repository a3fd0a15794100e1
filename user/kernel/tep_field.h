/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of the kernel's tracepoints, as libtraceevent describes them. */
#ifndef FXT_UTIL_TEP_FIELD_H
#define FXT_UTIL_TEP_FIELD_H

#include <traceevent/event-parse.h>

/* Returns the kind of argument that a field becomes, FXTREC_FIELD_*; -1: the field can't be one, as a pointer. */
int fxt_tep_field_kind(const struct tep_format_field *f);

#endif
