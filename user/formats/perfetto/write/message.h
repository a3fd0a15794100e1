/* SPDX-License-Identifier: GPL-2.0-only */
/* A small message, for an ftrace event, that is encoded by hand, field after field. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_MESSAGE_H
#define FXT_CONVERT_PERFETTO_WRITE_MESSAGE_H

#include <string.h>

#include <linux/types.h>

/* Longest text in a message; a message has capacity for two texts and ten numbers. */
#define FXT_PF_TEXT_MAX		255u
#define FXT_PF_MESSAGE_MAX	(2 * (FXT_PF_TEXT_MAX + 4) + 10 * 13)

struct fxt_pf_message {
	size_t length;
	__u8 bytes[FXT_PF_MESSAGE_MAX];
};

static inline __u8 *fxt_pf_varint(__u8 *at, __u64 number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = number | 0x80;
	*at++ = number;
	return at;
}

static inline size_t fxt_pf_varint_bytes(__u64 number)
{
	size_t bytes = 1;

	while (number >>= 7)
		bytes++;
	return bytes;
}

/* Adds a number; signed numbers of int32 and int64 fields are extended to 64 bits. */
static inline void fxt_pf_message_number(struct fxt_pf_message *m, __u32 field, __u64 number)
{
	__u8 *at = fxt_pf_varint(m->bytes + m->length, field << 3);

	m->length = fxt_pf_varint(at, number) - m->bytes;
}

static inline void fxt_pf_message_bytes(struct fxt_pf_message *m, __u32 field, const char *bytes, size_t length)
{
	__u8 *at = fxt_pf_varint(m->bytes + m->length, field << 3 | 2);

	at = fxt_pf_varint(at, length);
	memcpy(at, bytes, length);
	m->length = at + length - m->bytes;
}

static inline void fxt_pf_message_text(struct fxt_pf_message *m, __u32 field, const char *text, size_t length)
{
	fxt_pf_message_bytes(m, field, text, length < FXT_PF_TEXT_MAX ? length : FXT_PF_TEXT_MAX);
}

#endif
