/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The record of a process's command line, when the process executes a program. */
#ifndef FXT_COMMAND_H
#define FXT_COMMAND_H

#include "thread.h"
#include "text.h"

/* Longer command lines are cut; the recorder's description of the process (/proc) has them whole. */
#define FXT_COMMAND_BYTES_MAX	512u

/* "command", the argument's name. */
#define FXT_COMMAND_NAME	0x00646e616d6d6f63ULL
#define FXT_COMMAND_NAME_BYTES	7u

/* Returns the bytes of a command line between these addresses, without the terminator of its last word. */
FXT_INLINE __u32 fxt_command_bytes(__u64 start, __u64 end)
{
	__u64 bytes = end > start ? end - start - 1 : 0;

	return bytes < FXT_COMMAND_BYTES_MAX ? bytes : FXT_COMMAND_BYTES_MAX;
}

/*
 * Writes the record without its text, which must follow as bytes bytes, padded with zeros.  Returns the number of
 * words before the text; with w NULL, writes nothing.  name_bytes: length of the name, less than FXT_COMM_BYTES.
 */
FXT_INLINE __u32 fxt_command_write(__u64 *w, __u32 pid, const struct fxt_thread_name *name, __u32 name_bytes, __u32 bytes,
				   __u64 ticks)
{
	__u32 words = fxt_words(name_bytes), at = 2 + words;

	if (!w)
		return at + 4;
	w[0] = fxt_kernel_object(FXT_OBJECT_PROCESS, at + 4 + fxt_words(bytes), fxt_ref_inline(name_bytes), 2);
	w[1] = pid;
	w[2] = name->word[0];
	w[3] = name->word[1];
	w += at;
	w[0] = fxt_arg_uint64(FXT_STR_SINCE);
	w[1] = ticks;
	w[2] = FXT_ARG(FXT_ARG_STRING, 2 + fxt_words(bytes), fxt_ref_inline(FXT_COMMAND_NAME_BYTES), fxt_ref_inline(bytes));
	w[3] = FXT_COMMAND_NAME;
	return at + 4;
}

/* Returns a word with 0xff for each zero byte of the given word, and 0 for each other byte. */
FXT_INLINE __u64 fxt_command_zeros(__u64 word)
{
	__u64 low = ~FXT_TEXT_HIGH_BITS;

	return ((~(((word & low) + low) | word) & FXT_TEXT_HIGH_BITS) >> 7) * 0xff;
}

/* Converts a word of the text as in /proc to one line of ASCII, with spaces between the words of the command. */
FXT_INLINE __u64 fxt_command_text(__u64 word)
{
	__u64 spaces = fxt_command_zeros(word) | fxt_command_zeros(word ^ 0x0a0a0a0a0a0a0a0aULL);

	return fxt_text_ascii((word & ~spaces) | (spaces & 0x2020202020202020ULL));
}

/* Clears the bytes after the end of a text of that many bytes, in its last word. */
FXT_INLINE __u64 fxt_command_end(__u64 word, __u32 bytes)
{
	return bytes & 7 ? word & ((1ULL << 8 * (bytes & 7)) - 1) : word;
}

#endif
