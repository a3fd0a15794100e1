// SPDX-License-Identifier: GPL-2.0-only
/* The sockets of network namespaces. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "describe/namespaces.h"
#include "describe/unix.h"
#include "util/time.h"

/* Longest wait for another thread that reads sockets. */
#define WAIT_NS		200000000u
/* Shortest time between two readings of a namespace in a round: a process may have sockets that no reading lists. */
#define REST_NS		10000000u

struct fxt_namespace {
	__u64 round_ns;		/* start of the round of the last reading */
	__u64 read_ns;		/* end of the last reading; 0: none yet */
	struct fxt_map sockets;	/* struct fxt_unix_socket by inode */
};

static struct timespec time_of(__u64 ns)
{
	return (struct timespec){ ns / SECOND_NS, ns % SECOND_NS };
}

void fxt_namespaces_init(struct fxt_namespaces *n)
{
	*n = (struct fxt_namespaces){ 0 };
	pthread_mutex_init(&n->lock, NULL);
}

static void namespace_free(void *value)
{
	struct fxt_namespace *of = value;

	fxt_map_uninit(&of->sockets, free);
	free(of);
}

void fxt_namespaces_uninit(struct fxt_namespaces *n)
{
	fxt_map_uninit(&n->of, namespace_free);
	pthread_mutex_destroy(&n->lock);
}

void fxt_namespaces_round(struct fxt_namespaces *n)
{
	__atomic_store_n(&n->round_ns, fxt_time_ns(CLOCK_MONOTONIC), __ATOMIC_RELAXED);
}

/* Finds or adds a process's namespace; NULL: the process is gone, or without memory. */
static struct fxt_namespace *find(struct fxt_namespaces *n, const char *folder)
{
	char path[64], link[64] = "";
	struct fxt_namespace *of;
	__u64 inode;

	snprintf(path, sizeof(path), "%s/ns/net", folder);
	if (readlink(path, link, sizeof(link) - 1) <= 0 || sscanf(link, "net:[%llu]", &inode) != 1)
		return NULL;
	of = fxt_map_get(&n->of, inode);
	return of ? of : fxt_map_new(&n->of, inode, sizeof(*of));
}

/* Returns whether sockets are to be read for a process: some came after the last reading. */
static bool is_old(__u64 round_ns, const struct fxt_namespace *of, const struct fxt_socket_list *own)
{
	unsigned int i;

	if (!of->read_ns || of->round_ns != round_ns)
		return true;
	if (round_ns && fxt_time_ns(CLOCK_MONOTONIC) - round_ns < SECOND_NS)
		return false;
	for (i = 0; i < own->count && fxt_map_get(&of->sockets, own->inode[i]); i++)
		;
	return i < own->count;
}

struct internet {
	struct fxt_map *sockets;
	bool (*each)(void *arg, const char *kind, __u64 inode, const char *name);
	void *arg;
};

static bool internet_add(void *arg, const char *kind, __u64 inode, const char *name)
{
	const struct internet *i = arg;

	return (fxt_map_get(i->sockets, inode) || fxt_map_new(i->sockets, inode, sizeof(struct fxt_unix_socket))) &&
	       i->each(i->arg, kind, inode, name);
}

/* Reads the sockets of a process's namespace.  Returns whether all were read. */
static bool read_all(struct fxt_namespace *of, const char *folder, struct internet *internet)
{
	struct timespec next = time_of(of->read_ns + REST_NS);
	bool all;

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	fxt_map_uninit(&of->sockets, free);
	/* A kernel without diagnostics of Unix sockets has none to read. */
	fxt_unix_read(folder, FXT_NAMESPACE_SOCKETS, &of->sockets);
	all = of->sockets.count < FXT_NAMESPACE_SOCKETS;
	internet->sockets = &of->sockets;
	all = fxt_sockets_each(folder, FXT_NAMESPACE_SOCKETS, internet_add, internet) && all;
	of->read_ns = fxt_time_ns(CLOCK_MONOTONIC);
	return all;
}

const struct fxt_map *fxt_namespaces_get(struct fxt_namespaces *n, __u32 pid, const struct fxt_socket_list *own,
					 bool (*each)(void *arg, const char *kind, __u64 inode, const char *name), void *arg,
					 bool *cut)
{
	struct internet internet = { .each = each, .arg = arg };
	struct timespec until = time_of(fxt_time_ns(CLOCK_MONOTONIC) + WAIT_NS);
	__u64 round_ns = __atomic_load_n(&n->round_ns, __ATOMIC_RELAXED);
	struct fxt_namespace *of;
	char folder[32];

	if (pthread_mutex_clocklock(&n->lock, CLOCK_MONOTONIC, &until)) {
		*cut = true;
		return NULL;
	}
	snprintf(folder, sizeof(folder), "/proc/%u", pid);
	of = find(n, folder);
	if (!of) {
		fxt_namespaces_put(n);
		return NULL;
	}
	if (is_old(round_ns, of, own) && !read_all(of, folder, &internet))
		*cut = true;
	of->round_ns = round_ns;
	return &of->sockets;
}

void fxt_namespaces_put(struct fxt_namespaces *n)
{
	pthread_mutex_unlock(&n->lock);
}
