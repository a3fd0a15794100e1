// SPDX-License-Identifier: GPL-2.0-only
/* Names the objects that threads wait for: paths of open files, processes at the ends of pipes and sockets, addresses. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/objects.h"
#include "describe/unix.h"
#include "store/keyed.h"
#include "util/lock.h"

/* Longest kind with its end. */
#define KIND_BYTES	16u

/* A process that is read. */
struct reading {
	struct fxt_naming *named;
	FILE *f;		/* events */
	__u64 ticks;
	__u32 pid;
	int folder;		/* /proc/PID */
	char *mounts;		/* text of mountinfo; NULL: not read yet */
	__u64 sockets[FXT_OBJECTS_PROCESS];	/* inodes of its sockets */
	unsigned int socket_count;
	bool any;		/* an event was put */
	bool cut;
};

void fxt_naming_init(struct fxt_naming *n)
{
	*n = (struct fxt_naming){ .limit = FXT_OBJECTS_ROUND };
	fxt_lock_init(&n->lock);
	fxt_namespaces_init(&n->namespaces);
}

void fxt_naming_uninit(struct fxt_naming *n)
{
	fxt_map_uninit(&n->seen, free);
	fxt_namespaces_uninit(&n->namespaces);
	pthread_mutex_destroy(&n->lock);
}

void fxt_naming_round(struct fxt_naming *n, bool again)
{
	pthread_mutex_lock(&n->lock);
	if (again)
		fxt_map_uninit(&n->seen, free);
	n->limit = n->seen.count + FXT_OBJECTS_ROUND;
	pthread_mutex_unlock(&n->lock);
	fxt_namespaces_round(&n->namespaces);
}

/* Returns whether an object is to be named: it has no such name yet, and the limit allows it. */
static bool is_new(struct reading *r, const char *kind, __u64 inode, __u32 device, const char *name)
{
	struct {
		char kind[KIND_BYTES];
		__u64 inode, name, device;
	} key;
	struct fxt_naming *n = r->named;
	bool new = false;

	memset(&key, 0, sizeof(key));
	snprintf(key.kind, sizeof(key.kind), "%s", kind);
	key.inode = inode;
	key.device = device;
	key.name = fxt_keyed_bytes(name, strlen(name));
	pthread_mutex_lock(&n->lock);
	if (!fxt_map_named(&n->seen, &key, sizeof(key))) {
		if (n->seen.count < n->limit)
			new = fxt_map_new_named(&n->seen, &key, sizeof(key), sizeof(key));
		r->cut = r->cut || !new;
	}
	pthread_mutex_unlock(&n->lock);
	return new;
}

/* Reads a file of /proc to its end, or to the limit.  Returns the terminated text, which the caller frees, or NULL. */
static char *text_read(int folder, const char *path, size_t most)
{
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	size_t bytes = 0, room = 0;
	char *text = NULL;
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && bytes < most) {
		if (bytes + 1 >= room) {
			char *more = realloc(text, room = room ? 2 * room : 512);

			if (!more)
				break;
			text = more;
		}
		got = read(fd, text + bytes, room - 1 - bytes);
		bytes += got > 0 ? got : 0;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[bytes] = '\0';
	return text;
}

/* Finds the device of a mount, as the kernel numbers it.  Returns 0 if it isn't in the process's mount namespace. */
static __u32 device_of(struct reading *r, unsigned int mount)
{
	const char *line;

	if (!r->mounts)
		r->mounts = text_read(r->folder, "mountinfo", (size_t)4 << 20);
	for (line = r->mounts; line && *line; line = strchr(line, '\n')) {
		unsigned int id, major, minor;

		line += *line == '\n';
		if (sscanf(line, "%u %*u %u:%u", &id, &major, &minor) == 3 && id == mount)
			return major << 20 | minor;
	}
	return 0;
}

static void put(struct reading *r, const struct fxt_emit_args *args)
{
	if (!r->any)
		fxt_emit_self(r->f);
	r->any = true;
	fxt_emit_instant(r->f, r->ticks, "object", args);
}

/* Adds a path.  Where it is too long, its end names the file. */
static void path_add(struct fxt_emit_args *args, const char *path)
{
	size_t bytes = strlen(path);
	char end[FXT_EMIT_TEXT_MAX + 1];

	if (bytes > FXT_EMIT_TEXT_MAX) {
		snprintf(end, sizeof(end), "...%s", path + bytes - (FXT_EMIT_TEXT_MAX - 3));
		path = end;
	}
	fxt_emit_arg_text(args, "name", path);
}

