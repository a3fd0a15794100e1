/* SPDX-License-Identifier: GPL-2.0-only */
/* The options --strict and --lenient of the commands that read a trace. */
#ifndef FXT_STRICT_OPTION_H
#define FXT_STRICT_OPTION_H

#define FXT_STRICT_KEY	0x1010
#define FXT_LENIENT_KEY	'l'

/* Their rows of a command's options. */
#define FXT_STRICT_OPTION(group)							\
	{ "strict", FXT_STRICT_KEY, NULL, 0, "Fail at the first thing in an input that isn't understood",	\
	  group },									\
	{ "lenient", FXT_LENIENT_KEY, NULL, 0, "Keep what is understood of an input, and say what is passed "	\
	  "over (the default)", group }

#endif
