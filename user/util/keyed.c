// SPDX-License-Identifier: GPL-2.0-only
/* Hashes for tables that an input fills. */
#include <endian.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "util/keyed.h"

static __u64 key[2];

/* Before main(), and so before any thread; the kernel gives each program 16 random bytes, too. */
__attribute__((constructor)) static void key_make(void)
{
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		memcpy(key, (const void *)getauxval(AT_RANDOM), sizeof(key));
}

struct state {
	__u64 a, b, c, d;
};

static __u64 turned(__u64 word, unsigned int by)
{
	return word << by | word >> (64 - by);
}

static void turn(struct state *s)
{
	s->a += s->b;
	s->c += s->d;
	s->b = turned(s->b, 13) ^ s->a;
	s->d = turned(s->d, 16) ^ s->c;
	s->a = turned(s->a, 32);
	s->c += s->b;
	s->a += s->d;
	s->b = turned(s->b, 17) ^ s->c;
	s->d = turned(s->d, 21) ^ s->a;
	s->c = turned(s->c, 32);
}

static void take(struct state *s, __u64 word)
{
	s->d ^= word;
	turn(s);
	s->a ^= word;
}

__u64 fxt_keyed_bytes(const void *bytes, size_t count)
{
	struct state s = { key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL,
			   key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL };
	const char *at = bytes;
	size_t left = count;
	__u64 word;

	for (; left >= 8; at += 8, left -= 8) {
		memcpy(&word, at, 8);
		take(&s, le64toh(word));
	}
	word = 0;
	if (left)
		memcpy(&word, at, left);
	take(&s, le64toh(word) | (__u64)count << 56);
	s.c ^= 0xff;
	turn(&s);
	turn(&s);
	turn(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

__u64 fxt_keyed_secret(void)
{
	static __u64 given;
	__u64 number = __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED);

	return fxt_keyed_bytes(&number, sizeof(number));
}
