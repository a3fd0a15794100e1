/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, and their lists as the kernel and users write them: 0-3,5. */
#ifndef FXT_UTIL_CPUS_H
#define FXT_UTIL_CPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "uapi/fxtrec.h"

#define FXT_CPUS_POSSIBLE	"/sys/devices/system/cpu/possible"
#define FXT_CPUS_PRESENT	"/sys/devices/system/cpu/present"

/* All zero is the empty set. */
struct fxt_cpus {
	__u64 bits[FXTREC_CPUS_MAX / 64];
};

static inline bool fxt_cpus_has(const struct fxt_cpus *cpus, __u32 cpu)
{
	return cpus->bits[cpu / 64] >> cpu % 64 & 1;
}

/* Adds a CPU, unless its number is beyond the CPUs of any recording. */
static inline void fxt_cpus_add(struct fxt_cpus *cpus, __u32 cpu)
{
	if (cpu < FXTREC_CPUS_MAX)
		cpus->bits[cpu / 64] |= 1ULL << cpu % 64;
}

/* Adds a list to the set.  -EINVAL; -ERANGE for a number beyond the CPUs of any recording. */
int fxt_cpus_parse(struct fxt_cpus *cpus, const char *list);

/* Reads the set that a file lists.  Errors are as above, and -errno of the file. */
int fxt_cpus_read(struct fxt_cpus *cpus, const char *path);

/* Adds a set to another set. */
void fxt_cpus_merge(struct fxt_cpus *to, const struct fxt_cpus *from);

unsigned int fxt_cpus_count(const struct fxt_cpus *cpus);

/* Writes the list of a set, as far as text has space for it, and returns text. */
const char *fxt_cpus_print(char *text, size_t space, const struct fxt_cpus *cpus);

#endif
