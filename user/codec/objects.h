/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The threads and processes of a file, and their names by kernel object records. */
#ifndef FXT_CODEC_OBJECTS_H
#define FXT_CODEC_OBJECTS_H

#include "codec/record.h"
#include "store/map.h"

/* Limit of what a reader keeps of a file; Linux has up to 4 Mi threads at a time. */
#define FXT_OBJECTS_MAX		(5u << 20)

struct fxt_object {
	__u64 koid;
	__u64 process;		/* of a thread, where known */
	__u64 cgroup_id;	/* the same; 0: not known */
	__u32 marks;		/* of the caller */
	bool named;
	__u16 length;
	__u16 room;
	char *name;		/* the last one so far; NULL while empty; by fxt_object_name() */
	struct fxt_object *next;	/* by fxt_objects_next() */
};

struct fxt_object_map {
	struct fxt_map by_koid;
	struct fxt_object *first, *last;	/* in the order in which they were found */
};

/* Global, not by provider.  All zero is an empty table, of the heap. */
struct fxt_objects {
	struct fxt_object_map threads;
	struct fxt_object_map processes;
};

void fxt_objects_init(struct fxt_objects *objects, struct fxt_spill *spill);
void fxt_objects_uninit(struct fxt_objects *objects);

/* The thread or process of a koid, or NULL. */
const struct fxt_object *fxt_objects_thread(const struct fxt_objects *objects, __u64 koid);
const struct fxt_object *fxt_objects_process(const struct fxt_objects *objects, __u64 koid);

/* The name of one of the objects. */
struct fxt_text fxt_object_name(const struct fxt_object *object);

/* The same, a new one if need be; NULL: -ENOMEM in err, or -E2BIG past the limit. */
struct fxt_object *fxt_objects_find(struct fxt_object_map *map, __u64 koid, int *err);

/* The next one, in the order in which they were found: that of the file.  NULL: the first; after the last NULL. */
const struct fxt_object *fxt_objects_next(const struct fxt_object_map *map, const struct fxt_object *object);

/* Adds a kernel object record; any other is ignored.  -ENOMEM, -E2BIG. */
int fxt_objects_add(struct fxt_objects *objects, const struct fxt_record *r);

#endif
