// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Keeps the threads and processes of a file, and their names from kernel object records. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codec/objects.h"
#include "util/list.h"

void fxt_objects_init(struct fxt_objects *objects, struct fxt_spill *spill)
{
	*objects = (struct fxt_objects){ .threads.by_koid.memory.spill = spill,
					    .processes.by_koid.memory.spill = spill };
}

void fxt_objects_uninit(struct fxt_objects *objects)
{
	fxt_map_uninit(&objects->threads.by_koid, free);
	fxt_map_uninit(&objects->processes.by_koid, free);
}

struct fxt_text fxt_object_name(const struct fxt_object *object)
{
	return (struct fxt_text){ .bytes = object->length ? object->name : "", .length = object->length };
}

const struct fxt_object *fxt_objects_thread(const struct fxt_objects *objects, __u64 koid)
{
	return fxt_map_get(&objects->threads.by_koid, koid);
}

const struct fxt_object *fxt_objects_process(const struct fxt_objects *objects, __u64 koid)
{
	return fxt_map_get(&objects->processes.by_koid, koid);
}

static void append(struct fxt_object_map *map, struct fxt_object *object)
{
	fxt_list_append(map->first, map->last, object);
}

struct fxt_object *fxt_objects_find(struct fxt_object_map *map, __u64 koid, int *err)
{
	struct fxt_object *object = fxt_map_get(&map->by_koid, koid);

	if (object)
		return object;
	*err = -E2BIG;
	if (map->by_koid.count >= FXT_OBJECTS_MAX)
		return NULL;
	*err = -ENOMEM;
	object = fxt_map_new(&map->by_koid, koid, sizeof(*object));
	if (!object)
		return NULL;
	object->koid = koid;
	append(map, object);
	return object;
}

const struct fxt_object *fxt_objects_next(const struct fxt_object_map *map, const struct fxt_object *object)
{
	return object ? object->next : map->first;
}

/* Sets a name.  A name that becomes longer gets twice the capacity, so that the abandoned memory is no larger. */
static int name_set(struct fxt_arena *memory, struct fxt_object *object, const struct fxt_text *text)
{
	if (text->length > object->room) {
		__u32 room = 2 * object->room < text->length ? text->length : 2 * object->room;
		char *name = fxt_arena_alloc(memory, room);

		if (!name)
			return -ENOMEM;
		object->room = room < UINT16_MAX ? room : UINT16_MAX;
		object->name = name;
	}
	if (text->length)
		memcpy(object->name, text->bytes, text->length);
	object->length = text->length;
	object->named = true;
	return 0;
}

int fxt_objects_add(struct fxt_objects *objects, const struct fxt_record *r)
{
	struct fxt_object *object;
	struct fxt_object_map *map;
	__u64 process, cgroup_id;
	int err;

	if (r->kind != FXT_KIND_KERNEL_OBJECT)
		return 0;
	if (r->object.type == FXT_OBJECT_THREAD)
		map = &objects->threads;
	else if (r->object.type == FXT_OBJECT_PROCESS)
		map = &objects->processes;
	else
		return 0;
	object = fxt_objects_find(map, r->object.koid, &err);
	if (!object)
		return err;
	if (!fxt_arg_number(fxt_record_arg(r, "process"), &process))
		object->process = process;
	if (!fxt_arg_number(fxt_record_arg(r, "cgroup_id"), &cgroup_id))
		object->cgroup_id = cgroup_id;
	return name_set(&map->by_koid.memory, object, &r->name);
}
