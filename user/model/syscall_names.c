// SPDX-License-Identifier: GPL-2.0-only
/* Maps system calls between numbers and names. */
#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "fxt/events.h"
#include "model/syscall_names.h"
#include "syscalls.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define PREFIX	"syscall "

static const struct fxt_syscall_table tables[] = {
	{ "x86_64", syscalls_x86_64, COUNT(syscalls_x86_64) - 1 },
	{ "aarch64", syscalls_aarch64, COUNT(syscalls_aarch64) - 1 },
};

/* The generated arrays end with NULL. */
static const struct fxt_syscall_table here = { "", syscalls, COUNT(syscalls) - 1 };
static const struct fxt_syscall_table compat = { "", syscalls_compat, COUNT(syscalls_compat) - 1 };

const struct fxt_syscall_table *fxt_syscall_table(const char *machine)
{
	static const struct fxt_syscall_table unknown;
	struct utsname running;
	size_t i;

	for (i = 0; i < COUNT(tables); i++)
		if (!strcmp(tables[i].machine, machine))
			return &tables[i];
	return !uname(&running) && !strcmp(running.machine, machine) ? &here : &unknown;
}

const struct fxt_syscall_table *fxt_syscall_table_own(void)
{
	return &here;
}

const struct fxt_syscall_table *fxt_syscall_table_compat(void)
{
	return &compat;
}

int fxt_syscall_number(const struct fxt_syscall_table *s, const struct fxt_text *name)
{
	char room[FXT_SYSCALL_ROOM];
	__u32 i;

	for (i = 0; i < FXT_SYSCALLS_MAX; i++)
		if (fxt_text_equal(name, fxt_syscall_name_of(s, i, room)))
			return i;
	return -ENOENT;
}

const char *fxt_syscall_known(const struct fxt_syscall_table *s, __u64 number)
{
	s = s ? s : &here;
	return number < s->count ? s->names[number] : NULL;
}

const char *fxt_syscall_name_of(const struct fxt_syscall_table *s, __u32 number, char room[FXT_SYSCALL_ROOM])
{
	const char *name = fxt_syscall_known(s, number);

	if (name)
		return name;
	snprintf(room, FXT_SYSCALL_ROOM, PREFIX "%u", number);
	return room;
}
