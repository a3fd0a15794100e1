// SPDX-License-Identifier: GPL-2.0-only
/* Completes values of options from the traces on the command line, for a shell. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/analyze.h"
#include "cmd/complete_trace.h"
#include "cmd/option_tables.h"
#include "codec/objects.h"
#include "show/input.h"
#include "source/clock.h"
#include "util/array.h"
#include "util/time.h"

/* Limits of the time that a user waits for the shell. */
#define LONGEST_NS	SECOND_NS
#define LONGEST_S	2u
#define RECORDS		4096u	/* between two readings of the clock */

const char *cmd_complete_file(const struct fxt_command *command, int count, char **words)
{
	int i;

	for (i = 0; i < count - 1; i++) {
		if (*words[i] != '-' && !access(words[i], R_OK))
			return words[i];
		if (fxt_option_before(command, words[i]))
			i++;
	}
	return NULL;
}

/* Found values, each once, in an order that doesn't depend on the file's. */
struct found_values {
	char **texts;
	size_t count;
	const char *option;
};

static void text_add(struct found_values *f, const char *text)
{
	char *copy = strdup(text);

	if (copy && !fxt_array_more(f->texts, f->count))
		f->texts[f->count++] = copy;
	else
		free(copy);
}

static int by_text(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Adds a thread's name, or its id with its name. */
static void thread_add(struct found_values *f, __u64 tid, __u64 pid, const char *name, const char *group)
{
	bool process = !strcmp(f->option, "pid");
	char text[FXT_TASK_NAME_BYTES + 32];

	if (!strcmp(f->option, "comm")) {
		text_add(f, name);
	} else if (!strcmp(f->option, "cgroup")) {
		text_add(f, group ? group : "");
	} else if (!process || !pid || pid == tid) {
		snprintf(text, sizeof(text), "%llu\t%s", tid, name);
		text_add(f, text);
	}
}

static void found_put(struct found_values *f, const struct fxt_values *to)
{
	size_t i;

	qsort(f->texts, f->count, sizeof(*f->texts), by_text);
	for (i = 0; i < f->count; i++) {
		char *tab = strchr(f->texts[i], '\t');

		if (tab)
			*tab = '\0';
		if (!i || strcmp(f->texts[i], f->texts[i - 1]))
			to->add(to->arg, f->texts[i], tab ? tab + 1 : "");
	}
	for (i = 0; i < f->count; i++)
		free(f->texts[i]);
	free(f->texts);
}

/* Reads the names of an FXT file; -EPROTO for another kind of file. */
static int objects_read(struct found_values *f, const char *file)
{
	__u64 until = fxt_clock_mono() + LONGEST_NS;
	const struct fxt_object *o = NULL;
	char name[FXT_TASK_NAME_BYTES];
	struct fxt_objects objects;
	struct fxt_input input;
	unsigned int count = 0;
	int err = fxt_input_open(&input, file);

	if (err)
		return err;
	fxt_objects_init(&objects, &input.spill);
	while ((err = fxt_input_next(&input)) > 0) {
		fxt_objects_add(&objects, &input.record);
		if (!(++count % RECORDS) && fxt_clock_mono() > until)
			break;
	}
	while (err != -EPROTO && (o = fxt_objects_next(&objects.threads, o))) {
		struct fxt_text text = fxt_object_name(o);

		snprintf(name, sizeof(name), "%.*s", (int)text.length, text.bytes);
		thread_add(f, o->koid, o->process, name, NULL);
	}
	fxt_objects_uninit(&objects);
	fxt_input_close(&input);
	return err < 0 ? err : 0;
}

/* Reads a trace of any format; a long one ends the process, without a value. */
static void threads_read(struct found_values *f, char *file)
{
	static struct analysis a;
	struct analyze_options o = { .convert = { .inputs = &file, .input_count = 1 }, .sched_only = true };
	struct fxt_silent silent = { 0 };
	struct fxt_task *task;
	__u64 at = 0;

	alarm(LONGEST_S);
	if (!analyze_open_one(&a, &o) && !analyze_run(&a)) {
		const struct fxt_tasks *tasks = &a.machines.of[0].m.tasks;

		while ((task = fxt_tasks_next(tasks, &at))) {
			if (task->key)
				thread_add(f, task->tid, task->process ? task->process->pid : 0, task->name,
					   task->process && task->process->group ? task->process->group->path : NULL);
		}
		while (fxt_tasks_silent_next(tasks, &silent))
			thread_add(f, silent.task.tid, silent.process.pid, silent.task.name, NULL);
	}
	alarm(0);
	analyze_end(&a);
}

void cmd_complete_trace(const struct fxt_values *to, const char *option, const char *file)
{
	struct found_values found = { .option = option };
	char *copy = strdup(file);

	if (copy && (!strcmp(option, "cgroup") || objects_read(&found, file) == -EPROTO))
		threads_read(&found, copy);
	found_put(&found, to);
	free(copy);
}
