// SPDX-License-Identifier: GPL-2.0-only
/* Replaces the reader of trace.dat where fxtrec was built without libtracecmd. */
#include <errno.h>

#include "formats/tracecmd/tracecmd.h"

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in)
{
	return fxt_error_set(&c->error, ENOSYS, "%s: this fxtrec was built without libtracecmd: install "
			     "libtracecmd-dev and libtracefs-dev, and build it again", in->name);
}
