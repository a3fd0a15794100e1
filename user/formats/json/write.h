/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the writers of JSON share. */
#ifndef FXT_CONVERT_JSON_WRITE_H
#define FXT_CONVERT_JSON_WRITE_H

#include "codec/objects.h"
#include "convert/format.h"
#include "convert/out.h"
#include "convert/side.h"
#include "formats/ftrace/text.h"
#include "formats/json/names.h"
#include "model/counter.h"
#include "util/json_writer.h"

#define FXT_JSON_MEMBERS_MAX	16u

/* Limit of thread ids, as Linux has; threads with higher ids get no synthetic names. */
#define FXT_JSON_TIDS		(1u << 22)

/* A member of the outermost object that another JSON had. */
struct fxt_json_member {
	char *name;
	struct fxt_out *side;	/* its entries */
	char open;		/* '{', '[', or 0: a value without entries */
	bool filled;
};

struct fxt_json_file {
	struct fxt_conversion *c;
	struct fxt_out *out;
	bool array;			/* the output is an array of events */
	struct fxt_json_rows *rows;	/* scheduling rows of an array; NULL: no scheduling so far */
	/* Two members grow at the same time.  One goes straight to the output, the other to a temporary file. */
	struct fxt_out *events;		/* out, or a temporary file */
	struct fxt_out *system;		/* out, or a temporary file; NULL: no scheduling so far */
	/* Writer of ftrace's text; NULL: not started, or Fuchsia's events are written. */
	struct fxt_ftrace_writer *ftrace;
	bool system_filled;
	struct fxt_json_writer json;	/* the current event */
	bool any_event;
	struct fxt_objects objects;
	/* Bits by thread: it is in ftrace's text; it has an event. */
	__u64 *scheduled;
	__u64 *known;
	__u64 guesses;			/* upper limit of the threads of ftrace's text without a name */
	__u64 *replaced;		/* numbers written for replaced ids, by their lower bits; NULL: none */
	/* JSON text of blobs, until it is complete. */
	struct fxt_buffer text;
	bool next;			/* the text is the next event's */
	struct fxt_json_member members[FXT_JSON_MEMBERS_MAX];
	unsigned int member_count;
	bool about_clock, about_backend;	/* otherData has the clock; the backend */
	/* A counter of several records; json holds it up to the args of the last record. */
	struct fxt_counter_part counter;
	bool counter_open, counter_typed;	/* its args are open; it needs "fxt.types" */
	struct fxt_buffer counter_types;
};

/* Returns the bytes that closing the file adds, estimated; the writers' held(). */
__u64 fxt_json_held(const void *state);

extern const struct fxt_format_writer fxt_writer_json;
extern const struct fxt_format_writer fxt_writer_json_array;

/* Counts and drops the text of blobs for a next event that has not come. */
void fxt_json_next_drop(struct fxt_json_file *f);

/* Appends the writer's text to an output, and empties the writer. */
void fxt_json_flush(struct fxt_json_writer *w, struct fxt_out *out);

/* Writes a metadata event's members, up to its args, which stay open. */
void fxt_json_metadata_begin(struct fxt_json_file *f, const char *what, __u64 process, __u64 thread);

/* Open and close an event: text written to f->json between them is then flushed to the events. */
void fxt_json_event_begin(struct fxt_json_file *f);
void fxt_json_event_end(struct fxt_json_file *f);

/* Writes an event that is JSON text. */
void fxt_json_event_text(struct fxt_json_file *f, const char *text, size_t count);

/* Writes microseconds with three decimals. */
void fxt_json_put_us(struct fxt_json_writer *w, __u64 ns);

/* Writes the process and the thread. */
void fxt_json_put_thread(struct fxt_json_writer *w, __u64 process, __u64 thread);

/* Writes the phase, the time and the thread, in this order. */
void fxt_json_put_where(struct fxt_json_writer *w, const struct fxt_record *r, __u64 ns,
			char phase);

/* Returns the last argument with a name, as a value or as JSON text; or NULL (write_fields.c). */
const struct fxt_arg *fxt_json_field(const struct fxt_record *r, const char *name);

/* Return whether an argument can be a phase, or a time: any program can write such arguments. */
bool fxt_json_phase_valid(const struct fxt_arg *arg);
bool fxt_json_time_valid(const struct fxt_arg *arg);

/* Writes a field's value; if records have no type for it, it is JSON text. */
void fxt_json_put_field(struct fxt_json_writer *w, const struct fxt_arg *arg);

/* Writes the fields that are not written by their names. */
void fxt_json_put_other_fields(struct fxt_json_writer *w, const struct fxt_record *r);

