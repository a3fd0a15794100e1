// SPDX-License-Identifier: GPL-2.0-only
/* A string table: each text gets an index, up to a limit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/strings.h"
#include "util/keyed.h"

#define SLOTS		(1u << 16)
#define BYTES_MAX	((size_t)8 << 20)	/* of all texts */
#define LENGTH_MAX	256u			/* longer ones are rarely repeated */

int fxt_strings_init(struct fxt_strings *s)
{
	*s = (struct fxt_strings){ .slots = calloc(SLOTS, sizeof(*s->slots)) };
	fxt_decoder_init(&s->decoder);
	return s->slots ? 0 : -ENOMEM;
}

void fxt_strings_uninit(struct fxt_strings *s)
{
	fxt_decoder_uninit(&s->decoder);
	free(s->slots);
	s->slots = NULL;
}

static int add(struct fxt_strings *s, const struct fxt_text *text, __u16 *slot)
{
	if (s->count == FXT_STRING_INDEX_MAX || s->bytes + text->length > BYTES_MAX)
		return -E2BIG;
	if (fxt_provider_string_set(&s->decoder.providers, s->decoder.provider, s->count + 1, text))
		return -ENOMEM;
	s->bytes += text->length;
	*slot = ++s->count;
	return 0;
}

__u16 fxt_strings_ref(void *arg, const struct fxt_text *text)
{
	struct fxt_strings *s = arg;
	__u32 i;

	if (text->length > LENGTH_MAX)
		return fxt_ref_inline(text->length);
	for (i = fxt_keyed_bytes(text->bytes, text->length) % SLOTS; s->slots[i]; i = (i + 1) % SLOTS) {
		struct fxt_text known;

		fxt_provider_string_get(s->decoder.provider, s->slots[i], &known);
		if (known.length == text->length &&
		    !memcmp(known.bytes, text->bytes, text->length))
			return s->slots[i];
	}
	return add(s, text, &s->slots[i]) ? fxt_ref_inline(text->length) : s->slots[i];
}
