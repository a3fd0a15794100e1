// SPDX-License-Identifier: GPL-2.0-only
/* Describes a process beyond its name: command line, parent, control group, container. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "describe/emit.h"
#include "describe/proc.h"
#include "describe/process.h"

/* Digits of a container's id in the name of its control group, and of the short form. */
#define CONTAINER_DIGITS	64
#define CONTAINER_SHORT		12

/*
 * The control group's path: of cgroup v2, or, where that hierarchy isn't used, the
 * deepest of the others.  "" for the root of all.
 */
static void group_of(const char *folder, char *group, size_t room)
{
	char path[64], line[PATH_MAX];
	FILE *f;

	*group = '\0';
	snprintf(path, sizeof(path), "%s/cgroup", folder);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');
		const char *at = colon ? strchr(colon + 1, ':') : NULL;

		line[strcspn(line, "\n")] = '\0';
		if (at && at[1] == '/' && at[2] && strlen(at + 1) > strlen(group))
			snprintf(group, room, "%s", at + 1);
		if (!strncmp(line, "0::", 3) && *group && !strcmp(group, line + 3))
			break;
	}
	if (f)
		fclose(f);
}

/* The id of a container in the path of its control group; "" where there is none. */
static void container_of_group(const char *group, char *id)
{
	const char *p = group;

	*id = '\0';
	while (*p) {
		size_t digits = strspn(p, "0123456789abcdef");

		if (digits == CONTAINER_DIGITS) {
			memcpy(id, p, CONTAINER_SHORT);
			id[CONTAINER_SHORT] = '\0';
		}
		p += digits ? digits : 1;
	}
}

/* Its parent, and its id in its own PID namespace where that is another. */
static void put_ids(struct fxt_emit_args *args, const char *folder)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/status", folder);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unsigned int outer, inner, parent;
		const char *last = strrchr(line, '\t');

		if (sscanf(line, "PPid: %u", &parent) == 1 && parent)
			fxt_emit_arg_koid(args, "parent", parent);
		else if (sscanf(line, "NSpid: %u %u", &outer, &inner) == 2)
			fxt_emit_arg_number(args, "namespace_id", strtoul(last, NULL, 10));
	}
	if (f)
		fclose(f);
}

int fxt_process_describe(__u32 pid, const struct fxt_name_entry *entry, char **records, size_t *bytes)
{
	char folder[32], name[FXT_COMM_BYTES] = "", group[PATH_MAX], id[CONTAINER_SHORT + 1];
	char command[FXT_EMIT_TEXT_MAX];
	struct fxt_emit_args args = {};
	FILE *f;

	snprintf(folder, sizeof(folder), "/proc/%u", pid);
	/* Threads of the kernel have none, and nothing else to describe. */
	if (fxt_proc_command(folder, command, sizeof(command)))
		return 0;
	f = open_memstream(records, bytes);
	if (!f)
		return -ENOMEM;
	group_of(folder, group, sizeof(group));
	container_of_group(group, id);
	fxt_emit_arg_number(&args, "since", entry->valid_from);
	fxt_emit_arg_text(&args, "command", command);
	fxt_emit_arg_text(&args, "cgroup", group);
	fxt_emit_arg_text(&args, "container", id);
	put_ids(&args, folder);
	memcpy(name, &entry->name, sizeof(name) - 1);
	fxt_emit_process(f, pid, name, &args);
	return fclose(f) ? -ENOMEM : 0;
}
