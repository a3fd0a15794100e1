// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes JSON: scheduling as durations, in an array, which can't hold its records: a row for each CPU with its threads,
 * and a row for each thread with its states.
 */
#include <errno.h>
#include <stdlib.h>

#include "codec/provider.h"
#include "formats/json/write.h"
#include "model/build.h"
#include "model/reason_text.h"
#include "util/array.h"
#include "util/digits.h"
#include "util/list.h"

/* Processes of the rows: above Linux's ids, and the synthetic ids of texts. */
#define CPUS_PID	0x60000000u
#define STATES_PID	0x60000001u

#define CPUS_MAX	0x10000u

/* Bytes of a duration, estimated. */
#define SLICE_BYTES	384u

enum row_state { UNKNOWN, RUNNING, RUNNABLE, ASLEEP };

struct row_thread {
	__u64 tid;
	__u64 since;
	__u64 waker;
	__u32 cpu;			/* CPU that it runs on */
	__u8 state;			/* enum row_state */
	__u8 letter;			/* ASLEEP: enum fxt_linux_state */
	struct fxt_sleep_reason reason;	/* ASLEEP */
	bool preempted;			/* RUNNABLE: it was preempted */
	bool woken;			/* RUNNABLE: it was woken, by waker unless waker is 0 */
	bool named;			/* its row is named */
	struct row_thread *next;
};

struct row_cpu {
	bool known;			/* running, prio and since are valid */
	bool named;
	__u64 running;
	__s32 prio;
	__u64 since;
};

struct fxt_json_rows {
	struct fxt_json_file *f;
	struct fxt_map threads;		/* struct row_thread, by id + 1 */
	struct row_thread *first, *last_thread;	/* list in the order of the trace */
	struct row_cpu *cpus;
	size_t cpu_room;
	__u64 last;			/* time of the last record */
	bool started;
};

static void put_metadata(struct fxt_json_file *f, const char *what, __u64 pid, __u64 tid, const char *key,
			 const struct fxt_text *name, __u64 number)
{
	struct fxt_json_writer *w = &f->json;

	fxt_json_metadata_begin(f, what, pid, tid);
	if (name)
		fxt_json_put_text(w, key, name);
	else
		fxt_json_put_number(w, key, number);
	fxt_json_close(w, '}');
	fxt_json_event_end(f);
}

/* Names and sorts the processes of the rows, above all others. */
static void begin(struct fxt_json_rows *rows)
{
	struct fxt_text cpus = fxt_build_string("CPUs"), states = fxt_build_string("thread states");

	if (rows->started)
		return;
	rows->started = true;
	put_metadata(rows->f, "process_name", CPUS_PID, 0, "name", &cpus, 0);
	put_metadata(rows->f, "process_sort_index", CPUS_PID, 0, "sort_index", NULL, 0);
	put_metadata(rows->f, "process_name", STATES_PID, 0, "name", &states, 0);
	put_metadata(rows->f, "process_sort_index", STATES_PID, 0, "sort_index", NULL, 1);
}

/* Writes a duration, up to its arguments, which stay open. */
static void slice_begin(struct fxt_json_file *f, const struct fxt_text *name, __u64 pid, __u64 tid, __u64 since,
			__u64 until)
{
	struct fxt_json_writer *w = &f->json;

	fxt_json_event_begin(f);
	fxt_json_put_text(w, "name", name);
	fxt_json_put_word(w, "cat", "sched");
	fxt_json_put_word(w, "ph", "X");
	fxt_json_key(w, "ts");
	fxt_json_put_us(w, since);
	fxt_json_key(w, "dur");
	fxt_json_put_us(w, until > since ? until - since : 0);
	fxt_json_put_thread(w, pid, tid);
	fxt_json_key(w, "args");
	fxt_json_open(w, '{');
}

static void slice_end(struct fxt_json_file *f)
{
	fxt_json_close(&f->json, '}');
	fxt_json_event_end(f);
}

/* Returns the thread's name, or "thread" and its number in room. */
static struct fxt_text name_of(const struct fxt_json_rows *rows, __u64 tid, char room[32])
{
	const struct fxt_object *o = fxt_objects_thread(&rows->f->objects, tid);

