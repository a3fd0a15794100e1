// SPDX-License-Identifier: GPL-2.0-only
/* The fields of the kernel's tracepoints, as libtraceevent describes them. */
#include <string.h>

#include "uapi/fxtrec.h"
#include "kernel/tep_field.h"

int fxt_tep_field_kind(const struct tep_format_field *f)
{
	int dynamic = f->flags & TEP_FIELD_IS_DYNAMIC, size = f->size;

	if (strchr(f->type, '*'))
		return -1;
	if (f->flags & TEP_FIELD_IS_STRING)
		return !dynamic ? FXTREC_FIELD_CHARS :
		       f->flags & TEP_FIELD_IS_RELATIVE ? FXTREC_FIELD_STRING_REL : FXTREC_FIELD_STRING;
	if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_POINTER) ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return -1;
	return f->flags & TEP_FIELD_IS_SIGNED ? FXTREC_FIELD_INT : FXTREC_FIELD_UINT;
}
