// SPDX-License-Identifier: GPL-2.0-only
/* Finds the CPU of a provider in a recording of fxtrec. */
#include <errno.h>
#include <string.h>

#include "fxt/linux.h"
#include "model/cpu.h"

int fxt_provider_cpu(const struct fxt_provider *provider, __u32 *cpu)
{
	static const char prefix[] = "fxtrec cpu ";
	size_t i = sizeof(prefix) - 1;
	__u32 number = 0;

	if (provider->name_bytes <= i || provider->name_bytes > i + 5 ||
	    memcmp(provider->name, prefix, i))
		return -ENOENT;
	for (; i < provider->name_bytes; i++) {
		if (provider->name[i] < '0' || provider->name[i] > '9')
			return -ENOENT;
		number = 10 * number + (provider->name[i] - '0');
	}
	if (number > 0xffff || provider->id != FXT_PROVIDER_CPU(number))
		return -ENOENT;
	*cpu = number;
	return 0;
}
