/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Lists with a first and a last item, both NULL when they are empty; items have a member next. */
#ifndef FXT_UTIL_LIST_H
#define FXT_UTIL_LIST_H

/* Appends an item; its next item is NULL. */
#define fxt_list_append(first, last, item)	\
	do {					\
		if (last)			\
			(last)->next = (item);	\
		else				\
			(first) = (item);	\
		(last) = (item);		\
	} while (0)

#endif
