/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the writers of JSON share. */
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

/* Linux has no more threads than that; those of higher ids get no names but their own. */
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
	bool array;			/* events alone */
	struct fxt_json_rows *rows;	/* scheduling in it; NULL: none so far */
	/*
	 * Two members grow at the same time.  One goes to the output as it comes, the
	 * other to a file of its own.
	 */
	struct fxt_out *events;		/* out, or its own */
	struct fxt_out *system;		/* likewise; NULL: no scheduling so far */
	struct fxt_ftrace_writer *ftrace;	/* NULL: none so far, or they are Fuchsia's */
	bool system_filled;
	struct fxt_json_writer json;	/* of the event at hand */
	bool any_event;
	struct fxt_objects objects;
	/* Bits by thread: ftrace's text has it; an event has it. */
	__u64 *scheduled;
	__u64 *known;
	__u64 guesses;			/* threads of ftrace's text, at most, that had no name then */
	__u64 *replaced;		/* by the lower bits of the number in ftrace's text; NULL: none */
	/* JSON text of blobs, until it is whole. */
	struct fxt_buffer text;
	bool next;			/* it is the next event's */
	struct fxt_json_member members[FXT_JSON_MEMBERS_MAX];
	unsigned int member_count;
	bool about_clock, about_backend;	/* otherData has them */
	/* A counter of several records, which json has up to the members of its args so far. */
	struct fxt_counter_part counter;
	bool counter_open, counter_typed;	/* its args are open; it needs its types */
	struct fxt_buffer counter_types;
};

/* Bytes that closing the file adds, by estimate; the writers' held(). */
__u64 fxt_json_held(const void *state);

extern const struct fxt_format_writer fxt_writer_json;
extern const struct fxt_format_writer fxt_writer_json_array;

/* Counts and drops the text of blobs for a next event that has not come. */
void fxt_json_next_drop(struct fxt_json_file *f);

/* Appends what was written to an output, and empties the writer. */
void fxt_json_flush(struct fxt_json_writer *w, struct fxt_out *out);

/* A metadata event's members, up to its args, which stay open. */
void fxt_json_metadata_begin(struct fxt_json_file *f, const char *what, __u64 process, __u64 thread);

/* An event's brackets: what is written to f->json between them goes to the output at the end. */
void fxt_json_event_begin(struct fxt_json_file *f);
void fxt_json_event_end(struct fxt_json_file *f);

/* An event that is JSON text. */
void fxt_json_event_text(struct fxt_json_file *f, const char *text, size_t count);

/* Microseconds with three decimals. */
void fxt_json_put_us(struct fxt_json_writer *w, __u64 ns);

/* Process and thread. */
void fxt_json_put_thread(struct fxt_json_writer *w, __u64 process, __u64 thread);

/* The phase, the time and the thread, in this order. */
void fxt_json_put_where(struct fxt_json_writer *w, const struct fxt_record *r, __u64 ns,
			char phase);

/* write_fields.c: the last argument of a name, as a value or as JSON text; or NULL. */
const struct fxt_arg *fxt_json_field(const struct fxt_record *r, const char *name);

/* Whether an argument can be a phase, or a time: anyone can write such arguments. */
bool fxt_json_phase_valid(const struct fxt_arg *arg);
bool fxt_json_time_valid(const struct fxt_arg *arg);

/* A field's value; if records have no type for it, it is JSON text. */
void fxt_json_put_field(struct fxt_json_writer *w, const struct fxt_arg *arg);

/* Those that are not written by their names. */
void fxt_json_put_other_fields(struct fxt_json_writer *w, const struct fxt_record *r);

int fxt_json_event_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Fields of an event besides its args. */
void fxt_json_put_event_fields(struct fxt_json_writer *w, const struct fxt_record *r);

/* write_counter.c: one of several records of an event; and its end, if it is open. */
int fxt_json_counter_write(struct fxt_json_file *f, const struct fxt_record *r, bool continues);
void fxt_json_counter_end(struct fxt_json_file *f);

