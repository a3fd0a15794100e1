// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the names of threads in ftrace's text, as of the current record. */
#include <errno.h>

#include "formats/ftrace/write.h"
#include "fxt/events.h"

/* Largest koid with its own number; first of the other numbers, above all pids and loss tracks. */
#define KOID_MAX	0x7fffffffULL
#define ALIAS		0x60000000u

__u32 fxt_ftrace_pid(struct fxt_ftrace_writer *w, __u64 koid)
{
	struct fxt_ftrace_thread *t;

	if (koid <= KOID_MAX)
		return koid;
	t = fxt_ftrace_thread(w, koid);
	return t ? t->pid : 0;
}

static __u32 alias(struct fxt_ftrace_writer *w, const char *why)
{
	fxt_note(&w->c->unheld, why, 1);
	return ALIAS + w->alias++;
}

/* Finds a text in a name; a '#' matches any digit. */
static char *find(char *at, char *end, const char *what)
{
	size_t i;

	for (; at < end; at++) {
		for (i = 0; what[i] && at + i < end; i++)
			if (what[i] == '#' ? at[i] < '0' || at[i] > '9' : at[i] != what[i])
				break;
		if (!what[i])
			return at;
	}
	return NULL;
}

/*
 * Changes a name that would be parsed as a part of a line: one with everything between a name and an event, or with an
 * event's fields.  Most of the kernel's names are too short for that.
 */
static void disarm(struct fxt_ftrace_writer *w, char *name, char *end)
{
	char *dash = find(name, end, "-#"), *cpu = dash ? find(dash, end, "[#") : NULL;
	bool head = cpu && find(cpu, end, ":");
	bool fields = find(name, end, "pid=#") && find(name, end, "prio=");
	char *at;

	if (!head && !fields)
		return;
	for (at = name; at < end; at++) {
		if (head && *at == '[')
			*at = '(';
		else if (fields && *at == '=')
			*at = ':';
	}
	fxt_note(&w->c->unheld, "names that look like a part of a line, which were changed", 1);
}

/* Writes the name in a line's column, so that the line doesn't look like a comment. */
static char *column(struct fxt_ftrace_writer *w, char *at, const char *name, size_t bytes)
{
	size_t i = 0;

	at = fxt_ftrace_copy(at, name, bytes);
	/* Trace Viewer ignores spaces before the name. */
	while (i < bytes && name[i] == ' ')
		i++;
	if (i < bytes && name[i] == '#' && (bytes >= 16 || w->style & FXT_FTRACE_CLASSIC))
		at[(ssize_t)(i - bytes)] = '_';
	return at;
}

/* Keeps a text: a longer text gets twice the size, so that abandoned memory is no more than that. */
static int text_keep(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t, const char *text,
		     size_t bytes)
{
	size_t room = 2 * t->text_room < bytes ? bytes : 2 * t->text_room;

	if (bytes > t->text_room) {
		t->text = fxt_arena_alloc(&w->threads.memory, room + FXT_FTRACE_STRIDE);
		t->text_room = t->text ? room : 0;
		if (!t->text)
			return -ENOMEM;
	}
	memcpy(t->text, text, bytes);
	return 0;
}

/* Builds a thread's text: its name, and "comm-pid (tgid) [". */
static int text_make(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t,
		     const struct fxt_text *name)
{
	char text[FXT_FTRACE_TEXT_MAX], *at, *pid;
	size_t pad, digits;
	__u32 process = t->process_known ? fxt_ftrace_pid(w, t->process) : 0;

	at = fxt_ftrace_text(w, text, name, FXT_FTRACE_NAME_MAX, 0);
	disarm(w, text, at);
	t->name_bytes = at - text;
	for (pad = t->pid ? t->name_bytes : 6; pad < 16; pad++)
		*at++ = ' ';
	at = t->pid ? column(w, at, text, t->name_bytes) : FXT_FTRACE_LITERAL(at, "<idle>");
	*at++ = '-';
	pid = at;
	at = fxt_digits(at, t->pid);
	while (at < pid + 7)
		*at++ = ' ';
	at = FXT_FTRACE_LITERAL(at, " (");
	if (process) {
		digits = fxt_digits(at, process) - at;
		pad = digits < 7 ? 7 - digits : 0;
		memset(at, ' ', pad);
		at = fxt_digits(at + pad, process);
	} else {
		at = FXT_FTRACE_LITERAL(at, "-------");
	}
	at = FXT_FTRACE_LITERAL(at, ") [");
	t->head_bytes = at - text - t->name_bytes;
	return text_keep(w, t, text, at - text);
}

/* Numbers a new thread and makes its text, without a name. */
static bool thread_init(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t, __u64 koid, __u32 pid)
{
	static const struct fxt_text unknown = { .bytes = "<...>", .length = 5 };

	t->koid = koid;
	t->pid = pid;
	t->pid_bytes = fxt_digits(t->pid_text, t->pid) - t->pid_text;
	return !text_make(w, t, &unknown);
}

struct fxt_ftrace_thread *fxt_ftrace_thread_add(struct fxt_ftrace_writer *w, __u64 koid)
{
	struct fxt_ftrace_thread *t = fxt_map_get(&w->threads, koid);

