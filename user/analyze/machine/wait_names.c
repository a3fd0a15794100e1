// SPDX-License-Identifier: GPL-2.0-only
/* Names of the objects that threads wait for, from the recorder's events "object". */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/machine/wait_names.h"

/* The properties that identify an object. */
struct object_key {
	__u64 inode;
	__u32 device;
	__u32 kind;		/* FXT_ON_FILE, FXT_ON_PIPE or FXT_ON_SOCKET: such kinds share their inodes */
};

/* The processes at an end of a pipe or of a Unix socket. */
struct end {
	__u64 process[FXT_WAIT_ENDS];
	__u32 count;
};

struct fxt_wait_name {
	struct object_key key;
	const char *name;	/* first name; NULL: none */
	bool several;		/* there are other names */
	struct end reads, writes;	/* of a pipe; a Unix socket has its processes in writes */
	__u64 peer;		/* inode of a Unix socket's other end; 0: not known */
	enum fxt_object_kind kind;	/* kind and time of the first event */
	__u64 ns;
	struct fxt_wait_name *next;
};

/* Sets the key of an object.  Returns false for a kind without names. */
static bool key_of(struct object_key *key, enum fxt_object_kind kind, __u64 inode, __u32 device)
{
	memset(key, 0, sizeof(*key));
	key->inode = inode;
	switch (kind) {
	case FXT_ON_FILE:
	case FXT_ON_DIRECTORY:
		key->kind = FXT_ON_FILE;
		key->device = device;
		return true;
	case FXT_ON_PIPE:
		key->kind = FXT_ON_PIPE;
		return true;
	case FXT_ON_UNIX:
	case FXT_ON_INET:
	case FXT_ON_INET6:
	case FXT_ON_NETLINK:
	case FXT_ON_SOCKET:
		key->kind = FXT_ON_SOCKET;
		return true;
	default:
		return false;
	}
}

/* Reads the object of an event.  Returns false for an event without any. */
static bool object_read(struct object_key *key, enum fxt_object_kind *of, const struct fxt_record *r)
{
	__u64 inode, device = 0;
	int kind;

	fxt_arg_number(fxt_record_arg(r, "device"), &device);
	for (kind = FXT_ON_NONE + 1; kind < FXT_ONS; kind++)
		if (!fxt_arg_number(fxt_record_arg(r, fxt_object_kind_name(kind)), &inode)) {
			*of = kind;
			return device <= ~0U && key_of(key, kind, inode, device);
		}
	return false;
}

static void end_add(struct end *end, __u64 process)
{
	__u32 i;

	for (i = 0; i < end->count && i < FXT_WAIT_ENDS; i++)
		if (end->process[i] == process)
			return;
	if (end->count < FXT_WAIT_ENDS)
		end->process[end->count] = process;
	if (end->count < FXT_WAIT_ENDS + 1)
		end->count++;
}

static void ends_read(struct fxt_wait_name *name, const struct fxt_record *r)
{
	const struct fxt_arg *end = fxt_record_arg(r, "end");
	__u64 process;

	if (fxt_arg_number(fxt_record_arg(r, "process"), &process))
		return;
	if (name->key.kind == FXT_ON_SOCKET) {
		fxt_arg_number(fxt_record_arg(r, "peer"), &name->peer);
		end_add(&name->writes, process);
	}
	if (name->key.kind != FXT_ON_PIPE)
		return;
	if (fxt_arg_equal(end, "read") || fxt_arg_equal(end, "both"))
		end_add(&name->reads, process);
	if (fxt_arg_equal(end, "write") || fxt_arg_equal(end, "both"))
		end_add(&name->writes, process);
}

/* Finds or adds an object; NULL: -ENOMEM, or beyond the limit. */
static struct fxt_wait_name *name_of(struct fxt_wait_names *n, struct fxt_tasks *tasks, const struct object_key *key,
				     enum fxt_object_kind kind, __u64 ns)
{
	struct fxt_wait_name *name = fxt_map_named(&n->map, key, sizeof(*key));

	if (name || n->map.count >= FXT_WAIT_NAMES_MAX)
		return name;
	n->map.memory.spill = tasks->spill;
	name = fxt_map_new_named(&n->map, key, sizeof(*key), sizeof(*name));
	if (!name)
		return NULL;
	name->kind = kind;
	name->ns = ns;
	*(n->last ? &n->last->next : &n->first) = name;
	n->last = name;
	return name;
}

