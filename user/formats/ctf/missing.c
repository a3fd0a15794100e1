// SPDX-License-Identifier: GPL-2.0-only
/* Replaces the reader of CTF where fxtrec was built without libbabeltrace2. */
#include <errno.h>

#include "formats/ctf/ctf.h"

int fxt_ctf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	return fxt_error_set(&c->error, ENOSYS, "%s: this fxtrec was built without libbabeltrace2: install "
			     "libbabeltrace2-dev, and build it again", in->name);
}
