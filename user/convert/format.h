/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of traces: each has a reader, or a writer, or both, and a row of the table. */
#ifndef FXT_CONVERT_FORMAT_H
#define FXT_CONVERT_FORMAT_H

#include "convert/cuts.h"
#include "convert/in.h"
#include "convert/notes.h"
#include "convert/out.h"
#include "convert/progress.h"
#include "convert/reading.h"
#include "stages/chain.h"
#include "util/error.h"

/* First argument of an operation's event where the track has a name of its own. */
#define FXT_TRACK_ARG	"track.name"
/* Argument of a flow that belongs to an operation without a thread: the operation's number. */
#define FXT_TRACK_ID_ARG	"track.id"

/* A fault that a reader found in its input; all texts are literals. */
struct fxt_flaw {
	const char *what;	/* the fault, for an error: "a packet is malformed" */
	const char *kind;	/* its plural, for the count: "malformed packets" */
	const char *taken;	/* the expected input; NULL: obvious */
};

struct fxt_hosts;

/* Data of one conversion that its reader and writer share. */
struct fxt_conversion {
	struct fxt_spool spool;		/* size of all temporary files */
	struct fxt_spill spill;		/* memory of tables */
	struct fxt_reading reading;	/* the records of the readers, with their sorter */
	struct fxt_chain chain;		/* the stages after the sorter */
	struct fxt_convert_progress progress;
	struct fxt_notes unheld;	/* data that the target can't hold, by kind */
	struct fxt_notes skipped;	/* data that the reader skipped, by kind */
	bool apart;			/* machines of different inputs are unrelated */
	bool strict;			/* malformed input is an error, instead of being skipped: convert/skip.h */
	int empty;		/* number of inputs without a byte */
	bool fuchsia;			/* JSON gets the system's events of Fuchsia, not ftrace's text */
	struct fxt_place place;		/* the reader's position */
	__u64 records_before;		/* number of records before this input */
	__u64 flaws;			/* number of skipped flaws of this input; then the first one */
	struct fxt_flaw first_flaw;
	char first_place[FXT_NOTE_FIRST];
	__u64 records;			/* number of all records, once they are sorted, and their span in ns */
	__u64 first, last;
	struct fxt_cuts cuts;		/* cuts, where the records exceed the caller's limit */
	struct fxt_hosts *hosts;	/* machines of the inputs; NULL: a single machine */
	struct fxt_error error;
};

/* Prepares a conversion that is zero except for its options.  memory: bytes of records.  Returns 0 or -ENOMEM. */
int fxt_conversion_init(struct fxt_conversion *conversion, size_t memory);
void fxt_conversion_uninit(struct fxt_conversion *conversion);

/*
 * Reads a whole input into the sorter: events in nanoseconds, scheduling as fxt-on-linux describes it, names as kernel
 * object records with "since".  0, or -errno with the error set: the input, the byte offset or line, and the fault.
 */
typedef int (*fxt_format_read)(struct fxt_conversion *conversion, struct fxt_in *in);

/*
 * A writer, which gets the sorter's records in time order, and counts records that its format can't hold in unheld.
 * - open: returns its state, or NULL without memory.
 * - put: 0, or -errno.
 * - close: writes the end of the file, unless the conversion failed, and frees the state.
 * - held: for files of a given size, the most bytes that close would write; NULL: few.
 * - flush: writes all data that can be written, so that the output's size is more precise; NULL: always written.
 * - growth: bytes of the format for each byte of fxt_room().
 */
struct fxt_format_writer {
	void *(*open)(struct fxt_conversion *conversion, struct fxt_out *out);
	int (*put)(void *state, const struct fxt_record *r);
	int (*close)(void *state, bool failed);
	__u64 (*held)(const void *state);
	int (*flush)(void *state);
	unsigned int growth;
	bool by_cpu;		/* the order of CPUs' records with equal times is lost */
};

/* Operations that a format's folder defines. */
struct fxt_format_ops {
	/* Returns whether an input that starts so has this format; NULL: it is not detected. */
	bool (*is)(const __u8 *start, size_t bytes);
	bool folder;				/* an input of this format is a folder */
	/* Whether a folder can be an input of this format; NULL: no folder can. */
	bool (*folder_is)(const struct fxt_in *in);
	fxt_format_read read;			/* NULL: the format is only written */
	/* NULL: the format is only read; without open(): this executable lacks the writer (cmd/larger.h). */
	const struct fxt_format_writer *writer;
};

/*
 * The formats: identifier, name of --from and --to, suffixes of OUT ("": none), description.  A new format needs a row,
 * and a folder with its fxt_format_ops_IDENTIFIER and its fxt_writer_IDENTIFIER, if any.
 */
#define FXT_FORMATS(ROW)							\
	ROW(fxt, "fxt", ".fxt", "", "Fuchsia trace format")			\
	ROW(json, "json", ".json", "", "Trace Event Format, an object")		\
	ROW(json_array, "json-array", "", "", "the same, an array of events")	\
	ROW(ftrace, "ftrace", ".txt", ".ftrace", "text of the kernel's ftrace")	\
	ROW(html, "html", ".html", "", "Android systrace")			\
	ROW(perfetto, "perfetto", ".pftrace", ".perfetto-trace", "Perfetto's TracePackets") \
	ROW(perf, "perf", "", "", "perf.data of perf record")			\
	ROW(tracecmd, "trace-cmd", "", "", "trace.dat of trace-cmd record")	\
	ROW(ctf, "ctf", "", "", "a folder of LTTng's, Common Trace Format")

struct fxt_format {
	const char *name;
	const char *suffix, *other_suffix;
	const struct fxt_format_ops *ops;
};

#define FXT_FORMAT_EXTERN(id, name, suffix, other_suffix, description)		\
	extern const struct fxt_format fxt_format_##id;				\
	extern const struct fxt_format_ops fxt_format_ops_##id;			\
	extern const struct fxt_format_writer fxt_writer_##id;
FXT_FORMATS(FXT_FORMAT_EXTERN)

extern const struct fxt_format *const fxt_formats[];	/* ends with NULL */

/* Returns an input's format by its first bytes; NULL: unknown. */
const struct fxt_format *fxt_format_of(struct fxt_in *in);

#endif