int fxt_wait_names_event(struct fxt_wait_names *n, struct fxt_tasks *tasks, const struct fxt_record *r)
{
	const struct fxt_arg *arg = fxt_record_arg(r, "name");
	struct fxt_wait_name *name;
	enum fxt_object_kind kind;
	struct object_key key;
	const char *text;

	if (!object_read(&key, &kind, r))
		return 0;
	name = name_of(n, tasks, &key, kind, r->ticks);
	if (!name)
		return n->map.count >= FXT_WAIT_NAMES_MAX ? 0 : -ENOMEM;
	ends_read(name, r);
	if (!arg || arg->type != FXT_ARG_STRING || !arg->string.length || name->several)
		return 0;
	text = fxt_tasks_text(tasks, &arg->string);
	if (!text)
		return -ENOMEM;
	name->several = name->name && name->name != text;
	name->name = name->name ? name->name : text;
	return 0;
}

/* Writes the name of a process, from its position in a text on.  Returns the new position. */
static size_t process_write(char *text, size_t at, const struct fxt_tasks *tasks, __u64 pid)
{
	const struct fxt_process *process = fxt_map_get(&tasks->processes, pid);
	const struct fxt_object *object = fxt_objects_thread(&tasks->objects, pid);
	struct fxt_text name = object && object->named ? fxt_object_name(object) : (struct fxt_text){ 0 };

	if (process && process->name[0])
		name = (struct fxt_text){ .bytes = process->name, .length = strlen(process->name) };
	if (!name.length || name.length > FXT_TASK_NAME_BYTES)
		return at + snprintf(text + at, FXT_WAIT_NAME_BYTES - at, "process %llu", pid);
	return at + snprintf(text + at, FXT_WAIT_NAME_BYTES - at, "%.*s", (int)name.length, name.bytes);
}

/* Writes the processes at an end: "?" if none is known. */
static size_t end_write(char *text, size_t at, const struct fxt_tasks *tasks, const struct end *end)
{
	__u32 i;

	for (i = 0; i < end->count && i < FXT_WAIT_ENDS; i++) {
		at += snprintf(text + at, FXT_WAIT_NAME_BYTES - at, i ? ", " : "");
		at = process_write(text, at, tasks, end->process[i]);
	}
	return at + snprintf(text + at, FXT_WAIT_NAME_BYTES - at, !i ? "?" : end->count > FXT_WAIT_ENDS ? ", ..." : "");
}

/*
 * Writes "logger > cat" for a pipe, and "client > server" for a Unix socket, its own end first.  other: the other end of
 * the socket; NULL: not known.  Returns the bytes; 0 if no process is known.
 */
static size_t ends_write(char *text, const struct fxt_tasks *tasks, const struct fxt_wait_name *name,
			 const struct fxt_wait_name *other)
{
	const struct end *to = other ? &other->writes : &name->reads;
	size_t at;

	if ((!name->writes.count && !to->count) || (name->key.kind == FXT_ON_SOCKET && !name->peer))
		return 0;
	at = end_write(text, 0, tasks, &name->writes);
	at += snprintf(text + at, FXT_WAIT_NAME_BYTES - at, " > ");
	return end_write(text, at, tasks, to);
}

const char *fxt_wait_name(char text[FXT_WAIT_NAME_BYTES], const struct fxt_wait_names *n,
			  const struct fxt_tasks *tasks, const struct fxt_sleep_reason *reason)
{
	const struct fxt_wait_name *name = NULL, *other = NULL;
	struct object_key key;
	size_t at;

	*text = '\0';
	if (fxt_reason_is_mapped(reason) ? key_of(&key, FXT_ON_FILE, reason->inode, reason->device) :
					   key_of(&key, reason->kind, reason->object, reason->device))
		name = fxt_map_named(&n->map, &key, sizeof(key));
	if (!name)
		return text;
	if (name->peer && key_of(&key, FXT_ON_UNIX, name->peer, 0))
		other = fxt_map_named(&n->map, &key, sizeof(key));
	at = ends_write(text, tasks, name, other);
	/* The address is that of the end that was listened at. */
	if (!name->name && other)
		name = other;
	if (name->name)
		snprintf(text + at, FXT_WAIT_NAME_BYTES - at, "%s%s%s", at ? " " : "", name->name, name->several ? ", ..." : "");
	return text;
}

int fxt_wait_names_each(const struct fxt_wait_names *n,
			int (*each)(void *arg, const struct fxt_sleep_reason *object, __u64 ns), void *arg)
{
	const struct fxt_wait_name *name;
	int err = 0;

	for (name = n->first; name && !err; name = name->next) {
		struct fxt_sleep_reason object = {
			.kind = name->kind, .object = name->key.inode, .device = name->key.device,
		};

		err = each(arg, &object, name->ns);
		if (err || name->key.kind != FXT_ON_FILE)
			continue;
		object.kind = name->kind == FXT_ON_FILE ? FXT_ON_DIRECTORY : FXT_ON_FILE;
		err = each(arg, &object, name->ns);
	}
	return err;
}

void fxt_wait_names_uninit(struct fxt_wait_names *n)
{
	fxt_map_uninit(&n->map, NULL);
}
