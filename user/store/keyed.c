// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Hashes for tables that an input fills. */
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "store/keyed.h"

static __u64 key[2];

/*
 * Makes the key before main(), and so before any thread starts.  Without entropy, the key is
 * the 16 random bytes that the kernel gives each program.
 */
__attribute__((constructor)) static void key_make(void)
{
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		memcpy(key, (const void *)getauxval(AT_RANDOM), sizeof(key));
}

/* Folds the product of each word and the hash of all words before it. */
__u64 fxt_keyed_bytes(const void *bytes, size_t count)
{
	const char *at = bytes;
	__u64 hash = key[0] ^ count, word;
	size_t left = count;

	for (; left >= 8; at += 8, left -= 8) {
		memcpy(&word, at, 8);
		hash = fxt_keyed_fold(hash ^ word ^ key[1], key[1] | 1);
	}
	word = 0;
	if (left)
		memcpy(&word, at, left);
	return fxt_keyed_number(key[1], hash ^ word);
}

__u64 fxt_keyed_secret(void)
{
	static __u64 given;
	__u64 number = __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED);

	return fxt_keyed_bytes(&number, sizeof(number));
}
