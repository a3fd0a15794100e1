// SPDX-License-Identifier: GPL-2.0-only
/* Numbers the threads and handlers that ran while a thread waited. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/blame/suspects.h"

#define ROOM_MIN	16u

#define NAME(id, name)	name,
const char *const fxt_culprit_names[] = { FXT_CULPRIT_KINDS_TABLE(NAME) };

int fxt_suspects_init(struct fxt_suspects *s, struct fxt_spill *spill)
{
	*s = (struct fxt_suspects){ .named.memory.spill = spill };
	fxt_suspects_add(s, spill, FXT_CULPRIT_UNKNOWN, NULL);
	fxt_suspects_add(s, spill, FXT_CULPRIT_IDLE, NULL);
	return fxt_suspects_add(s, spill, FXT_CULPRIT_THROTTLED, NULL) == FXT_SUSPECT_THROTTLED ? 0 : -ENOMEM;
}

void fxt_suspects_uninit(struct fxt_suspects *s, struct fxt_spill *spill)
{
	fxt_spill_free(spill, s->of, s->room * sizeof(*s->of));
	fxt_map_uninit(&s->named, NULL);
}

__u32 fxt_suspects_add(struct fxt_suspects *s, struct fxt_spill *spill, enum fxt_culprit_kind kind,
		       const void *what)
{
	if (s->count == s->room) {
		__u32 room = s->room ? 2 * s->room : ROOM_MIN, i;
		struct fxt_culprit *of = fxt_spill_alloc(spill, room * sizeof(*of));

		if (!of)
			return 0;
		for (i = 0; i < s->count; i++) {
			struct fxt_culprit one;

			one = s->of[i];
			of[i] = one;
		}
		fxt_spill_free(spill, s->of, s->room * sizeof(*s->of));
		s->of = of;
		s->room = room;
	}
	s->of[s->count] = (struct fxt_culprit){ kind, what, 0 };
	return s->count++;
}

__u32 fxt_suspects_named(struct fxt_suspects *s, struct fxt_spill *spill, enum fxt_culprit_kind kind,
			 const char *text)
{
	__u64 key = (uintptr_t)text * FXT_CULPRIT_KINDS + kind;
	__u32 *number = fxt_map_get(&s->named, key), added;

	if (number)
		return *number;
	number = fxt_map_new(&s->named, key, sizeof(*number));
	added = number ? fxt_suspects_add(s, spill, kind, text) : 0;
	/* The list of suspects may have moved. */
	if (number)
		*number = added;
	return added;
}

const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *c)
{
	const struct fxt_task *task = c->what;
	char class[FXT_TASK_CLASS_BYTES];

	if (c->kind == FXT_CULPRIT_THREAD)
		snprintf(text, room, "%s:%llu%s", task->name, task->tid, fxt_task_class(class, task));
	else if (c->what)
		snprintf(text, room, "%s %s", fxt_culprit_names[c->kind], (const char *)c->what);
	else
		snprintf(text, room, "%s", fxt_culprit_names[c->kind]);
	return text;
}
