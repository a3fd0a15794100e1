/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow. */
#ifndef FXT_UTIL_ARRAY_H
#define FXT_UTIL_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Grows an array that has capacity for a power of two of elements, and is full exactly at such a count. */
static inline void *fxt_array_more_of(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : reallocarray(array, count ? 2 * count : 1, size);
}

static inline void *fxt_array_reach_of(void *array, size_t *room, size_t index, size_t size)
{
	size_t more = *room ? *room : 16;
	char *bytes;

	if (index < *room)
		return array;
	while (more <= index)
		more *= 2;
	bytes = reallocarray(array, more, size);
	if (!bytes)
		return NULL;
	memset(bytes + *room * size, 0, (more - *room) * size);
	*room = more;
	return bytes;
}

/*
 * Makes capacity for one more element after the count elements of an array that grew by this macro alone (NULL: no
 * elements yet).  0, or -ENOMEM, which leaves the array unchanged.  A count that rises and falls reallocates more often
 * than with fxt_array_reach().
 */
#define fxt_array_more(array, count) ({ \
	__auto_type of_ = &(array); \
	void *more_ = fxt_array_more_of(*of_, (count), sizeof(**of_)); \
	if (more_) \
		*of_ = more_; \
	more_ ? 0 : -ENOMEM; \
})

/*
 * Makes capacity for the element of an index; room, of type size_t, is the array's present capacity.  New elements are
 * zero.  0, or -ENOMEM, which changes nothing.
 */
#define fxt_array_reach(array, room, index) ({ \
	__auto_type of_ = &(array); \
	void *more_ = fxt_array_reach_of(*of_, &(room), (index), sizeof(**of_)); \
	if (more_) \
		*of_ = more_; \
	more_ ? 0 : -ENOMEM; \
})

#endif