	if (o && o->named && o->length)
		return fxt_object_name(o);
	memcpy(room, "thread ", 7);
	return fxt_build_text(room, fxt_digits(room + 7, tid) - room);
}

static struct row_cpu *cpu_of(struct fxt_json_rows *rows, __u32 cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	if (fxt_array_reach(rows->cpus, rows->cpu_room, cpu))
		return NULL;
	return &rows->cpus[cpu];
}

static struct row_thread *thread_of(struct fxt_json_rows *rows, __u64 tid)
{
	struct row_thread *t = fxt_map_get(&rows->threads, tid + 1);

	if (t)
		return t;
	t = fxt_map_new(&rows->threads, tid + 1, sizeof(*t));
	if (!t)
		return NULL;
	fxt_list_append(rows->first, rows->last_thread, t);
	t->tid = tid;
	return t;
}

/* Ends the CPU's duration; the idle thread is a gap. */
static void cpu_close(struct fxt_json_rows *rows, struct row_cpu *cpu, __u64 ns)
{
	struct fxt_json_file *f = rows->f;
	__u64 number = cpu - rows->cpus;
	char room[32], row[32] = "cpu ";
	struct fxt_text name;

	if (!cpu->named) {
		name = fxt_build_text(row, fxt_digits(row + 4, number) - row);
		put_metadata(f, "thread_name", CPUS_PID, number, "name", &name, 0);
	}
	cpu->named = true;
	if (!cpu->known || !cpu->running)
		return;
	name = name_of(rows, cpu->running, room);
	slice_begin(f, &name, CPUS_PID, number, cpu->since, ns);
	fxt_json_put_number(&f->json, "tid", cpu->running);
	fxt_json_key(&f->json, "prio");
	fxt_json_signed(&f->json, cpu->prio);
	slice_end(f);
}

static struct fxt_text state_name(const struct row_thread *t)
{
	static const char *const asleep[] = {
		[FXT_LINUX_R] = "runnable", [FXT_LINUX_S] = "sleeping", [FXT_LINUX_D] = "uninterruptible",
		[FXT_LINUX_T] = "stopped", [FXT_LINUX_TRACED] = "traced", [FXT_LINUX_X] = "dead",
		[FXT_LINUX_Z] = "zombie", [FXT_LINUX_P] = "parked", [FXT_LINUX_I] = "idle",
	};

	return fxt_build_string(t->state == RUNNING ? "running" : t->state == RUNNABLE ?
				(t->preempted ? "preempted" : "runnable") : asleep[t->letter]);
}

/* Returns "NAME TID". */
static struct fxt_text row_name(const struct fxt_json_rows *rows, __u64 tid, char room[64])
{
	struct fxt_text name = name_of(rows, tid, room);
	size_t length = name.length < 31 ? name.length : 31;

	if (name.bytes == room)
		return name;
	memcpy(room, name.bytes, length);
	room[length++] = ' ';
	return fxt_build_text(room, fxt_digits(room + length, tid) - room);
}

/* Ends the thread's state at a time. */
static void state_close(struct fxt_json_rows *rows, struct row_thread *t, __u64 ns)
{
	struct fxt_json_file *f = rows->f;
	char reason[FXT_REASON_TEXT_BYTES], room[64];
	struct fxt_text name;

	if (t->state == UNKNOWN || !t->tid)
		return;
	if (!t->named) {
		name = row_name(rows, t->tid, room);
		put_metadata(f, "thread_name", STATES_PID, t->tid, "name", &name, 0);
	}
	t->named = true;
	name = state_name(t);
	slice_begin(f, &name, STATES_PID, t->tid, t->since, ns);
	if (t->state == RUNNING)
		fxt_json_put_number(&f->json, "cpu", t->cpu);
	if (t->state == RUNNABLE && t->woken && t->waker)
		fxt_json_put_number(&f->json, "waker", t->waker);
	if (t->state == ASLEEP && t->reason.bits) {
		fxt_reason_text(reason, &t->reason);
		fxt_json_put_word(&f->json, "reason", reason);
	}
	slice_end(f);
}

