/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the writer of ftrace's text share. */
#ifndef FXT_CONVERT_FTRACE_WRITE_H
#define FXT_CONVERT_FTRACE_WRITE_H

#include "codec/encode.h"
#include "codec/objects.h"
#include "convert/crossing.h"
#include "formats/ftrace/text.h"
#include "fxt/linux.h"
#include "util/digits.h"

/* Bytes of a record's text in a line; longer ones are cut. */
#define FXT_FTRACE_NAME_MAX	100u
#define FXT_FTRACE_MARK_MAX	1000u
/* Bytes in the line of one byte of text; bytes of a line. */
#define FXT_FTRACE_GROWTH	3u
#define FXT_FTRACE_LINE_MAX	((size_t)20 << 10)

/* A thread as lines show it; its text is rebuilt when the name changes. */
struct fxt_ftrace_thread {
	__u64 koid;
	__u64 process;
	__u32 pid;		/* printed: the koid, where it has 31 bits */
	__u16 cpu;		/* of its last event */
	bool process_known;
	bool running;		/* between a switch in and a switch out */
	bool scheduled;		/* the kernel has one thread of that id at a time */
	__u64 since;		/* ns of the name that says its process */
	__u16 name_bytes;
	__u16 head_bytes;
	__u16 text_room;
	__u8 pid_bytes;
	char pid_text[11];	/* pid's digits */
	struct fxt_crossing *nest;	/* NULL: none yet */
	/* The name, behind it the line's head up to the CPU; room for fxt_ftrace_stride(). */
	char *text;
};

/* Bytes of a thread's text. */
#define FXT_FTRACE_TEXT_MAX	(2 * FXT_FTRACE_GROWTH * FXT_FTRACE_NAME_MAX + 64)

#define FXT_FTRACE_RECENT	1024u

/* What is known of a CPU. */
struct fxt_ftrace_cpu_written {
	bool running_known;
	bool migrations_written;
	__u64 running;		/* the thread */
	__u64 migrations;	/* what was written: the process of its track */
};

/* The end of a complete event, until its time. */
struct fxt_ftrace_pending;

struct fxt_ftrace_writer {
	struct fxt_conversion *c;
	struct fxt_out *out;
	unsigned int style;
	int err;
	bool started;		/* the clock sync line is written */
	/* Threads by koid, and recent ones by its low bits. */
	struct fxt_map threads;		/* which owns all of their memory */
	struct fxt_map doubles;		/* of ids that several processes have: all but the first one's */
	struct {
		__u64 koid;	/* not the thread's own, as that may be spilled */
		struct fxt_ftrace_thread *thread;
	} recent[FXT_FTRACE_RECENT];
	__u32 alias;		/* the last one, for koids of more than 31 bits */
	/* The second of the last time, as text with spaces and period. */
	__u64 second;
	char second_text[24];
	__u8 second_bytes;
	/* A heap, the earliest on top. */
	struct fxt_ftrace_pending *pending;
	size_t pending_count;
	size_t pending_room;
	__u64 pending_order;
	__u64 pending_bytes;	/* of their lines */
	struct fxt_words words;		/* of an event that becomes pending */
	struct fxt_record scratch;	/* the event that a log record becomes, or that ends */
	struct fxt_map operations;	/* asynchronous ones of JSON: the processes that they began in */
	struct fxt_ftrace_cpu_written *cpus;
	size_t cpu_room;
};

/* A thread by its koid, a new one if need be; NULL: err is set. */
struct fxt_ftrace_thread *fxt_ftrace_thread_add(struct fxt_ftrace_writer *w, __u64 koid);

static inline struct fxt_ftrace_thread *fxt_ftrace_thread(struct fxt_ftrace_writer *w, __u64 koid)
{
	struct fxt_ftrace_thread *t = w->recent[koid % FXT_FTRACE_RECENT].thread;

	if (!t || w->recent[koid % FXT_FTRACE_RECENT].koid != koid)
		return fxt_ftrace_thread_add(w, koid);
	return t;
}

/*
 * The thread of a slice or an instant.  Text has threads by their ids alone: one of an id that a thread of another
 * process has gets another number, which is counted.  NULL: err is set.
 */
struct fxt_ftrace_thread *fxt_ftrace_thread_of(struct fxt_ftrace_writer *w, const struct fxt_record *r);

/* Sets a name by a kernel object record. */
void fxt_ftrace_object(struct fxt_ftrace_writer *w, const struct fxt_record *r);

void fxt_ftrace_names_uninit(struct fxt_ftrace_writer *w);

/* The place of a text, in addition to the style. */
#define FXT_FTRACE_FIELD	0x100u	/* between '|' */
#define FXT_FTRACE_VALUE	0x300u	/* between '|', of an argument */
#define FXT_FTRACE_KEY		0x700u

/* Writes at most max bytes of a text, as a line may have it; returns the end. */
char *fxt_ftrace_text(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text,
		      size_t max, unsigned int where);

static inline char *fxt_ftrace_copy(char *at, const char *text, size_t bytes)
{
	memcpy(at, text, bytes);
	return at + bytes;
}
/*
 * The same in strides, for short texts: up to a stride more is read and written.
 */
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

/* A line's parts: what is before the event's name, and the line's end. */
char *fxt_ftrace_head(struct fxt_ftrace_writer *w, char *at, struct fxt_ftrace_thread *t,
		      __u32 cpu, __u64 ns);
char *fxt_ftrace_cpu_time(struct fxt_ftrace_writer *w, char *at, __u32 cpu,
			  enum fxt_waker_context context, __u64 ns);
void fxt_ftrace_line_end(struct fxt_ftrace_writer *w, char *at);

/* The lines of one kind of records. */
void fxt_ftrace_switch(struct fxt_ftrace_writer *w, const struct fxt_record *r);
void fxt_ftrace_wakeup(struct fxt_ftrace_writer *w, const struct fxt_record *r);
/* Whether it is a migration. */
bool fxt_ftrace_migrate(struct fxt_ftrace_writer *w, const struct fxt_record *r);
void fxt_ftrace_event(struct fxt_ftrace_writer *w, const struct fxt_record *r);
/* The end of a duration at the record's time.  phase: what Trace Viewer takes it for. */
void fxt_ftrace_end(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu, const char *phase);

/* A text between '|', and one that may not be empty. */
char *fxt_ftrace_field(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text);
char *fxt_ftrace_name(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *name);

/* "key=value;key=value"; kernel: with spaces, as in the kernel's events. */
char *fxt_ftrace_args(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r,
		      bool kernel);
/* "|args|category|phase", without what is empty at the end. */
char *fxt_ftrace_tail(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r,
		      const char *phase);

/* Counts slices of a thread that overlap others without being within them: a reader ends the innermost. */
void fxt_ftrace_nest(struct fxt_ftrace_writer *w, const struct fxt_record *r);

/* Pending ends of complete events: adds one, false where there are too many; writes all up to a time. */
bool fxt_ftrace_pending_add(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu);
void fxt_ftrace_pending_write(struct fxt_ftrace_writer *w, __u64 ns);
void fxt_ftrace_pending_uninit(struct fxt_ftrace_writer *w);

/* The earliest end; the largest number where none is pending. */
__u64 fxt_ftrace_pending_next(const struct fxt_ftrace_writer *w);

#endif
