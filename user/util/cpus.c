// SPDX-License-Identifier: GPL-2.0-only
/* Sets of CPUs, and their lists as the kernel and users write them: 0-3,5. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/cpus.h"
#include "util/quantity.h"

int fxt_cpus_parse(struct fxt_cpus *cpus, const char *list)
{
	do {
		__u64 from, to;
		int err = fxt_quantity_number(&list, FXTREC_CPUS_MAX, &from);

		to = from;
		if (!err && *list == '-') {
			list++;
			err = fxt_quantity_number(&list, FXTREC_CPUS_MAX, &to);
		}
		if (err)
			return err;
		if (to < from || (*list && *list != ',' && *list != '\n'))
			return -EINVAL;
		for (; from <= to; from++)
			cpus->bits[from / 64] |= 1ULL << from % 64;
	} while (*list++ == ',');
	return 0;
}

int fxt_cpus_read(struct fxt_cpus *cpus, const char *path)
{
	FILE *file = fopen(path, "re");
	char *list = NULL;
	size_t room = 0;
	int err;

	if (!file)
		return -errno;
	*cpus = (struct fxt_cpus){};
	err = getline(&list, &room, file) < 0 ? -EIO : fxt_cpus_parse(cpus, list);
	free(list);
	fclose(file);
	return err;
}

void fxt_cpus_merge(struct fxt_cpus *to, const struct fxt_cpus *from)
{
	size_t i;

	for (i = 0; i < FXTREC_CPUS_MAX / 64; i++)
		to->bits[i] |= from->bits[i];
}

unsigned int fxt_cpus_count(const struct fxt_cpus *cpus)
{
	unsigned int count = 0, i;

	for (i = 0; i < FXTREC_CPUS_MAX / 64; i++)
		count += __builtin_popcountll(cpus->bits[i]);
	return count;
}

const char *fxt_cpus_print(char *text, size_t space, const struct fxt_cpus *cpus)
{
	__u32 cpu, last;
	size_t at = 0;

	*text = '\0';
	for (cpu = 0; cpu < FXTREC_CPUS_MAX && at < space; cpu = last + 1) {
		last = cpu;
		if (!fxt_cpus_has(cpus, cpu))
			continue;
		while (last + 1 < FXTREC_CPUS_MAX && fxt_cpus_has(cpus, last + 1))
			last++;
		at += snprintf(text + at, space - at, at ? ",%u" : "%u", cpu);
		if (last > cpu && at < space)
			at += snprintf(text + at, space - at, "-%u", last);
	}
	return text;
}
