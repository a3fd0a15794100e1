/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* Turns arbitrary bytes into valid UTF-8, one word at a time and in place. */
#ifndef FXT_TEXT_H
#define FXT_TEXT_H

#include "wire.h"

#define FXT_TEXT_HIGH_BITS	0x8080808080808080ULL

/* Returns the word with every byte beyond ASCII replaced by '?'. */
FXT_INLINE __u64 fxt_text_ascii(__u64 word)
{
	__u64 mask = (word & FXT_TEXT_HIGH_BITS) >> 7;

	mask *= 0xff;
	return (word & ~mask) | (mask & 0x3f3f3f3f3f3f3f3fULL);
}

/*
 * Returns the state after one more byte of a UTF-8 text.  The state is 0 between characters; bits 0..7 count
 * the bytes that the character lacks, bits 8..15 the bytes that were read, bits 16..23 and 24..31 are the least
 * and the greatest byte that may come next (RFC 3629: no overlong form, no surrogate, nothing past U+10FFFF).
 */
#define FXT_UTF8_BAD	0xffffffffu
#define FXT_UTF8_NEED(state)	((state) & 0xff)
#define FXT_UTF8_HAD(state)	((state) >> 8 & 0xff)
#define FXT_UTF8(need, had, lo, hi) \
	((__u32)(need) | (__u32)(had) << 8 | (__u32)(lo) << 16 | (__u32)(hi) << 24)

FXT_INLINE __u32 fxt_utf8_step(__u32 state, __u32 byte)
{
	if (state == FXT_UTF8_BAD)
		return FXT_UTF8_BAD;
	if (state) {
		if (byte < (state >> 16 & 0xff) || byte > state >> 24)
			return FXT_UTF8_BAD;
		if (FXT_UTF8_NEED(state) == 1)
			return 0;
		return FXT_UTF8(FXT_UTF8_NEED(state) - 1, FXT_UTF8_HAD(state) + 1, 0x80, 0xbf);
	}
	if (byte < 0x80)
		return 0;
	if (byte < 0xc2 || byte > 0xf4)
		return FXT_UTF8_BAD;
	if (byte < 0xe0)
		return FXT_UTF8(1, 1, 0x80, 0xbf);
	if (byte < 0xf0)
		return FXT_UTF8(2, 1, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf);
	return FXT_UTF8(3, 1, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf);
}

#endif
