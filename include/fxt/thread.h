/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records that name a thread and its process.
 */
#ifndef FXT_THREAD_H
#define FXT_THREAD_H

#include "linux.h"
#include "text.h"

/* Bytes of the longest records that fxt_thread_describe() writes. */
#define FXT_THREAD_BYTES_MAX	152u

/* A thread's name: up to 15 bytes of UTF-8, the rest of both words zero. */
struct fxt_thread_name {
	__u64 word[2];
};

/* The eBPF programs replace both names by global functions. */
#ifndef fxt_name_utf8_step
#define fxt_name_utf8_step fxt_utf8_step
#define fxt_name_count fxt_name_bytes
#define fxt_name_finish fxt_name_mend
#endif

FXT_INLINE __u32 fxt_name_byte(const struct fxt_thread_name *name, __u32 i)
{
	return name->word[i >> 3 & 1] >> 8 * (i & 7) & 0xff;
}

FXT_INLINE __u32 fxt_name_bytes(const struct fxt_thread_name *name)
{
	__u32 i;

	for (i = 0; i < FXT_COMM_BYTES - 1; i++)
		if (!fxt_name_byte(name, i))
			break;
	return i;
}

FXT_INLINE void fxt_name_mask(struct fxt_thread_name *name, __u32 i)
{
	__u64 shift = 8 * (i & 7);
	__u64 word = i & 8 ? name->word[1] : name->word[0];

	word = (word & ~(0xffULL << shift)) | (__u64)'?' << shift;
	if (i & 8)
		name->word[1] = word;
	else
		name->word[0] = word;
}

/*
 * Makes the name valid UTF-8, from the state at its end.  The bytes of a character that is cut
 * off at the end become '?'; where another byte is invalid, all bytes beyond ASCII become '?'.
 */
FXT_INLINE void fxt_name_mend(struct fxt_thread_name *name, __u32 state, __u32 bytes)
{
	if (state == FXT_UTF8_BAD) {
		name->word[0] = fxt_text_ascii(name->word[0]);
		name->word[1] = fxt_text_ascii(name->word[1]);
	} else if (state) {
		fxt_name_mask(name, bytes - 1);
		if (FXT_UTF8_HAD(state) > 1)
			fxt_name_mask(name, bytes - 2);
		if (FXT_UTF8_HAD(state) > 2)
			fxt_name_mask(name, bytes - 3);
	}
}

/* Makes the name valid UTF-8. */
FXT_INLINE void fxt_name_clean(struct fxt_thread_name *name)
{
	__u32 i, state = 0;

	if (!((name->word[0] | name->word[1]) & FXT_TEXT_HIGH_BITS))
		return;
	for (i = 0; i < FXT_COMM_BYTES - 1; i++) {
		__u32 byte = fxt_name_byte(name, i);

		if (!byte)
			break;
		state = fxt_name_utf8_step(state, byte);
	}
	fxt_name_finish(name, state, i);
}

/*
 * Writes the records that name a thread: a kernel object record of the process, if the thread leads it, and one of
 * the thread, both with the time that the name is valid from, in ticks; and a thread record of FXT_THREAD_SUBJECT.
 * Returns their bytes.  cgroup_id: id of the thread's group of the controller "cpu"; 0: not known.
 */
FXT_INLINE __u32 fxt_thread_describe(__u64 *w, __u32 tid, __u32 tgid,
				     const struct fxt_thread_name *name, __u64 name_valid_from, __u64 cgroup_id)
{
	__u32 bytes = fxt_name_count(name) & (FXT_COMM_BYTES - 1);
	__u32 words = fxt_words(bytes);
	__u32 known = cgroup_id != 0;
	__u32 total = 9 + words + 2 * known;

	if (tid == tgid) {
		w[0] = fxt_kernel_object(FXT_OBJECT_PROCESS, 4 + words, fxt_ref_inline(bytes), 1);
		w[1] = tgid;
		w[2] = name->word[0];
		w[3] = name->word[1];
		w += 2 + words;
		w[0] = fxt_arg_uint64(FXT_STR_SINCE);
		w[1] = name_valid_from;
		w += 2;
		total += 4 + words;
	}
	w[0] = fxt_kernel_object(FXT_OBJECT_THREAD, 6 + words + 2 * known, fxt_ref_inline(bytes),
				 2 + known);
	w[1] = tid;
	w[2] = name->word[0];
	w[3] = name->word[1];
	w += 2 + words;
	w[0] = fxt_arg_koid(FXT_STR_PROCESS);
	w[1] = tgid;
	w[2] = fxt_arg_uint64(FXT_STR_SINCE);
	w[3] = name_valid_from;
	w += 4;
	if (known) {
		w[0] = fxt_arg_uint64(FXT_STR_CGROUP_ID);
		w[1] = cgroup_id;
		w += 2;
	}
	w[0] = fxt_thread(FXT_THREAD_SUBJECT);
	w[1] = tgid;
	w[2] = tid;
	return 8 * total;
}

#endif
