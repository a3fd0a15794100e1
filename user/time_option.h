/* SPDX-License-Identifier: GPL-2.0-only */
/* The option --time of the commands that read a trace. */
#ifndef FXT_TIME_OPTION_H
#define FXT_TIME_OPTION_H

#include <argp.h>

#include "util/window.h"

#define FXT_TIME_KEY	0x1000

/* Its row of a command's options. */
#define FXT_TIME_OPTION(what)								\
	{ "time", FXT_TIME_KEY, "FROM,TO", 0, what " from FROM on and before TO: a time from the "	\
	  "trace's start (1.5, 200ms), or before its end (-1s), or nanoseconds of its clock "	\
	  "(@NS), or nothing: all on that side", 0 }

/* Its argument; exits as argp_error() where it is wrong. */
void fxt_time_option(struct fxt_window *window, const char *arg, const struct argp_state *state);

#endif