	if (!t) {
		t = fxt_map_new(&w->threads, koid, sizeof(*t));
		if (!t || !thread_init(w, t, koid, koid <= KOID_MAX ? koid :
				alias(w, "thread and process ids of more than 31 bits, which were replaced"))) {
			w->err = -ENOMEM;
			return NULL;
		}
	}
	w->recent[koid % FXT_FTRACE_RECENT].koid = koid;
	w->recent[koid % FXT_FTRACE_RECENT].thread = t;
	return t;
}

/* A thread with an id that a thread of another process has. */
struct double_thread {
	struct {
		__u64 koid, process;
	} of;
	struct fxt_ftrace_thread t;
};

static struct fxt_ftrace_thread *double_of(struct fxt_ftrace_writer *w, __u64 koid, __u64 process)
{
	struct double_thread key = { .of = { koid, process } };
	struct double_thread *d = fxt_map_named(&w->doubles, &key.of, sizeof(key.of));

	if (!d) {
		d = fxt_map_new_named(&w->doubles, &key.of, sizeof(key.of), sizeof(*d));
		if (d) {
			d->t.process = process;
			d->t.process_known = true;
		}
		if (!d || !thread_init(w, &d->t, koid,
				       alias(w, "thread ids that several processes have, which were replaced"))) {
			w->err = -ENOMEM;
			return NULL;
		}
	}
	return &d->t;
}

/* Returns whether a koid is a track of a CPU, which is not a thread. */
static bool is_track(__u64 koid)
{
	return koid >= FXT_KOID_TRACK(0, 0) && koid < FXT_KOID_TRACK(0, FXT_TRACKS);
}

/*
 * Returns whether a thread is the only one with its id: threads of the kernel are, and threads that move to a process.
 */
static bool is_only(const struct fxt_ftrace_thread *t, __u64 process)
{
	return t->scheduled || !process || (t->process_known ? t->process == process : t->koid != 0) || is_track(t->koid);
}

/* Sets the process by the thread's first event, as no name has it. */
static void process_learn(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t, __u64 process)
{
	struct fxt_text name = { .bytes = t->text, .length = t->name_bytes };

	t->process = process;
	t->process_known = true;
	if (text_make(w, t, &name))
		w->err = -ENOMEM;
}

struct fxt_ftrace_thread *fxt_ftrace_thread_of(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *t = fxt_ftrace_thread(w, r->thread.thread);
	bool slice = r->kind == FXT_KIND_EVENT && r->event.type >= FXT_EVENT_DURATION_BEGIN &&
		     r->event.type <= FXT_EVENT_DURATION_COMPLETE;
	bool instant = r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT && r->thread.thread;

	if (!t || (!slice && !instant))
		return t;
	if (!is_only(t, r->thread.process))
		return double_of(w, r->thread.thread, r->thread.process);
	if (!t->process_known && r->thread.process && t->koid && !is_track(t->koid))
		process_learn(w, t, r->thread.process);
	return t;
}

/*
 * Writes a name as a comment for fxtrec's reader, with its time and process, also for threads without lines: other
 * consumers see a name only in a thread's lines.  In JSON, events have the names.
 */
static void comment(struct fxt_ftrace_writer *w, const struct fxt_record *r, const char *what,
		    __u32 pid, const __u64 *process)
{
	__u64 since = r->frame.offset;
	char *at;

	if (w->style & FXT_FTRACE_IN_JSON)
		return;
	fxt_arg_number(fxt_record_arg(r, "since"), &since);
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = FXT_FTRACE_LITERAL(at, "# fxtrec ");
	at = fxt_ftrace_copy(at, what, strlen(what));
	*at++ = ' ';
	at = fxt_digits(at, pid);
	*at++ = ' ';
	if (process) {
		at = fxt_digits(at, fxt_ftrace_pid(w, *process));
		*at++ = ' ';
	}
	at = fxt_digits(at, since);
	*at++ = ' ';
	fxt_ftrace_line_end(w, fxt_ftrace_text(w, at, &r->name, FXT_FTRACE_NAME_MAX, 0));
}

void fxt_ftrace_object(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *t;
	__u64 process, since = r->frame.offset;

	if (r->object.type == FXT_OBJECT_PROCESS) {
		comment(w, r, "process", fxt_ftrace_pid(w, r->object.koid), NULL);
		return;
	}
	if (r->object.type != FXT_OBJECT_THREAD) {
		fxt_note(&w->c->unheld, "kernel objects other than threads and processes", 1);
		return;
	}
	t = fxt_ftrace_thread(w, r->object.koid);
	fxt_arg_number(fxt_record_arg(r, "since"), &since);
	if (t && !fxt_arg_number(fxt_record_arg(r, "process"), &process)) {
		/*
		 * A thread that is named later is the same thread, in another process, or another thread with its id.
		 */
		if (!(w->style & FXT_FTRACE_IN_JSON) && !is_only(t, process) && since <= t->since) {
			t = double_of(w, r->object.koid, process);
		} else {
			t->process = process;
			t->process_known = true;
			t->since = since;
		}
	}
	if (!t)
		return;
	if (text_make(w, t, &r->name))
		w->err = -ENOMEM;
	comment(w, r, "thread", t->pid, t->process_known ? &t->process : &t->koid);
}

void fxt_ftrace_names_uninit(struct fxt_ftrace_writer *w)
{
	fxt_map_uninit(&w->threads, NULL);
	fxt_map_uninit(&w->doubles, NULL);
}
