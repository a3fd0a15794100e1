// SPDX-License-Identifier: GPL-2.0-only
/* Replaces all other files of this folder where json-c is not installed: there is no server. */
#include "mcp/mcp.h"
#include "util/report.h"

int fxt_mcp_run(const struct fxt_mcp *mcp)
{
	(void)mcp;
	return fxt_report("built without json-c: install libjson-c-dev and build again");
}
