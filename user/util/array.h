/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow. */
#ifndef FXT_UTIL_ARRAY_H
#define FXT_UTIL_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Such an array has room for a power of two: it has to be larger only where it is full. */
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
 * Room for one more behind the count elements of an array, which got its room by this alone (NULL: none yet).
 * 0, or -ENOMEM, and the array stays as it is.  A count that rises and falls takes it more often than
 * fxt_array_reach().
 */
#define fxt_array_more(array, count) ({ \
	__auto_type of_ = &(array); \
	void *more_ = fxt_array_more_of(*of_, (count), sizeof(**of_)); \
	if (more_) \
		*of_ = more_; \
	more_ ? 0 : -ENOMEM; \
})

/*
 * Room for the element of an index; room, of type size_t, is the array's so far.  New elements are zero.
 * 0, or -ENOMEM, and nothing changes.
 */
#define fxt_array_reach(array, room, index) ({ \
	__auto_type of_ = &(array); \
	void *more_ = fxt_array_reach_of(*of_, &(room), (index), sizeof(**of_)); \
	if (more_) \
		*of_ = more_; \
	more_ ? 0 : -ENOMEM; \
})

#endif
