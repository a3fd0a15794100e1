// SPDX-License-Identifier: GPL-2.0-only
/* Writes the reason of a thread's sleep in words. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analyze/machine/sleep.h"

const char *fxt_sleep_write(const struct fxt_machine *m, char *text, size_t room, const struct fxt_sleep_reason *reason,
			    const struct fxt_task *holder)
{
	char call[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const char *name = fxt_wait_call(&m->calls, reason, call);

	fxt_wait_object(object, reason);
	if (holder && reason->bits & FXT_REASON_JOIN)
		snprintf(text, room, "end of %s:%llu", holder->name, holder->tid);
	else if (reason->kind == FXT_ON_FUTEX)
		snprintf(text, room, "%s", object);
	else
		snprintf(text, room, "%s%s%s", *name ? name : "unknown call", *object ? " of " : "", object);
	return text;
}

/* A kept text. */
struct sleep_text {
	struct fxt_sleep_reason reason;	/* reason with the text's object */
	const char *named;		/* text with the object's name; NULL: not requested yet */
};

const char *fxt_sleep_keep(struct fxt_machine *m, const char *text, const struct fxt_sleep_reason *reason)
{
	const char *kept = fxt_tasks_string(&m->tasks, text);
	__u64 key = (uintptr_t)kept;
	struct sleep_text *of;

	if (!kept || !reason->kind || fxt_map_get(&m->sleep_texts, key))
		return kept;
	m->sleep_texts.memory.spill = m->spill;
	of = fxt_map_new(&m->sleep_texts, key, sizeof(*of));
	if (!of)
		return NULL;
	of->reason = *reason;
	return kept;
}

/* Returns the last occurrence of a part; NULL: none. */
static const char *last_of(const char *text, const char *part)
{
	const char *found = NULL, *at;

	for (at = strstr(text, part); at; at = strstr(at + 1, part))
		found = at;
	return found;
}

/* Returns a text with the name of its object; the text itself if the object has none, or without memory. */
static const char *name_add(struct fxt_machine *m, const char *text, const struct fxt_sleep_reason *of)
{
	char object[FXT_WAIT_OBJECT_BYTES], name[FXT_WAIT_NAME_BYTES], named[FXT_SLEEP_NAMED_BYTES];
	const char *at, *kept;

	if (!*fxt_wait_name(name, &m->wait_names, &m->tasks, of))
		return text;
	/* The object's text comes after names of threads, which may contain any text. */
	at = last_of(text, fxt_wait_object(object, of));
	if (!at)
		return text;
	snprintf(named, sizeof(named), "%.*s%s (%s)%s", (int)(at - text), text, name, object, at + strlen(object));
	kept = fxt_tasks_string(&m->tasks, named);
	return kept ? kept : text;
}

const char *fxt_sleep_named(struct fxt_machine *m, const char *text)
{
	struct sleep_text *of = text ? fxt_map_get(&m->sleep_texts, (uintptr_t)text) : NULL;

	if (!of)
		return text;
	if (!of->named)
		of->named = name_add(m, text, &of->reason);
	return of->named;
}
