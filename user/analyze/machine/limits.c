// SPDX-License-Identifier: GPL-2.0-only
/* CPU limits of control groups, from the recorder's readings of the kernel's throttling counts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/limits.h"
#include "util/list.h"

/* Adds a limit with a first reading.  Returns NULL without memory. */
static struct fxt_limit *limit_new(struct fxt_limits *l, const struct fxt_text *group,
				   const struct fxt_limit_reading *reading)
{
	char *value = fxt_map_new_named(&l->groups, group->bytes, group->length, group->length + sizeof(void *));
	struct fxt_limit *limit = calloc(1, sizeof(*limit));

	if (!value || !limit)
		goto failed;
	limit->group = fxt_text_copy(group);
	if (!limit->group)
		goto failed;
	limit->first = limit->last = *reading;
	memcpy(value + group->length, &limit, sizeof(limit));
	fxt_list_append(l->first, l->newest, limit);
	return limit;
failed:
	free(limit);
	return NULL;
}

static bool reading_get(const struct fxt_record *r, struct fxt_limit_reading *reading)
{
	reading->ns = r->ticks;
	return !fxt_arg_number(fxt_record_arg(r, "periods"), &reading->periods) &&
	       !fxt_arg_number(fxt_record_arg(r, "throttled"), &reading->throttled) &&
	       !fxt_arg_number(fxt_record_arg(r, "throttled_ns"), &reading->throttled_ns);
}

int fxt_limits_event(struct fxt_limits *l, const struct fxt_record *r)
{
	const struct fxt_arg *group = fxt_record_arg(r, "group");
	struct fxt_limit_reading reading;
	struct fxt_limit *limit;
	const char *known;

	if (!group || group->type != FXT_ARG_STRING || !group->string.bytes || !reading_get(r, &reading))
		return 0;
	known = fxt_map_named(&l->groups, group->string.bytes, group->string.length);
	if (!known)
		return limit_new(l, &group->string, &reading) ? 0 : -ENOMEM;
	memcpy(&limit, known + group->string.length, sizeof(limit));
	if (reading.ns < limit->first.ns)
		limit->first = reading;
	if (reading.ns > limit->last.ns)
		limit->last = reading;
	return 0;
}

/* Counts that decrease belong to a new group with the name of a removed one. */
bool fxt_limit_throttled(const struct fxt_limit *l, struct fxt_limit_reading *between)
{
	if (l->last.periods < l->first.periods || l->last.throttled < l->first.throttled ||
	    l->last.throttled_ns < l->first.throttled_ns)
		return false;
	*between = (struct fxt_limit_reading){
		.ns = l->last.ns - l->first.ns,
		.periods = l->last.periods - l->first.periods,
		.throttled = l->last.throttled - l->first.throttled,
		.throttled_ns = l->last.throttled_ns - l->first.throttled_ns,
	};
	return between->throttled || between->throttled_ns;
}

/* Returns whether a group is another one, or above it. */
static bool is_above(const char *group, const char *path)
{
	size_t length = strlen(group);

	return !strcmp(group, "/") || (!strncmp(group, path, length) && (!path[length] || path[length] == '/'));
}

const char *fxt_limits_group(const struct fxt_limits *l, const char *path)
{
	const struct fxt_limit *limit, *nearest = NULL, *any = NULL;
	struct fxt_limit_reading between;
	size_t throttled = 0;

	for (limit = l->first; limit; limit = limit->next) {
		if (!fxt_limit_throttled(limit, &between))
			continue;
		throttled++;
		any = limit;
		if (path && is_above(limit->group, path) && (!nearest || strlen(limit->group) > strlen(nearest->group)))
			nearest = limit;
	}
	return nearest ? nearest->group : throttled == 1 ? any->group : NULL;
}

void fxt_limits_uninit(struct fxt_limits *l)
{
	struct fxt_limit *limit, *next;

	for (limit = l->first; limit; limit = next) {
		next = limit->next;
		free(limit->group);
		free(limit);
	}
	fxt_map_uninit(&l->groups, free);
}
