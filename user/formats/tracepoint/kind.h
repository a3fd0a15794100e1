/* SPDX-License-Identifier: GPL-2.0-only */
/* Kinds of tracepoints that have records of their own, and the values of their fields. */
#ifndef FXT_CONVERT_TRACEPOINT_KIND_H
#define FXT_CONVERT_TRACEPOINT_KIND_H

#include "formats/tracepoint/tracepoint.h"
#include "store/hash.h"

/* Puts an event's records: 0; 1 where its fields make no sense; -errno. */
typedef int (*fxt_tp_read)(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

struct fxt_tp_kind {
	const char *name;	/* name of the tracepoint, or its prefix, followed by '*' */
	fxt_tp_read read;
	__s32 priority;		/* offset that is added to priorities */
	/* Names of its fields, by role; '?' before an optional field. */
	const char *field[FXT_TP_ROLES_MAX];
};

/* Puts an instant event, with all fields as arguments. */
int fxt_tp_read_other(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
/*
 * Puts the same for an event as the kernel wrote it, kept in that form: 0; 1; -errno; -ENOENT where the event can't be
 * kept so.
 */
int fxt_tp_read_formed(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, __u64 process, __u64 thread);
/* Adds all fields as arguments; false where they make no sense. */
bool fxt_tp_args_add(struct fxt_tp_room *room, const struct fxt_tp_event *e, struct fxt_record *r);

int fxt_tp_read_switch(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_waking(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_wakeup(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_wakeup_new(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_migrate(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

int fxt_tp_read_task_new(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_task_rename(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_task_state(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_fork(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_exec(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

int fxt_tp_read_irq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_irq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_softirq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_softirq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_timer(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_idle(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_frequency(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

int fxt_tp_read_sys_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_sys_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_call_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);
int fxt_tp_read_call_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

int fxt_tp_read_print(struct fxt_tp_reader *rd, const struct fxt_tp_event *e);

/* Returns whether its events describe the states of threads and CPUs: the scheduler's. */
static inline bool fxt_tp_is_sched(const struct fxt_tp *tp)
{
	fxt_tp_read read = tp->kind ? tp->kind->read : NULL;

	return read == fxt_tp_read_switch || read == fxt_tp_read_waking || read == fxt_tp_read_wakeup ||
	       read == fxt_tp_read_wakeup_new || read == fxt_tp_read_migrate;
}

/* Reads a field's value, by number; false where the event ends before the field's end. */
bool fxt_tp_number_at(const struct fxt_tp_event *e, unsigned int field, __s64 *number);
/* Reads a field as a text of valid characters; it stays until the next event. */
bool fxt_tp_text_at(struct fxt_tp_room *room, const struct fxt_tp_event *e, unsigned int field,
		    struct fxt_span *text);
/* Reads a field as a name of 16 bytes, which is kept in comm if all its characters are printable. */
bool fxt_tp_comm_read(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, unsigned int field,
		      struct fxt_tp_comm *comm, struct fxt_span *text);
/* Returns whether an event of a form has all of its fields. */
bool fxt_tp_fits(const struct fxt_tp_event *e);

/* Reads a field's value, by role; false also where the tracepoint lacks the field. */
static inline bool fxt_tp_number(const struct fxt_tp_event *e, unsigned int role, __s64 *number)
{
	int field = e->tp->role[role];
	const struct fxt_tp_field *f;
	__s32 four;

	if (field < 0)
		return false;
	/* Fast path for the most frequent type. */
	f = &e->tp->field[field];
	if (!e->raw || f->type != FXT_TP_INT || f->bytes != sizeof(four) ||
	    f->offset + sizeof(four) > e->raw_bytes)
		return fxt_tp_number_at(e, field, number);
	memcpy(&four, e->raw + f->offset, sizeof(four));
	*number = four;
	return true;
}

static inline bool fxt_tp_text(struct fxt_tp_reader *rd, const struct fxt_tp_event *e,
			       unsigned int role, struct fxt_span *text)
{
	int field = e->tp->role[role];
	const struct fxt_tp_field *f;
	struct fxt_tp_comm *comm;
	__u64 word[2];

	if (field < 0)
		return false;
	f = &e->tp->field[field];
	if (!e->raw || f->type != FXT_TP_CHARS || f->bytes != sizeof(word) ||
	    f->offset + sizeof(word) > e->raw_bytes)
		return fxt_tp_text_at(&rd->room, e, field, text);
	/* Most texts are names of threads, and most names were read recently. */
	memcpy(word, e->raw + f->offset, sizeof(word));
	comm = &rd->comm[((word[0] ^ word[1]) * FXT_GOLDEN) >> 32 & (FXT_TP_COMMS - 1)];
	if (comm->word[0] != word[0] || comm->word[1] != word[1])
		return fxt_tp_comm_read(rd, e, field, comm, text);
	*text = fxt_span((const char *)e->raw + f->offset, comm->bytes);
	return true;
}

/* Reads a thread's id; false where it is out of range. */
static inline bool fxt_tp_tid(const struct fxt_tp_event *e, unsigned int role, __u32 *tid)
{
	__s64 number;

	if (!fxt_tp_number(e, role, &number) || number < 0 || number > 0x7fffffff)
		return false;
	*tid = number;
	return true;
}

/* Reads a CPU's number; false where it is out of range. */
static inline bool fxt_tp_cpu(const struct fxt_tp_event *e, unsigned int role, __u32 *cpu)
{
	__s64 number;

	if (!fxt_tp_number(e, role, &number) || number < 0 || number > 0xffff)
		return false;
	*cpu = number;
	return true;
}

static inline bool fxt_tp_priority(const struct fxt_tp_event *e, unsigned int role, __s32 *priority)
{
	__s64 number;

	if (!fxt_tp_number(e, role, &number))
		return false;
	*priority = (__s32)number + e->tp->kind->priority;
	return true;
}

#endif
