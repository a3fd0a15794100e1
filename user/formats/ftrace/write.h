/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the writer of ftrace's text share. */
#ifndef FXT_CONVERT_FTRACE_WRITE_H
#define FXT_CONVERT_FTRACE_WRITE_H

#include "codec/encode.h"
#include "codec/objects.h"
#include "convert/crossing.h"
#include "formats/ftrace/text.h"
#include "fxt/linux.h"
#include "util/digits.h"

/* Longest text of a record in a line, in bytes; longer texts are cut. */
#define FXT_FTRACE_NAME_MAX	100u
#define FXT_FTRACE_MARK_MAX	1000u
/* Bytes in the line for one byte of text; longest line, in bytes. */
#define FXT_FTRACE_GROWTH	3u
#define FXT_FTRACE_LINE_MAX	((size_t)20 << 10)

/* A thread as in lines; its text is rebuilt when the name changes. */
struct fxt_ftrace_thread {
	__u64 koid;
	__u64 process;
	__u32 pid;		/* printed number: the koid, where it has 31 bits */
	__u16 cpu;		/* CPU of its last event */
	bool process_known;
	bool running;		/* between a switch in and a switch out */
	bool scheduled;		/* a thread of the scheduler: the kernel has one thread of that id at a time */
	__u64 since;		/* time of the name that has its process, in ns */
	__u16 name_bytes;
	__u16 head_bytes;
	__u16 text_room;
	__u8 pid_bytes;
	char pid_text[11];	/* digits of pid */
	struct fxt_crossing *nest;	/* NULL: no slice yet */
	/* Name, then the line's head up to the CPU; its size allows fxt_ftrace_stride(). */
	char *text;
};

/* Longest text of a thread, in bytes. */
#define FXT_FTRACE_TEXT_MAX	(2 * FXT_FTRACE_GROWTH * FXT_FTRACE_NAME_MAX + 64)

#define FXT_FTRACE_RECENT	1024u

/* State of a CPU. */
struct fxt_ftrace_cpu_written {
	bool running_known;
	bool migrations_written;
	__u64 running;		/* thread that runs */
	__u64 migrations;	/* process of its track of migrations, as written */
};

/* End of a complete event, until its time. */
struct fxt_ftrace_pending;

struct fxt_ftrace_writer {
	struct fxt_conversion *c;
	struct fxt_out *out;
	unsigned int style;
	int err;
	bool started;		/* the clock sync line was written */
	/* Threads by koid, and recent ones by the koid's low bits. */
	struct fxt_map threads;		/* owns the threads' memory */
	struct fxt_map doubles;		/* threads of ids that several processes have: all but the first */
	struct {
		__u64 koid;	/* copy of the thread's koid, as the thread's own may be in a file */
		struct fxt_ftrace_thread *thread;
	} recent[FXT_FTRACE_RECENT];
	__u32 alias;		/* next number for a koid of more than 31 bits */
	/* Second of the last time, as text with spaces and period. */
	__u64 second;
	char second_text[24];
	__u8 second_bytes;
	/* Heap of pending ends, the earliest on top. */
	struct fxt_ftrace_pending *pending;
	size_t pending_count;
	size_t pending_room;
	__u64 pending_order;
	__u64 pending_bytes;	/* length of their lines */
	struct fxt_words words;		/* words of an event that becomes pending */
	struct fxt_record scratch;	/* event for a log record, or for an end */
	struct fxt_map operations;	/* JSON's asynchronous events: the process that each started in */
	struct fxt_ftrace_cpu_written *cpus;
	size_t cpu_room;
};

/* Returns a thread by its koid, a new one if need be; NULL: err is set. */
struct fxt_ftrace_thread *fxt_ftrace_thread_add(struct fxt_ftrace_writer *w, __u64 koid);

static inline struct fxt_ftrace_thread *fxt_ftrace_thread(struct fxt_ftrace_writer *w, __u64 koid)
{
	struct fxt_ftrace_thread *t = w->recent[koid % FXT_FTRACE_RECENT].thread;

	if (!t || w->recent[koid % FXT_FTRACE_RECENT].koid != koid)
		return fxt_ftrace_thread_add(w, koid);
	return t;
}

