// SPDX-License-Identifier: GPL-2.0-only
/* Reads the control group of a process, and the container that the process is in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/cgroup.h"

/* Digits of a container's id in the name of its control group. */
#define CONTAINER_DIGITS	64

/* Returns the path of a line "ID:CONTROLLERS:PATH"; NULL for the root's path. */
static const char *path_of(char *line)
{
	const char *colon = strchr(line, ':');

	line[strcspn(line, "\n")] = '\0';
	colon = colon ? strchr(colon + 1, ':') : NULL;
	return colon && colon[1] == '/' && colon[2] ? colon + 1 : NULL;
}

/* Returns whether a line belongs to the version 1 hierarchy with the controller "cpu". */
static bool has_cpu(const char *line)
{
	const char *word = strchr(line, ':');
	size_t bytes;

	if (!word)
		return false;
	do {
		word++;
		bytes = strcspn(word, ",:");
		if (bytes == 3 && !memcmp(word, "cpu", bytes))
			return true;
		word += bytes;
	} while (*word == ',');
	return false;
}

/* Sets id to the last id of a container in a path, if there is any. */
static void container_of(const char *path, char *id)
{
	while (*path) {
		size_t digits = strspn(path, "0123456789abcdef");

		if (digits == CONTAINER_DIGITS) {
			memcpy(id, path, FXT_CONTAINER_SHORT);
			id[FXT_CONTAINER_SHORT] = '\0';
		}
		path += digits ? digits : 1;
	}
}

/* Reads all lines.  The line of version 2 is the last, so that it takes precedence. */
void fxt_cgroup_read(struct fxt_cgroup *cgroup, const char *folder)
{
	char name[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	*cgroup = (struct fxt_cgroup){};
	snprintf(name, sizeof(name), "%s/cgroup", folder);
	f = fopen(name, "re");
	while (f && getline(&line, &room, f) >= 0) {
		bool unified = !strncmp(line, "0::", 3);
		const char *path = path_of(line);
		bool legacy = has_cpu(line);

		cgroup->cpu_legacy = cgroup->cpu_legacy || legacy;
		if (path && (legacy || (unified && !cgroup->cpu_legacy)))
			snprintf(cgroup->cpu, sizeof(cgroup->cpu), "%s", path);
		if (!path)
			continue;
		if (unified || strlen(path) > strlen(cgroup->path))
			snprintf(cgroup->path, sizeof(cgroup->path), "%s", path);
		if (unified || !*cgroup->container)
			container_of(path, cgroup->container);
	}
	free(line);
	if (f)
		fclose(f);
}
