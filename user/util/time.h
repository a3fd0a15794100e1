/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of time. */
#ifndef FXT_UTIL_TIME_H
#define FXT_UTIL_TIME_H

#define SECOND_NS	1000000000ULL

#endif
