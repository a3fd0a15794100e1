// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A string table that gives each text an index, up to a limit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/strings.h"
#include "store/keyed.h"

#define SLOTS		(1u << 16)
#define BYTES_MAX	((size_t)8 << 20)	/* bytes of all texts */

/* Longer texts, such as stacks, get at most LONG_BYTES_MAX, since short texts repeat more often. */
#define LONG_LENGTH	256u
#define LONG_BYTES_MAX	(BYTES_MAX / 2)

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
	bool is_long = text->length > LONG_LENGTH;

	if (s->count == FXT_STRING_INDEX_MAX || s->bytes + text->length > BYTES_MAX ||
	    (is_long && s->long_bytes + text->length > LONG_BYTES_MAX))
		return -E2BIG;
	if (fxt_provider_string_set(&s->decoder.providers, s->decoder.provider, s->count + 1, text))
		return -ENOMEM;
	s->bytes += text->length;
	s->long_bytes += is_long ? text->length : 0;
	*slot = ++s->count;
	return 0;
}

static __u16 search(struct fxt_strings *s, const struct fxt_text *text)
{
	__u32 i;

	for (i = fxt_keyed_bytes(text->bytes, text->length) % SLOTS; s->slots[i]; i = (i + 1) % SLOTS) {
		struct fxt_text known;

		fxt_provider_string_get(s->decoder.provider, s->slots[i], &known);
		if (fxt_text_same(&known, text))
			return s->slots[i];
	}
	return add(s, text, &s->slots[i]) ? fxt_ref_inline(text->length) : s->slots[i];
}

/* Reads a text of up to 16 bytes as two words, which overlap for a shorter text. */
static void words_of(const struct fxt_text *text, __u64 word[2])
{
	const char *at = text->bytes, *end = at + text->length;
	__u32 half[2];

	word[1] = 0;
	if (text->length >= 8) {
		memcpy(&word[0], at, 8);
		memcpy(&word[1], end - 8, 8);
	} else if (text->length >= 4) {
		memcpy(&half[0], at, 4);
		memcpy(&half[1], end - 4, 4);
		word[0] = half[0] | (__u64)half[1] << 32;
	} else {
		word[0] = (__u8)at[0] | (__u8)at[text->length / 2] << 8 | (__u32)(__u8)end[-1] << 16;
	}
}

/* Returns the reference of a text.  Most texts are short and repeat: they are compared as words. */
__u16 fxt_strings_ref(void *arg, const struct fxt_text *text)
{
	struct fxt_strings *s = arg;
	struct fxt_string_recent *recent;
	__u64 word[2];

	if (text->length > sizeof(word) || !text->length)
		return search(s, text);
	words_of(text, word);
	recent = &s->recent[((word[0] ^ word[1] << 7 ^ text->length) * 0x9e3779b97f4a7c15ULL) >> 56];
	if (recent->length != text->length || recent->word[0] != word[0] || recent->word[1] != word[1])
		*recent = (struct fxt_string_recent){ { word[0], word[1] }, text->length, search(s, text) };
	return recent->ref;
}