/*
 * Returns the thread of a slice or an instant.  The text identifies threads by id alone: a thread that shares its id
 * with one of another process gets another number, which is counted.  NULL: err is set.
 */
struct fxt_ftrace_thread *fxt_ftrace_thread_of(struct fxt_ftrace_writer *w, const struct fxt_record *r);

/* Sets a name by a kernel object record. */
void fxt_ftrace_object(struct fxt_ftrace_writer *w, const struct fxt_record *r);

void fxt_ftrace_names_uninit(struct fxt_ftrace_writer *w);

/* Position of a text, in addition to the style. */
#define FXT_FTRACE_FIELD	0x100u	/* between '|' */
#define FXT_FTRACE_VALUE	0x300u	/* between '|', in an argument */
#define FXT_FTRACE_KEY		0x700u

/* Writes at most max bytes of a text, escaped for a line; returns the end. */
char *fxt_ftrace_text(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text,
		      size_t max, unsigned int where);

static inline char *fxt_ftrace_copy(char *at, const char *text, size_t bytes)
{
	memcpy(at, text, bytes);
	return at + bytes;
}
/* Copies a short text in strides: up to a stride more is read and written. */
#define FXT_FTRACE_STRIDE	32u
static inline char *fxt_ftrace_stride(char *at, const char *text, size_t bytes)
{
	size_t i = 0;

	do {
		memcpy(at + i, text + i, FXT_FTRACE_STRIDE);
		i += FXT_FTRACE_STRIDE;
	} while (i < bytes);
	return at + bytes;
}

static inline char *fxt_ftrace_pid_text(char *at, const struct fxt_ftrace_thread *t)
{
	memcpy(at, t->pid_text, sizeof(t->pid_text));
	return at + t->pid_bytes;
}
#define FXT_FTRACE_LITERAL(at, text)	fxt_ftrace_copy(at, text, sizeof(text) - 1)

/* Write the parts of a line: the part before the event's name, and the line's end. */
char *fxt_ftrace_head(struct fxt_ftrace_writer *w, char *at, struct fxt_ftrace_thread *t,
		      __u32 cpu, __u64 ns);
char *fxt_ftrace_cpu_time(struct fxt_ftrace_writer *w, char *at, __u32 cpu,
			  enum fxt_waker_context context, __u64 ns);
void fxt_ftrace_line_end(struct fxt_ftrace_writer *w, char *at);

/* Write the lines of one kind of records. */
void fxt_ftrace_switch(struct fxt_ftrace_writer *w, const struct fxt_record *r);
void fxt_ftrace_wakeup(struct fxt_ftrace_writer *w, const struct fxt_record *r);
/* Writes a migration; returns whether the record is one. */
bool fxt_ftrace_migrate(struct fxt_ftrace_writer *w, const struct fxt_record *r);
void fxt_ftrace_event(struct fxt_ftrace_writer *w, const struct fxt_record *r);
/* Writes the end of a duration at the record's time.  phase: the kind of event for Trace Viewer. */
void fxt_ftrace_end(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu, const char *phase);

/* Write a text between '|'; and one that may not be empty. */
char *fxt_ftrace_field(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text);
char *fxt_ftrace_name(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *name);

/* Writes "key=value;key=value"; kernel: with spaces, as in the kernel's events. */
char *fxt_ftrace_args(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r,
		      bool kernel);
/* Writes "|args|category|phase", without empty parts at the end. */
char *fxt_ftrace_tail(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r,
		      const char *phase);

/* Counts slices of a thread that cross others, as a reader ends the innermost. */
void fxt_ftrace_nest(struct fxt_ftrace_writer *w, const struct fxt_record *r);

/* Keep pending ends of complete events: add one, false where there are too many; write all up to a time. */
bool fxt_ftrace_pending_add(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu);
void fxt_ftrace_pending_write(struct fxt_ftrace_writer *w, __u64 ns);
void fxt_ftrace_pending_uninit(struct fxt_ftrace_writer *w);

/* Returns the time of the earliest pending end; ~0 where there is none. */
__u64 fxt_ftrace_pending_next(const struct fxt_ftrace_writer *w);

#endif
