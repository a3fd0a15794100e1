// SPDX-License-Identifier: GPL-2.0-only
/* System calls by number and name. */
#include <errno.h>
#include <stdio.h>

#include "fxt/events.h"
#include "model/syscall_names.h"
#include "syscalls.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define PREFIX	"syscall "

#if defined(__x86_64__)
#define MACHINE	"x86_64"
#elif defined(__aarch64__)
#define MACHINE	"aarch64"
#else
#define MACHINE	""
#endif

_Static_assert(sizeof(syscalls_compat) > 0, "the other table is the recorder's");

bool fxt_syscall_machine(const char *machine)
{
	return *machine && !strcmp(machine, MACHINE);
}

int fxt_syscall_number(const struct fxt_text *name)
{
	char room[FXT_SYSCALL_ROOM];
	__u32 i;

	for (i = 0; i < COUNT(syscalls); i++)
		if (syscalls[i] && fxt_text_equal(name, syscalls[i]))
			return i;
	if (name->length < sizeof(PREFIX) || memcmp(name->bytes, PREFIX, sizeof(PREFIX) - 1))
		return -ENOENT;
	for (i = 0; i < FXT_SYSCALLS_MAX; i++)
		if (fxt_text_equal(name, fxt_syscall_name_of(i, room)))
			return i;
	return -ENOENT;
}

const char *fxt_syscall_known(__u64 number)
{
	return number < COUNT(syscalls) ? syscalls[number] : NULL;
}

const char *fxt_syscall_name_of(__u32 number, char room[FXT_SYSCALL_ROOM])
{
	const char *name = fxt_syscall_known(number);

	if (name)
		return name;
	snprintf(room, FXT_SYSCALL_ROOM, PREFIX "%u", number);
	return room;
}