/* A sample's entry; and writing it to the member "samples". */
void fxt_json_put_sample(struct fxt_json_writer *w, const struct fxt_record *r);
int fxt_json_sample_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Copies the events "clock" and "backend" to otherData. */
void fxt_json_about_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Notes that an event is of this thread. */
void fxt_json_thread_know(struct fxt_json_file *f, __u64 thread);

/* An event of the main fields and args, with "fxt.kind". */
int fxt_json_kind_write(struct fxt_json_file *f, const struct fxt_record *r, const char *kind,
			char phase, const struct fxt_text *name);

/* Gives ftrace's text the names that came before it. */
int fxt_json_names_replay(struct fxt_json_file *f);

int fxt_json_object_write(struct fxt_json_file *f, const struct fxt_record *r);
/* write_fuchsia.c: a scheduling record, or a name; and a made-up name at the end. */
#define FXT_JSON_FUCHSIA	"\"systemTraceEvents\":{\"type\":\"fuchsia\",\"events\":[\n"
int fxt_json_fuchsia_write(struct fxt_json_file *f, const struct fxt_record *r);
int fxt_json_fuchsia_thread_write(struct fxt_json_file *f, __u64 thread, const struct fxt_text *name);

/* write_rows.c: scheduling records as durations; losses of a CPU's; what goes on at the end, and its bytes. */
int fxt_json_rows_write(struct fxt_json_file *f, const struct fxt_record *r);
void fxt_json_rows_lost(struct fxt_json_file *f, __u32 cpu, __u64 ns);
__u64 fxt_json_rows_held(const struct fxt_json_file *f);
void fxt_json_rows_end(struct fxt_json_file *f);
void fxt_json_rows_free(struct fxt_json_file *f);

int fxt_json_blob_write(struct fxt_json_file *f, const struct fxt_record *r);

/* Names a thread by the number that ftrace's text has in place of its own, if it does.  0 or -ENOMEM. */
int fxt_json_replaced_write(struct fxt_json_file *f, __u64 thread);

/* At the end: names for threads without one; the members besides events and ftrace's text. */
void fxt_json_guesses_write(struct fxt_json_file *f);
int fxt_json_members_write(struct fxt_json_file *f);

/* A key and a word, which needs no escape. */
static inline void fxt_json_put_word(struct fxt_json_writer *w, const char *key, const char *word)
{
	fxt_json_key(w, key);
	fxt_json_word(w, word);
}

/* A key and a text. */
void fxt_json_put_text(struct fxt_json_writer *w, const char *key, const struct fxt_text *text);

/* An argument's value. */
void fxt_json_put_value(struct fxt_json_writer *w, const struct fxt_arg *arg);

/* An argument that is a field of the event itself: its key without "json.", or false. */
bool fxt_json_arg_field(const struct fxt_arg *arg, struct fxt_text *key);

/* Whether it is the flag of an event that blobs hold all of. */
bool fxt_json_arg_whole(const struct fxt_arg *arg);

/* Whether it is a string that is the value's JSON text; if so, cuts ":json" off the key. */
bool fxt_json_arg_is_text(const struct fxt_arg *arg, struct fxt_text *key);

/*
 * The members of args, of all arguments that are no field.  skip: names of
 * arguments to leave out, up to a NULL.
 */
void fxt_json_put_args(struct fxt_json_writer *w, const struct fxt_record *r,
		       const char *const *skip);

/* "fxt.types", key "args" and all of them, if there are any. */
void fxt_json_put_all_args(struct fxt_json_writer *w, const struct fxt_record *r);

/*
 * Fills letters, of FXT_ARGS_MAX + 1 bytes, with one for each member of args, as "fxt.types" has them; all_natural: a
 * reader knows the types without.  Returns whether args has a member.
 */
bool fxt_json_args_letters(const struct fxt_record *r, const char *const *skip, char *letters, bool *all_natural);

/* "fxt.types", if a reader couldn't know the types without; whether args has a member. */
bool fxt_json_put_types(struct fxt_json_writer *w, const struct fxt_record *r,
			const char *const *skip);

#endif