int fxt_json_event_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Writes the fields of an event besides its args. */
void fxt_json_put_event_fields(struct fxt_json_writer *w, const struct fxt_record *r);

/* Write one of several records of an event; and its end, if it is open (write_counter.c). */
int fxt_json_counter_write(struct fxt_json_file *f, const struct fxt_record *r, bool continues);
void fxt_json_counter_end(struct fxt_json_file *f);

/* Write a sample's entry; and the entry to the member "samples". */
void fxt_json_put_sample(struct fxt_json_writer *w, const struct fxt_record *r);
int fxt_json_sample_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Copies the events "clock" and "backend" to otherData. */
void fxt_json_about_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Notes that a thread has an event. */
void fxt_json_thread_know(struct fxt_json_file *f, __u64 thread);

/* Writes an event of the main fields and args, with "fxt.kind". */
int fxt_json_kind_write(struct fxt_json_file *f, const struct fxt_record *r, const char *kind,
			char phase, const struct fxt_text *name);

/* Puts the names that came before into ftrace's text. */
int fxt_json_names_replay(struct fxt_json_file *f);

int fxt_json_object_write(struct fxt_json_file *f, const struct fxt_record *r);
/* Write a scheduling record, or a name; and a synthetic name at the end (write_fuchsia.c). */
#define FXT_JSON_FUCHSIA	"\"systemTraceEvents\":{\"type\":\"fuchsia\",\"events\":[\n"
int fxt_json_fuchsia_write(struct fxt_json_file *f, const struct fxt_record *r);
int fxt_json_fuchsia_thread_write(struct fxt_json_file *f, __u64 thread, const struct fxt_text *name);

/*
 * Write scheduling records as durations; handle a CPU's loss; estimate the bytes of the open durations; end them
 * (write_rows.c).
 */
int fxt_json_rows_write(struct fxt_json_file *f, const struct fxt_record *r);
void fxt_json_rows_lost(struct fxt_json_file *f, __u32 cpu, __u64 ns);
__u64 fxt_json_rows_held(const struct fxt_json_file *f);
void fxt_json_rows_end(struct fxt_json_file *f);
void fxt_json_rows_free(struct fxt_json_file *f);

int fxt_json_blob_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Names a thread by the number that ftrace's text uses instead of its id, if so.  0 or -ENOMEM. */
int fxt_json_replaced_write(struct fxt_json_file *f, __u64 thread);

/* Write, at the end, names for threads without one; and the members besides events and ftrace's text. */
void fxt_json_guesses_write(struct fxt_json_file *f);
int fxt_json_members_write(struct fxt_json_file *f);

/* Writes a key and a word, which needs no escape. */
static inline void fxt_json_put_word(struct fxt_json_writer *w, const char *key, const char *word)
{
	fxt_json_key(w, key);
	fxt_json_word(w, word);
}

/* Writes a key and a text. */
void fxt_json_put_text(struct fxt_json_writer *w, const char *key, const struct fxt_text *text);

/* Writes an argument's value. */
void fxt_json_put_value(struct fxt_json_writer *w, const struct fxt_arg *arg);

/* Returns whether an argument is a field of the event itself; *key is its key without "json.". */
bool fxt_json_arg_field(const struct fxt_arg *arg, struct fxt_text *key);

/* Returns whether an argument is the flag of an event that blobs hold. */
bool fxt_json_arg_whole(const struct fxt_arg *arg);

/* Returns whether an argument is a string with the value's JSON text; if so, cuts ":json" off the key. */
bool fxt_json_arg_is_text(const struct fxt_arg *arg, struct fxt_text *key);

/*
 * Writes the members of args, from all arguments that are not fields.  skip: names of arguments to leave out, up to a
 * NULL.
 */
void fxt_json_put_args(struct fxt_json_writer *w, const struct fxt_record *r,
		       const char *const *skip);

/* Writes "fxt.types", key "args" and all members, if there are any. */
void fxt_json_put_all_args(struct fxt_json_writer *w, const struct fxt_record *r);

/*
 * Fills letters, of FXT_ARGS_MAX + 1 bytes, with one for each member of args, as in "fxt.types"; *all_natural: a reader
 * finds the types without it.  Returns whether args has a member.
 */
bool fxt_json_args_letters(const struct fxt_record *r, const char *const *skip, char *letters, bool *all_natural);

/* Writes "fxt.types", if a reader couldn't find the types without it; returns whether args has a member. */
bool fxt_json_put_types(struct fxt_json_writer *w, const struct fxt_record *r,
			const char *const *skip);

#endif
