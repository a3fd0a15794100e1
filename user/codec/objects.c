// SPDX-License-Identifier: GPL-2.0-only
/* The threads and processes of a file, and their names by kernel object records. */
#include <errno.h>
#include <stdlib.h>

#include "codec/objects.h"

static void object_free(void *value)
{
	struct fxt_object *object = value;

	free(object->name);
	free(object);
}

void fxt_objects_uninit(struct fxt_objects *objects)
{
	fxt_map_uninit(&objects->threads, object_free);
	fxt_map_uninit(&objects->processes, object_free);
}

const struct fxt_object *fxt_objects_thread(const struct fxt_objects *objects, __u64 koid)
{
	return fxt_map_get(&objects->threads, koid);
}

const struct fxt_object *fxt_objects_process(const struct fxt_objects *objects, __u64 koid)
{
	return fxt_map_get(&objects->processes, koid);
}

struct fxt_object *fxt_objects_find(struct fxt_map *map, __u64 koid, int *err)
{
	struct fxt_object *object = fxt_map_get(map, koid);

	if (object)
		return object;
	*err = -E2BIG;
	if (map->count >= FXT_OBJECTS_MAX)
		return NULL;
	*err = -ENOMEM;
	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->koid = koid;
	if (fxt_map_put(map, koid, object)) {
		free(object);
		return NULL;
	}
	return object;
}

static int name_set(struct fxt_objects *objects, struct fxt_object *object,
		    const struct fxt_text *text)
{
	char *name = object->name;

	if (text->length > object->room) {
		if (text->length - object->room > FXT_OBJECTS_NAMES_MAX - objects->name_bytes)
			return -E2BIG;
		name = realloc(name, text->length);
		if (!name)
			return -ENOMEM;
		objects->name_bytes += text->length - object->room;
		object->room = text->length;
		object->name = name;
	}
	if (text->length)
		memcpy(name, text->bytes, text->length);
	object->length = text->length;
	object->named = true;
	return 0;
}

int fxt_objects_add(struct fxt_objects *objects, const struct fxt_record *r)
{
	struct fxt_object *object;
	struct fxt_map *map;
	__u64 process;
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
	return name_set(objects, object, &r->name);
}
