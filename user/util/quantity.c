// SPDX-License-Identifier: GPL-2.0-only
/* Sizes and durations as users write and read them. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/quantity.h"

int fxt_quantity_bytes(const char *text, __u64 *bytes)
{
	static const char units[] = "kmgt";
	const char *unit;
	char *end;
	int shift = 0;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	if (errno)
		return -ERANGE;
	if (*end) {
		unit = strchr(units, tolower((unsigned char)*end));
		if (!unit)
			return -EINVAL;
		shift = 10 * (unit - units + 1);
		end++;
		if (end[0] == 'i' && end[1] == 'B')
			end += 2;
	}
	if (*end)
		return -EINVAL;
	if (*bytes << shift >> shift != *bytes)
		return -ERANGE;
	*bytes <<= shift;
	return 0;
}

int fxt_quantity_duration(const char *text, __u64 *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 }, { "m", 60e9 }, { "h", 3600e9 },
	};
	double number;
	size_t i;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return -EINVAL;
	number = strtod(text, &end);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		number *= units[i].ns;
		if (!(number >= 0 && number < 9e18))
			return -ERANGE;
		*ns = number + 0.5;
		return 0;
	}
	return -EINVAL;
}

int fxt_quantity_limit(const char *text, __u64 *bytes, __u64 *ns)
{
	const char *unit = text + strspn(text, "0123456789.");
	int err;

	*bytes = *ns = 0;
	if (!*unit)
		return -EINVAL;
	err = strchr("KkMGgTt", *unit) ? fxt_quantity_bytes(text, bytes) : fxt_quantity_duration(text, ns);
	return err ? err : *bytes || *ns ? 0 : -EINVAL;
}

int fxt_quantity_number(const char **text, __u64 limit, __u64 *number)
{
	char *end;
	__u64 value;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	value = strtoull(*text, &end, 10);
	if (errno || (limit && value >= limit))
		return -ERANGE;
	*text = end;
	*number = value;
	return 0;
}

int fxt_quantity_count(const char *text, __u64 limit, __u64 *count)
{
	int err = fxt_quantity_number(&text, limit, count);

	return err || !*text ? err : -EINVAL;
}

const char *fxt_quantity_show(char *text, size_t room, __u64 bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	double number = bytes / 1e3;
	int i = 0;

	if (bytes < 1000) {
		snprintf(text, room, "%llu bytes", bytes);
		return text;
	}
	for (; number >= 1e3 && i < 3; i++)
		number /= 1e3;
	snprintf(text, room, "%.*f %s", number < 10 ? 2 : 1, number, units[i]);
	return text;
}
