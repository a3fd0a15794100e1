// SPDX-License-Identifier: GPL-2.0-only
/* Reads results that "fxtrec gate" wrote. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/gate.h"
#include "formats/json/scan.h"
#include "util/array.h"

/* A file that is read; the scan's argument. */
struct gate_reading {
	FILE *file;
	char bytes[1 << 14];
	struct fxt_json_scan scan;
	struct fxt_gate_runs *runs, *against;
};

static ssize_t fill(void *arg, const char **bytes)
{
	struct gate_reading *r = arg;
	size_t count = fread(r->bytes, 1, sizeof(r->bytes), r->file);

	*bytes = r->bytes;
	return ferror(r->file) ? -EIO : (ssize_t)count;
}

static int beyond(void *arg __attribute__((unused)), const char *what __attribute__((unused)))
{
	return -EBADMSG;
}

static const struct fxt_json_scan_ops ops = { .fill = fill, .beyond = beyond };

/* Puts the scalar of a key into a run.  Unknown keys are ignored: later versions may have more. */
static void figure_set(struct fxt_gate_run *run, int figure, const struct fxt_json_scan *s)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*s", (int)s->text.length, s->text.length ? s->text.bytes : "");
	if (figure >= 0 && s->type == FXT_JSON_NUMBER)
		run->of[figure] = strtoull(text, NULL, 10);
}

static int figure_of(const struct fxt_buffer *key)
{
	int i = FXT_GATE_FIGURE_COUNT;

	while (i-- && (strlen(fxt_gate_names[i]) != key->length || memcmp(fxt_gate_names[i], key->bytes, key->length)))
		;
	return i;
}

static bool key_is(const struct fxt_buffer *key, const char *text)
{
	return key->length == strlen(text) && !memcmp(key->bytes, text, key->length);
}

/* Reads the document: runs are objects in the arrays "runs" and "against" of the outermost object. */
static int document_read(struct gate_reading *r)
{
	struct fxt_gate_run run = { 0 }, none = { 0 };
	struct fxt_gate_runs *to = NULL;
	int token, figure = -1, err = 0;

	while (!err && (token = fxt_json_scan_next(&r->scan)) != FXT_JSON_END) {
		const struct fxt_json_scan *s = &r->scan;

		if (token < 0)
			return token;
		if (token == FXT_JSON_KEY && s->depth == 1)
			to = key_is(&s->text, "runs") ? r->runs : key_is(&s->text, "against") ? r->against : NULL;
		else if (token == FXT_JSON_KEY)
			figure = s->depth == 3 ? figure_of(&s->text) : -1;
		else if (token == FXT_JSON_SCALAR && to && s->depth == 3)
			figure_set(&run, figure, s);
		else if (token == FXT_JSON_OPEN && s->depth == 3)
			run = none;
		else if (token == FXT_JSON_CLOSE && to && s->depth == 2)
			err = fxt_gate_runs_put(to, &run);
	}
	return err;
}

int gate_read(const char *path, struct fxt_gate_runs *runs, struct fxt_gate_runs *against, struct fxt_error *error)
{
	struct gate_reading *r = calloc(1, sizeof(*r));
	size_t before = runs->count;
	int err;

	if (!r)
		return fxt_error_set(error, ENOMEM, "no memory");
	r->runs = runs;
	r->against = against;
	r->file = fopen(path, "re");
	if (!r->file) {
		err = fxt_error_set(error, errno, "%s: %s", path, strerror(errno));
		free(r);
		return err;
	}
	fxt_json_scan_init(&r->scan, &ops, r);
	err = document_read(r);
	if (err == -EBADMSG)
		fxt_error_set(error, EBADMSG, "%s: it is not JSON: %s", path,
			      r->scan.complaint ?: "a value is too long");
	else if (err)
		fxt_error_set(error, -err, "%s: %s", path, strerror(-err));
	else if (runs->count == before)
		err = fxt_error_set(error, ENOENT, "%s: it has no runs (fxtrec gate --save=FILE)", path);
	fxt_json_scan_uninit(&r->scan);
	fclose(r->file);
	free(r);
	return err;
}

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

static int session_add(const char *path, struct fxt_gate_runs **sessions, size_t *count, struct fxt_error *error)
{
	if (fxt_array_more(*sessions, *count))
		return fxt_error_set(error, ENOMEM, "no memory");
	(*sessions)[*count] = (struct fxt_gate_runs){ 0 };
	return gate_read(path, &(*sessions)[(*count)++], NULL, error);
}

int gate_read_sessions(const char *path, struct fxt_gate_runs **sessions, size_t *count, struct fxt_error *error)
{
	struct dirent **names;
	int i, found = scandir(path, &names, is_json, alphasort), err = 0;

	if (found < 0 && errno == ENOTDIR)
		return session_add(path, sessions, count, error);
	if (found < 0)
		return fxt_error_set(error, errno, "%s: %s", path, strerror(errno));
	if (!found)
		err = fxt_error_set(error, ENOENT, "%s: it has no *.json (fxtrec gate --save=FILE)", path);
	for (i = 0; i < found; i++) {
		char *file = NULL;

		if (!err && asprintf(&file, "%s/%s", path, names[i]->d_name) < 0) {
			file = NULL;
			err = fxt_error_set(error, ENOMEM, "no memory");
		}
		if (!err)
			err = session_add(file, sessions, count, error);
		free(file);
		free(names[i]);
	}
	free(names);
	return err;
}
