// SPDX-License-Identifier: GPL-2.0-only
/* Finds tracepoints by their names, and makes tables of their fields, from tracefs. */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <traceevent/event-parse.h>

#include "fxt/events.h"
#include "select/tracepoints.h"
#include "util/near.h"
#include "kernel/tep_field.h"

#define MOUNT	"/sys/kernel/tracing"
#define TRACEFS	MOUNT "/events"

#define STRINGS_MAX	(FXT_STR_STACKS - FXT_STR_TRACEPOINTS)

struct search {
	const char *subsystem, *name;
	int (*found)(void *arg, const char *subsystem, const char *name);
	void *arg;
	int matches;
};

static int search_subsystem(struct search *s, const char *subsystem)
{
	char path[512];
	struct dirent *entry;
	DIR *folder;
	int err = 0;

	snprintf(path, sizeof(path), TRACEFS "/%s", subsystem);
	folder = opendir(path);
	while (folder && !err && (entry = readdir(folder))) {
		if (*entry->d_name == '.' || fnmatch(s->name, entry->d_name, 0))
			continue;
		/* Tracepoints have an id; the directory's own files don't. */
		snprintf(path, sizeof(path), TRACEFS "/%s/%.200s/id", subsystem, entry->d_name);
		if (access(path, R_OK))
			continue;
		s->matches++;
		err = s->found ? s->found(s->arg, subsystem, entry->d_name) : 0;
	}
	if (folder)
		closedir(folder);
	return err;
}

/* Calls found() for each tracepoint that the pattern matches; returns their number, or -errno. */
static int search(const char *pattern, int (*found)(void *arg, const char *, const char *), void *arg)
{
	char *name = strdupa(pattern), *subsystem = strsep(&name, ":");
	struct search s = { .subsystem = subsystem, .name = name ? name : "", .found = found, .arg = arg };
	DIR *folder = opendir(TRACEFS);
	struct dirent *entry;
	int err = 0;

	if (!folder)
		return -errno;
	/* The folder "ftrace" has formats, but no tracepoints. */
	while (!err && (entry = readdir(folder)))
		if (*entry->d_name != '.' && strcmp(entry->d_name, "ftrace") &&
		    !fnmatch(s.subsystem, entry->d_name, 0))
			err = search_subsystem(&s, entry->d_name);
	closedir(folder);
	return err ? err : s.matches;
}

int fxt_tracepoints_each(const char *pattern, int (*found)(void *arg, const char *subsystem, const char *name),
			 void *arg)
{
	return search(pattern, found, arg);
}

int fxt_tracepoints_count(const char *pattern)
{
	return search(pattern, NULL, NULL);
}

/* Returns the index of a text in the string table; 0 where the table is full. */
static __u16 intern(struct fxt_tracepoints *t, const char *text)
{
	unsigned int i;

	for (i = 0; i < t->string_count; i++)
		if (!strcmp(t->strings[i], text))
			return FXT_STR_TRACEPOINTS + i;
	if (i == STRINGS_MAX)
		return FXT_STR_EMPTY;
	t->strings[i] = strdup(text);
	if (!t->strings[i])
		return FXT_STR_EMPTY;
	t->string_count++;
	return FXT_STR_TRACEPOINTS + i;
}

static void fields_add(struct fxt_tracepoints *t, struct fxtrec_tracepoint *tp,
			const struct tep_event *event)
{
	const struct tep_format_field *f;

	for (f = event->format.fields; f && tp->fields < FXTREC_FIELDS_MAX; f = f->next) {
		int kind = fxt_tep_field_kind(f);

		if (kind >= 0)
			tp->field[tp->fields++] = (struct fxtrec_field){
				f->offset, f->size, intern(t, f->name), kind,
			};
	}
}

