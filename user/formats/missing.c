// SPDX-License-Identifier: GPL-2.0-only
/* Replaces the readers and writers that only the larger executable has: cmd/larger.h. */
#include <errno.h>

#include "formats/ctf/ctf.h"
#include "formats/perfetto/format.h"
#include "formats/tracecmd/tracecmd.h"
#include "util/program.h"

static int missing(struct fxt_conversion *c, const struct fxt_in *in, const char *format)
{
	return fxt_error_set(&c->error, ENOSYS, "%s: %s is " FXT_PROGRAM_MISSING, in->name, format);
}

int fxt_pf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	return missing(c, in, "Perfetto's format");
}

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in)
{
	return missing(c, in, "trace-cmd's format");
}

int fxt_ctf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	return missing(c, in, "LTTng's format");
}

const struct fxt_format_writer fxt_writer_perfetto = { .open = NULL };