static int switch_put(struct fxt_json_rows *rows, const struct fxt_switch_view *v, __u64 ns)
{
	struct row_cpu *cpu = cpu_of(rows, v->cpu);
	struct row_thread *prev = thread_of(rows, v->prev), *next;

	if (!cpu || !prev)
		return v->cpu >= CPUS_MAX ? 0 : -ENOMEM;
	/* At the first switch, and after a loss, only the previous thread's number is known. */
	if (cpu->known && cpu->running != v->prev)
		cpu->known = false;
	cpu_close(rows, cpu, ns);
	if (prev->state == RUNNING && prev->cpu == v->cpu)
		state_close(rows, prev, ns);
	prev->state = v->state == FXT_LINUX_R ? RUNNABLE :
		      v->state == FXT_LINUX_X || v->state == FXT_LINUX_Z ? UNKNOWN : ASLEEP;
	prev->letter = v->state;
	prev->reason = v->reason;
	prev->preempted = v->preempted;
	prev->woken = false;
	prev->since = ns;
	next = thread_of(rows, v->next);
	if (!next)
		return -ENOMEM;
	state_close(rows, next, ns);
	next->state = RUNNING;
	next->cpu = v->cpu;
	next->since = ns;
	*cpu = (struct row_cpu){ true, cpu->named, v->next, v->next_prio, ns };
	return 0;
}

static int wakeup_put(struct fxt_json_rows *rows, const struct fxt_wakeup_view *v, __u64 ns)
{
	struct row_thread *t = thread_of(rows, v->thread);

	if (!t)
		return -ENOMEM;
	/* A thread may be woken before it has left its CPU. */
	if (t->state == RUNNING || t->state == RUNNABLE)
		return 0;
	state_close(rows, t, ns);
	t->state = RUNNABLE;
	t->preempted = false;
	t->woken = true;
	t->waker = v->waker_known && !v->context ? v->waker : 0;
	t->since = ns;
	return 0;
}

int fxt_json_rows_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_json_rows *rows = f->rows;
	struct fxt_switch_view change;
	struct fxt_wakeup_view wakeup;

	if (!rows) {
		rows = f->rows = calloc(1, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		rows->f = f;
		rows->threads.memory.spill = &f->c->spill;
	}
	begin(rows);
	rows->last = r->ticks;
	if (r->kind == FXT_KIND_WAKEUP) {
		fxt_wakeup_view_get(&wakeup, r);
		return wakeup_put(rows, &wakeup, r->ticks);
	}
	fxt_switch_view_get(&change, r);
	return switch_put(rows, &change, r->ticks);
}

void fxt_json_rows_lost(struct fxt_json_file *f, __u32 cpu, __u64 ns)
{
	struct fxt_json_rows *rows = f->rows;
	struct row_thread *t;

	if (!rows || cpu >= rows->cpu_room || !rows->cpus[cpu].known)
		return;
	cpu_close(rows, &rows->cpus[cpu], ns);
	t = fxt_map_get(&rows->threads, rows->cpus[cpu].running + 1);
	if (t && t->state == RUNNING && t->cpu == cpu) {
		state_close(rows, t, ns);
		t->state = UNKNOWN;
	}
	rows->cpus[cpu].known = false;
}

/* Durations that are open at the end last until the last record. */
__u64 fxt_json_rows_held(const struct fxt_json_file *f)
{
	return f->rows ? (f->rows->threads.count + f->rows->cpu_room) * SLICE_BYTES : 0;
}

void fxt_json_rows_end(struct fxt_json_file *f)
{
	struct fxt_json_rows *rows = f->rows;
	struct row_thread *t;
	__u32 i;

	for (i = 0; rows && i < rows->cpu_room; i++)
		if (rows->cpus[i].known)
			cpu_close(rows, &rows->cpus[i], rows->last);
	for (t = rows ? rows->first : NULL; t; t = t->next)
		state_close(rows, t, rows->last);
}

void fxt_json_rows_free(struct fxt_json_file *f)
{
	if (!f->rows)
		return;
	fxt_map_uninit(&f->rows->threads, NULL);
	free(f->rows->cpus);
	free(f->rows);
}
