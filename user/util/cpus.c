// SPDX-License-Identifier: GPL-2.0-only
/* Sets of CPUs, and the lists that the kernel and users write them as: 0-3,5. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/cpus.h"

/* A number that ends at a comma, a dash or the text's end. */
static int number_parse(const char **text, __u32 *number)
{
	char *end;
	unsigned long long value;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	value = strtoull(*text, &end, 10);
	if (value >= FXTREC_CPUS_MAX)
		return -ERANGE;
	*text = end;
	*number = value;
	return 0;
}

int fxt_cpus_parse(struct fxt_cpus *cpus, const char *list)
{
	do {
		__u32 from, to;
		int err = number_parse(&list, &from);

		to = from;
		if (!err && *list == '-') {
			list++;
			err = number_parse(&list, &to);
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

unsigned int fxt_cpus_count(const struct fxt_cpus *cpus)
{
	unsigned int count = 0, i;

	for (i = 0; i < FXTREC_CPUS_MAX / 64; i++)
		count += __builtin_popcountll(cpus->bits[i]);
	return count;
}
