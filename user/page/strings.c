// SPDX-License-Identifier: GPL-2.0-only
/* The page's strings, by number. */
#include <stdint.h>
#include <string.h>

#include "page/strings.h"
#include "store/keyed.h"

/* Hashes have 64 bits, by a secret: a collision is not to be expected. */
__u32 fxt_page_string(struct fxt_page_strings *s, const char *bytes, size_t count)
{
	const char *end = memchr(bytes, '\0', count);
	__u64 key;
	void *number;

	if (end)
		count = end - bytes;
	key = fxt_keyed_bytes(bytes, count);
	number = fxt_map_get(&s->numbers, key);
	if (number)
		return (uintptr_t)number;
	if (s->count == FXT_PAGE_STRINGS_MAX || count + 1 > FXT_PAGE_STRINGS_BYTES_MAX - s->bytes.length)
		return 0;
	if (fxt_map_put(&s->numbers, key, (void *)(uintptr_t)(s->count + 1)))
		return 0;
	fxt_buffer_put(&s->bytes, bytes, count);
	fxt_buffer_put(&s->bytes, "", 1);
	return ++s->count;
}

void fxt_page_strings_uninit(struct fxt_page_strings *s)
{
	fxt_map_uninit(&s->numbers, NULL);
	fxt_buffer_uninit(&s->bytes);
}
