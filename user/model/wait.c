// SPDX-License-Identifier: GPL-2.0-only
/* Classes and words of the reasons of sleeps. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/wait.h"

static const char *const names[FXT_WAITS] = {
#define NAME(name, text)	[FXT_WAIT_##name] = text,
	FXT_WAIT_CLASSES(NAME)
#undef NAME
};

#define OVERRULED_MAX	32u

/* Calls with a class that the user has chosen. */
static struct {
	char call[FXT_SYSCALL_ROOM];
	enum fxt_wait_class class;
} overruled[OVERRULED_MAX];
static unsigned int overruled_count;

const char *fxt_wait_class_name(enum fxt_wait_class class)
{
	return names[class];
}

/* Parses the name of a class; -EINVAL. */
static int class_parse(const char *name)
{
	int i;

	for (i = 0; i < FXT_WAITS; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -EINVAL;
}

/* Returns whether a name is a system call of some machine. */
static bool is_call(const char *name)
{
	const struct fxt_text text = { .bytes = name, .length = strlen(name) };

	return fxt_call_find(name) || fxt_syscall_number(fxt_syscall_table_own(), &text) >= 0 ||
	       fxt_syscall_number(fxt_syscall_table_compat(), &text) >= 0;
}

bool fxt_wait_overrule(const char *text)
{
	const char *equal = strchr(text, '=');
	int class = equal ? class_parse(equal + 1) : -EINVAL;

	/* The states of threads show stops. */
	if (class < 0 || class == FXT_WAIT_STOPPED || equal == text || equal - text >= (long)FXT_SYSCALL_ROOM || overruled_count == OVERRULED_MAX)
		return false;
	memcpy(overruled[overruled_count].call, text, equal - text);
	overruled[overruled_count].call[equal - text] = '\0';
	if (!is_call(overruled[overruled_count].call))
		return false;
	overruled[overruled_count++].class = class;
	return true;
}

void fxt_wait_calls_machine(struct fxt_wait_calls *calls, const struct fxt_text *machine)
{
	char name[64] = "";

	if (machine->length < sizeof(name))
		memcpy(name, machine->bytes, machine->length);
	*calls = (struct fxt_wait_calls){ .own = fxt_syscall_table(name) };
}

/* Returns the table of a reason's ABI. */
static const struct fxt_syscall_table *table_of(const struct fxt_wait_calls *calls, enum fxt_entry entry)
{
	if (entry == FXT_ENTRY_CALL32)
		return fxt_syscall_table_compat();
	return calls->own ? calls->own : fxt_syscall_table_own();
}

const char *fxt_wait_call(const struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason,
			  char room[FXT_SYSCALL_ROOM])
{
	enum fxt_entry entry = fxt_reason_entry(reason);

	if (!reason->bits)
		return "";
	if (entry == FXT_ENTRY_EXCEPTION)
		return "exception";
	if (entry == FXT_ENTRY_KERNEL)
		return "kernel thread";
	return fxt_syscall_name_of(table_of(calls, entry), reason->bits & FXT_REASON_CALL, room);
}

static enum fxt_wait_class class_find(const struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason)
{
	char room[FXT_SYSCALL_ROOM];
	const char *name = fxt_wait_call(calls, reason, room);
	const struct fxt_call *call = fxt_call_find(name);
	unsigned int i;

	for (i = overruled_count; i; i--)
		if (!strcmp(overruled[i - 1].call, name))
			return overruled[i - 1].class;
	return call ? call->wait : FXT_WAIT_KERNEL;
}

/* Returns the class of a call, or FXT_WAIT_BY_OBJECT. */
static unsigned int call_class(struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason)
{
	__u32 number = reason->bits & FXT_REASON_CALL;
	__u8 *class;

	if (number >= FXTREC_CALLS_MAX)
		return FXT_WAIT_KERNEL;
	class = &calls->class[fxt_reason_entry(reason) == FXT_ENTRY_CALL32][number];
	if (!*class)
		*class = class_find(calls, reason) + 1;
	return *class - 1;
}

static enum fxt_wait_class object_class(enum fxt_object_kind kind)
{
	static const __u8 classes[FXT_ONS] = {
		[FXT_ON_NONE] = FXT_WAIT_KERNEL,
		[FXT_ON_FILE] = FXT_WAIT_DISK,
		[FXT_ON_DIRECTORY] = FXT_WAIT_DISK,
		[FXT_ON_BLOCK] = FXT_WAIT_DISK,
		[FXT_ON_CHARACTER] = FXT_WAIT_IDLE,
		[FXT_ON_PIPE] = FXT_WAIT_PIPE,
		[FXT_ON_UNIX] = FXT_WAIT_PIPE,
		[FXT_ON_INET] = FXT_WAIT_NETWORK,
		[FXT_ON_INET6] = FXT_WAIT_NETWORK,
		[FXT_ON_NETLINK] = FXT_WAIT_NETWORK,
		[FXT_ON_SOCKET] = FXT_WAIT_NETWORK,
		[FXT_ON_EVENTFD] = FXT_WAIT_PIPE,
		[FXT_ON_TIMERFD] = FXT_WAIT_IDLE,
		[FXT_ON_EPOLL] = FXT_WAIT_IDLE,
		[FXT_ON_INOTIFY] = FXT_WAIT_IDLE,
		[FXT_ON_SIGNALFD] = FXT_WAIT_IDLE,
		[FXT_ON_PIDFD] = FXT_WAIT_CHILD,
		[FXT_ON_IO_URING] = FXT_WAIT_IDLE,
		[FXT_ON_ANONYMOUS] = FXT_WAIT_KERNEL,
		[FXT_ON_FUTEX] = FXT_WAIT_IDLE,
		[FXT_ON_CHILD] = FXT_WAIT_CHILD,
		[FXT_ON_MUTEX] = FXT_WAIT_LOCK,
		[FXT_ON_SEMAPHORE] = FXT_WAIT_LOCK,
		[FXT_ON_RWSEM] = FXT_WAIT_LOCK,
	};

	return classes[kind];
}

enum fxt_wait_class fxt_wait_class(struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason,
				   enum fxt_linux_state state)
{
	enum fxt_entry entry = fxt_reason_entry(reason);
	unsigned int class;

	if (state == FXT_LINUX_T || state == FXT_LINUX_TRACED)
		return FXT_WAIT_STOPPED;
	if (!reason->bits)
		return FXT_WAIT_UNKNOWN;
	if (entry == FXT_ENTRY_KERNEL)
		return FXT_WAIT_KERNEL;
	if (fxt_object_is_lock(reason->kind))
		return FXT_WAIT_LOCK;
	if (reason->bits & FXT_REASON_IOWAIT)
		return FXT_WAIT_DISK;
	if (entry == FXT_ENTRY_EXCEPTION)
		return FXT_WAIT_MEMORY;
	class = call_class(calls, reason);
	if (class == FXT_WAIT_BY_OBJECT)
		class = object_class(reason->kind);
	if (reason->kind != FXT_ON_FUTEX || class != FXT_WAIT_IDLE)
		return class;
	if (reason->bits & FXT_REASON_JOIN)
		return FXT_WAIT_CHILD;
	return reason->holder || reason->bits & FXT_REASON_LOCK ? FXT_WAIT_LOCK : FXT_WAIT_IDLE;
}

const char *fxt_wait_object(char text[FXT_WAIT_OBJECT_BYTES], const struct fxt_sleep_reason *reason)
{
	const char *name = reason->kind ? fxt_object_kind_name(reason->kind) : "";
	/* The kernel's device numbers have 20 bits for the minor. */
	__u32 device = reason->kind == FXT_ON_BLOCK || reason->kind == FXT_ON_CHARACTER ? reason->object : reason->device;

	*text = '\0';
	switch (reason->kind) {
	case FXT_ON_NONE:
		break;
	case FXT_ON_FILE:
	case FXT_ON_DIRECTORY:
		snprintf(text, FXT_WAIT_OBJECT_BYTES, "%s %u:%u inode %llu", name, device >> 20, device & 0xfffff,
			 reason->object);
		break;
	case FXT_ON_BLOCK:
	case FXT_ON_CHARACTER:
		snprintf(text, FXT_WAIT_OBJECT_BYTES, "%s %u:%u", name, device >> 20, device & 0xfffff);
		break;
	case FXT_ON_PIPE:
	case FXT_ON_UNIX:
	case FXT_ON_INET:
	case FXT_ON_INET6:
	case FXT_ON_NETLINK:
	case FXT_ON_SOCKET:
		snprintf(text, FXT_WAIT_OBJECT_BYTES, "%s:[%llu]", name, reason->object);
		break;
	case FXT_ON_CHILD:
		snprintf(text, FXT_WAIT_OBJECT_BYTES, "process %llu", reason->object);
		break;
	case FXT_ON_FUTEX:
		if (device) {
			snprintf(text, FXT_WAIT_OBJECT_BYTES, "%s %u:%u inode %llu+%llu", name, device >> 20, device & 0xfffff,
				 reason->inode, reason->offset);
			break;
		}
		/* fall through */
	default:
		snprintf(text, FXT_WAIT_OBJECT_BYTES, "%s 0x%llx", name, reason->object);
	}
	return text;
}
