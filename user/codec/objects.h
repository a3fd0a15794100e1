/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Keeps the threads and processes of a file, and their names from kernel object records. */
#ifndef FXT_CODEC_OBJECTS_H
#define FXT_CODEC_OBJECTS_H

#include "codec/record.h"
#include "store/map.h"

/* Limit of threads and of processes that a reader keeps; Linux has up to 4 Mi threads at a time. */
#define FXT_OBJECTS_MAX		(5u << 20)

struct fxt_object {
	__u64 koid;
	__u64 process;		/* process of a thread; 0: not known */
	__u64 cgroup_id;	/* id of a thread's control group; 0: not known */
	__u32 marks;		/* marks of the caller */
	bool named;
	__u16 length;
	__u16 room;
	char *name;		/* last name so far, for fxt_object_name(); NULL while empty */
	struct fxt_object *next;	/* next object, for fxt_objects_next() */
};

struct fxt_object_map {
	struct fxt_map by_koid;
	struct fxt_object *first, *last;	/* list in the order of appearance */
};

/* Objects of all providers.  All zero is an empty table in the heap. */
struct fxt_objects {
	struct fxt_object_map threads;
	struct fxt_object_map processes;
};

void fxt_objects_init(struct fxt_objects *objects, struct fxt_spill *spill);
void fxt_objects_uninit(struct fxt_objects *objects);

/* Return the thread or process of a koid, or NULL. */
const struct fxt_object *fxt_objects_thread(const struct fxt_objects *objects, __u64 koid);
const struct fxt_object *fxt_objects_process(const struct fxt_objects *objects, __u64 koid);

/* Returns the name of an object. */
struct fxt_text fxt_object_name(const struct fxt_object *object);

/* Finds or adds an object.  Returns NULL with *err set to -ENOMEM, or to -E2BIG beyond the limit. */
struct fxt_object *fxt_objects_find(struct fxt_object_map *map, __u64 koid, int *err);

/* Returns the object after the given one in the order of the file: the first for NULL; NULL after the last. */
const struct fxt_object *fxt_objects_next(const struct fxt_object_map *map, const struct fxt_object *object);

/* Adds a kernel object record; ignores any other record.  Returns 0, -ENOMEM or -E2BIG. */
int fxt_objects_add(struct fxt_objects *objects, const struct fxt_record *r);

#endif