static void put_file(struct reading *r, const char *info, const char *path)
{
	const char *mount = strstr(info, "mnt_id:"), *ino = strstr(info, "\nino:");
	struct fxt_emit_args args = {};
	__u64 inode = ino ? strtoull(ino + 5, NULL, 10) : 0;
	__u32 device = mount && inode ? device_of(r, strtoul(mount + 7, NULL, 10)) : 0;

	if (!device || !is_new(r, "file", inode, device, path))
		return;
	fxt_emit_arg_number(&args, "file", inode);
	fxt_emit_arg_number(&args, "device", device);
	fxt_emit_arg_koid(&args, "process", r->pid);
	path_add(&args, path);
	put(r, &args);
}

static void put_pipe(struct reading *r, const char *info, __u64 inode)
{
	static const char *const ends[] = { "read", "write", "both", "both" };
	const char *flags = strstr(info, "flags:");
	struct fxt_emit_args args = {};
	char name[64];

	if (!flags)
		return;
	snprintf(name, sizeof(name), "%s %u", ends[strtoul(flags + 6, NULL, 8) & O_ACCMODE], r->pid);
	if (!is_new(r, "pipe", inode, 0, name))
		return;
	fxt_emit_arg_number(&args, "pipe", inode);
	fxt_emit_arg_koid(&args, "process", r->pid);
	fxt_emit_arg_text(&args, "end", ends[strtoul(flags + 6, NULL, 8) & O_ACCMODE]);
	put(r, &args);
}

static bool put_socket(void *arg, const char *kind, __u64 inode, const char *name)
{
	struct fxt_emit_args args = {};
	struct reading *r = arg;

	if (!is_new(r, kind, inode, 0, name))
		return !r->cut;
	fxt_emit_arg_number(&args, kind, inode);
	fxt_emit_arg_text(&args, "name", name);
	put(r, &args);
	return true;
}

/* Puts the process as an end of a Unix socket, with the socket's other end. */
static void put_unix(struct reading *r, __u64 inode, const struct fxt_unix_socket *s)
{
	char name[64 + FXT_UNIX_NAME_BYTES];
	struct fxt_emit_args args = {};

	snprintf(name, sizeof(name), "%u %llu %s", r->pid, s->peer, s->name);
	if ((!s->peer && !s->name[0]) || !is_new(r, "unix", inode, 0, name))
		return;
	fxt_emit_arg_number(&args, "unix", inode);
	fxt_emit_arg_koid(&args, "process", r->pid);
	if (s->peer)
		fxt_emit_arg_number(&args, "peer", s->peer);
	if (s->name[0])
		fxt_emit_arg_text(&args, "name", s->name);
	put(r, &args);
}

/* Names the process's Unix sockets, and the other sockets of its network namespace. */
static void put_sockets(struct reading *r)
{
	const struct fxt_socket_list own = { r->sockets, r->socket_count };
	const struct fxt_map *sockets = fxt_namespaces_get(&r->named->namespaces, r->pid, &own, put_socket, r, &r->cut);
	const struct fxt_unix_socket *s;
	unsigned int i;

	if (!sockets)
		return;
	for (i = 0; i < r->socket_count; i++) {
		s = fxt_map_get(sockets, r->sockets[i]);
		if (s)
			put_unix(r, r->sockets[i], s);
	}
	fxt_namespaces_put(&r->named->namespaces);
}

static void put_descriptor(struct reading *r, const char *number)
{
	char path[300], link[PATH_MAX];
	ssize_t bytes;
	char *info;

	snprintf(path, sizeof(path), "fd/%s", number);
	bytes = readlinkat(r->folder, path, link, sizeof(link) - 1);
	if (bytes <= 0)
		return;
	link[bytes] = '\0';
	if (!strncmp(link, "socket:[", 8))
		r->sockets[r->socket_count++] = strtoull(link + 8, NULL, 10);
	if (*link != '/' && strncmp(link, "pipe:[", 6))
		return;
	snprintf(path, sizeof(path), "fdinfo/%s", number);
	info = text_read(r->folder, path, 512);
	if (info && *link == '/')
		put_file(r, info, link);
	else if (info)
		put_pipe(r, info, strtoull(link + 6, NULL, 10));
	free(info);
}

static void put_descriptors(struct reading *r)
{
	int fd = openat(r->folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	unsigned int count = 0;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder))) {
		if (*entry->d_name == '.')
			continue;
		if (count++ == FXT_OBJECTS_PROCESS) {
			r->cut = true;
			break;
		}
		put_descriptor(r, entry->d_name);
	}
	closedir(folder);
	if (r->socket_count)
		put_sockets(r);
}

int fxt_naming_read(struct fxt_naming *n, __u32 pid, enum fxt_linux_clock clock, char **records, size_t *bytes, bool *cut)
{
	struct reading r = { .named = n, .pid = pid, .ticks = fxt_clock_ticks(clock) };
	char path[32];
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	r.folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r.folder < 0)
		return 0;
	r.f = open_memstream(records, bytes);
	if (r.f)
		put_descriptors(&r);
	if (!r.f || fclose(r.f))
		err = -ENOMEM;
	free(r.mounts);
	close(r.folder);
	*cut = r.cut;
	return err;
}