/* Returns the contents of a text file of tracefs, to be freed; NULL where it can't be read. */
static char *file_read(const char *subsystem, const char *name, const char *file)
{
	char path[512], *text = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), TRACEFS "/%s/%s/%s", subsystem, name, file);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	if (getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

static int format_read(struct fxt_tracepoints *t, struct fxtrec_tracepoint *tp, const char *subsystem,
		       const char *name)
{
	char *text = file_read(subsystem, name, "format");
	struct tep_handle *tep = tep_alloc();
	const struct tep_event *event;
	int err = 0;

	if (!text || !tep)
		err = -ENOMEM;
	/* The library may not understand the print format, but it understands the fields. */
	if (!err)
		tep_parse_event(tep, text, strlen(text), subsystem);
	event = err ? NULL : tep_find_event_by_name(tep, subsystem, name);
	if (event) {
		tp->id = event->id;
		fields_add(t, tp, event);
	}
	err = err || event ? err : -EINVAL;
	tep_free(tep);
	free(text);
	return err;
}

static int tracepoint_add(void *arg, const char *subsystem, const char *name)
{
	struct fxt_tracepoints *t = arg;
	unsigned int i = t->count;
	int err;

	while (i--)
		if (!strcmp(t->names[i].name, name) && !strcmp(t->names[i].subsystem, subsystem))
			return 0;
	if (t->count == FXTREC_TRACEPOINTS_MAX)
		return -E2BIG;
	t->table[t->count] = (struct fxtrec_tracepoint){
		.category = intern(t, subsystem),
		.name = intern(t, name),
	};
	t->names[t->count] = (struct fxt_tracepoint_name){ strdup(subsystem), strdup(name) };
	err = format_read(t, &t->table[t->count], subsystem, name);
	t->count++;
	return err;
}

struct nearest {
	struct fxt_near near;
	char best[128];
};

static int nearest_found(void *arg, const char *subsystem, const char *name)
{
	struct nearest *n = arg;
	char whole[128];

	snprintf(whole, sizeof(whole), "%.60s:%.60s", subsystem, name);
	fxt_near_try(&n->near, whole);
	if (n->near.best == whole)
		n->near.best = strcpy(n->best, whole);
	return 0;
}

/* Sets the error for a missing tracepoint, and suggests the nearest name: of its subsystem, else of all. */
static int missing_error(const char *text, struct fxt_error *error)
{
	char pattern[128], hint[FXT_NEAR_BYTES];
	struct nearest nearest;

	fxt_near_init(&nearest.near, text);
	snprintf(pattern, sizeof(pattern), "%.*s:*", (int)strcspn(text, ":"), text);
	if (!search(pattern, nearest_found, &nearest))
		search("*:*", nearest_found, &nearest);
	return fxt_error_set(error, ENOENT, "-e %s: this kernel has no such tracepoint%s", text,
			     fxt_near_text(hint, &nearest.near));
}

int fxt_tracepoints_init(struct fxt_tracepoints *t, const struct fxt_events *events,
			 struct fxt_error *error)
{
	unsigned int i;
	int err;

	*t = (struct fxt_tracepoints){
		.table = calloc(FXTREC_TRACEPOINTS_MAX, sizeof(*t->table)),
		.names = calloc(FXTREC_TRACEPOINTS_MAX, sizeof(*t->names)),
		.strings = calloc(STRINGS_MAX, sizeof(*t->strings)),
	};
	if (!t->table || !t->names || !t->strings)
		return fxt_error_set(error, ENOMEM, "no memory");
	/* libtraceevent would warn about every format that it can't print. */
	tep_set_loglevel(TEP_LOG_NONE);
	for (i = 0; i < events->patterns; i++) {
		const char *text = events->pattern[i].text;

		err = search(text, tracepoint_add, t);
		if (err == -E2BIG)
			return fxt_error_set(error, E2BIG, "-e %s: more than %u tracepoints", text,
					     FXTREC_TRACEPOINTS_MAX);
		if (err < 0)
			return fxt_error_set(error, EACCES, "-e %s: can't read " TRACEFS ": %s%s", text,
					     strerror(-err), err == -ENOENT ?
					     " (mount -t tracefs nodev " MOUNT ")" : "");
		if (!err && !events->pattern[i].optional)
			return missing_error(text, error);
	}
	return 0;
}

void fxt_tracepoints_uninit(struct fxt_tracepoints *t)
{
	while (t->count) {
		t->count--;
		free(t->names[t->count].subsystem);
		free(t->names[t->count].name);
	}
	while (t->string_count)
		free(t->strings[--t->string_count]);
	free(t->strings);
	free(t->names);
	free(t->table);
	*t = (struct fxt_tracepoints){};
}
