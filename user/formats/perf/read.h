/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions and types that the parts of the reader of perf.data share; perf.data-file-format.txt of perf describes the
 * layout.
 */
#ifndef FXT_CONVERT_PERF_READ_H
#define FXT_CONVERT_PERF_READ_H

#include <linux/perf_event.h>

#include "convert/skip.h"
#include "stream/keys.h"
#include "formats/tracepoint/tracepoint.h"
#include "kernel/symbols.h"

/* Types of records that perf itself writes, among the kernel's. */
enum {
	FXT_PERF_ATTR = 64,
	FXT_PERF_TRACING_DATA = 66,
	FXT_PERF_FINISHED_ROUND = 68,
	FXT_PERF_AUXTRACE = 71,
	FXT_PERF_THREADS = 73,
	FXT_PERF_EVENT_UPDATE = 78,
	FXT_PERF_FEATURE = 80,
	FXT_PERF_COMPRESSED = 81,
	FXT_PERF_FINISHED_INIT = 82,
	FXT_PERF_COMPRESSED2 = 83,
};

/* Sections of a file's header, as bits of its flags. */
enum {
	FXT_PERF_HAS_TRACING_DATA = 1,
	FXT_PERF_HAS_HOSTNAME = 3,
	FXT_PERF_HAS_RELEASE = 4,
	FXT_PERF_HAS_ARCH = 6,
	FXT_PERF_HAS_COMMAND = 11,
	FXT_PERF_HAS_EVENTS = 12,
	FXT_PERF_HAS_DIRECTORY = 24,
	FXT_PERF_HAS_CLOCK = 29,
	FXT_PERF_SECTIONS = 256,
};

#define FXT_PERF_ATTRS_MAX	65536u
#define FXT_PERF_RECORD_MAX	65536u		/* longest record: its header's size field has 16 bits */
#define FXT_PERF_SECTION_MAX	((size_t)32 << 20)	/* longest section that is read as a whole */
#define FXT_PERF_STACK_BYTES	2000u		/* longest text of a stack, as in a recording */

struct fxt_perf_attr {
	__u32 type;
	__u64 config;
	__u64 sample_type;
	__u64 read_format;
	bool sample_id_all;
	bool inherit;
	__u64 hits;		/* period of each sample, where the samples have no period of their own */
	bool looked;		/* tp was looked up */
	unsigned int twin;	/* number of earlier attributes with the same tracepoint */
	struct fxt_tp *tp;
	/*
	 * Offsets in a sample, in its part of fixed size; ~0: the field is absent or follows a field of variable size.
	 */
	__u32 tid_at, time_at, cpu_at, period_at;
	__u32 fixed;
	/* Size of the sample_id trailer of non-sample records, and of its part after the timestamp. */
	__u32 trailer, behind_time;
	char name[64];
};

/* Header of each record, as the kernel defines it. */
struct fxt_perf_record {
	__u32 type;
	__u16 misc;
	__u16 size;
};

/* Attribute and counter of an event's id, which is of one CPU or thread. */
struct fxt_perf_id {
	__u64 value;		/* counter's value in the last sample that has it */
	__u32 number;		/* number of the attribute, plus 1 */
};

/* Fields of a sample, or of another record's trailer. */
struct fxt_perf_sample {
	struct fxt_perf_attr *attr;
	__u64 time;
	__u64 period;
	__u32 pid, tid, cpu;
	bool has_tid, has_cpu, has_period;
	const __u8 *chain;	/* 64-bit addresses */
	__u64 chain_count;
	const __u8 *raw;
	__u32 raw_bytes;
	const __u8 *counters;	/* counters of the event's group: a value, an id, and more */
	__u32 counter_count, counter_bytes;
};

/*
 * Chunks of the bytes read: a waiting record stays in its chunk.  If a round is longer than all chunks, its earlier
 * half is handed on before the round is complete.
 */
#define FXT_PERF_CHUNK_BYTES	((size_t)256 << 10)
#define FXT_PERF_CHUNKS		96u

struct fxt_perf_chunks {
	__u8 *bytes;			/* memory of all chunks, one after the other; NULL: not allocated yet */
	__u32 users[FXT_PERF_CHUNKS];	/* users of each chunk: waiting records, and a window */
};

/* Consecutive bytes of a file, a pipe, or decompressed records, in one chunk at a time. */
struct fxt_perf_window {
	__u8 *bytes;		/* the chunk's memory; NULL: no chunk yet */
	size_t at, end;		/* start and end of the unread bytes */
};

/* A file of a folder of perf record --threads: records of one of the kernel's buffers. */
struct fxt_perf_part {
	char *name;		/* name, for messages */
	int fd;
	__u64 next, end;	/* offset of the next read; size of the file */
	__u64 newest;		/* time of its newest record */
	struct ZSTD_DCtx_s *zstd;
	bool ended;
};

struct fxt_perf_queue {
	struct fxt_keys keys;	/* waiting records; at is attribute << 32 | position in the chunks */
	__u64 newest;		/* time of the newest record that was put */
	__u64 complete;		/* earliest time of the records that still come */
};

struct fxt_perf_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	int fd;			/* file that can be read at any offset; -1: a pipe */
	int opened;		/* descriptor to close: a copy's, or a folder's file's; -1: none */
	bool temporary;		/* fd is a copy */
	struct fxt_perf_part *parts;	/* other files of records of a folder; NULL: none */
	size_t part_count;
	size_t read_max;	/* limit of the bytes of one read of a part; 0: no limit */
	__u64 size;		/* bytes of the file */
	__u64 offset;		/* offset of the record that is read, for messages */
	__u64 next;		/* offset of the window's next read in the file */
	__u64 end;		/* end of the data */
	struct fxt_perf_chunks chunks;
	struct fxt_perf_window window, unpacked;
	struct ZSTD_DCtx_s *zstd;
	bool unpacked_end;	/* compressed data is damaged */
	struct fxt_perf_attr *attrs;
	size_t attr_count;
	struct fxt_map ids;	/* struct fxt_perf_id, by the event's id */
	struct {
		__u64 id;
		__u32 number;	/* as in ids; 0: free */
	} recent[256];		/* cache of ids, by the id's last bits */
	__u64 ids_bytes;	/* bytes of all ids in the file */
	struct fxt_map formats;	/* struct fxt_tp, by the tracepoint's id */
	struct fxt_map twins;	/* number of attributes with a tracepoint, by the tracepoint's id */
	struct fxt_perf_queue queue;
	struct fxt_tp_reader tp;
	struct fxt_symbols symbols;	/* symbols of this machine, where the file is of the same boot */
	bool kernel_known;	/* kernel_text is known */
	bool symbols_looked;	/* symbols were looked up */
	__u64 kernel_text;
	int provider;		/* provider of records without a CPU */
	__u64 lost, lost_in_all;	/* lost events: as the kernel reported them, and as perf counted them */
	char stack[FXT_PERF_STACK_BYTES];
	char function[256];
	/* Description of the machine in the header. */
	bool chosen_threads;	/* only events of COMMAND, or of chosen threads, were recorded */
	char host[256], release[256], arch[64], command[1024];
};

static inline __u64 fxt_perf_u64(const __u8 *at)
{
	__u64 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline __u32 fxt_perf_u32(const __u8 *at)
{
	__u32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Sets the error: describes the fault of the record that is read; returns -EBADMSG. */
int fxt_perf_bad(struct fxt_perf_reader *rd, const char *what);
/* Reports a flaw of the record that is read (convert/skip.h): its description, and the plural for its count. */
int fxt_perf_wrong(struct fxt_perf_reader *rd, const char *what, const char *kind);

/* Reports a flaw that ends the reading; 0 where reading shall end. */
int fxt_perf_end(struct fxt_perf_reader *rd, const char *what);

/*
 * Makes capacity for wanted bytes, at most FXT_PERF_RECORD_MAX, from the window's position on: moves to another chunk
 * where this one is too short.  0; -ENOMEM; an error of fxt_perf_event().
 */
int fxt_perf_window_room(struct fxt_perf_reader *rd, struct fxt_perf_window *w, size_t wanted);

const __u8 *fxt_perf_bytes_read(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes);

/*
 * Returns the window's next bytes, at most FXT_PERF_RECORD_MAX; they stay until the next call, and longer as a waiting
 * record. *bytes is their number, which is less than wanted at the end; NULL with *bytes = -errno.
 */
static inline const __u8 *fxt_perf_bytes(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes)
{
	if (rd->window.end - rd->window.at < wanted)
		return fxt_perf_bytes_read(rd, wanted, bytes);
	*bytes = wanted;
	return rd->window.bytes + rd->window.at;
}

/* Skips bytes, also more than the window has; 0 or -errno. */
int fxt_perf_skip_far(struct fxt_perf_reader *rd, __u64 bytes);

static inline int fxt_perf_skip(struct fxt_perf_reader *rd, __u64 bytes)
{
	if (rd->window.end - rd->window.at < bytes)
		return fxt_perf_skip_far(rd, bytes);
	rd->offset += bytes;
	rd->window.at += bytes;
	return 0;
}

/*
 * Returns a copy of the next bytes, to be freed, and skips them; NULL: *err is -errno, or 0 where the input ends
 * before.
 */
__u8 *fxt_perf_take(struct fxt_perf_reader *rd, size_t bytes, int *err);

/* Returns bytes of the file at an offset, to be freed; NULL: *err is -errno, and the error is set. */
__u8 *fxt_perf_section(struct fxt_perf_reader *rd, __u64 offset, __u64 bytes, int *err);

/* Reads the header of a file, before its data, or one of its records in a pipe.  0 or -errno. */
int fxt_perf_header_file(struct fxt_perf_reader *rd);
int fxt_perf_attr_put(struct fxt_perf_reader *rd, const __u8 *attr, size_t bytes, size_t size, __u32 *number);
int fxt_perf_ids_put(struct fxt_perf_reader *rd, const __u8 *ids, size_t bytes, __u32 number);
/* Reads a section of the header, also from a pipe's record. */
int fxt_perf_feature(struct fxt_perf_reader *rd, unsigned int feature, const __u8 *data, size_t bytes);
/* Reads the formats of the tracepoints. */
int fxt_perf_tracing(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes);
/* Puts the host and the clock, once all of the header is known. */
int fxt_perf_host_put(struct fxt_perf_reader *rd);

/* Returns whether a file starts as perf.data does. */
bool fxt_perf_is(const __u8 *start, size_t bytes);

/* Decompresses a record, and reads the records in it. */
int fxt_perf_unpack(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes);
void fxt_perf_unpack_uninit(struct fxt_perf_reader *rd);

/* Reads one record at the window's position; 1, 0 at the end, -errno. */
int fxt_perf_step(struct fxt_perf_reader *rd);

/* Return whether a folder is perf's; open "data" and the parts; read all parts; close them.  0 or -errno. */
bool fxt_perf_folder_is(const struct fxt_in *in);
int fxt_perf_folder_open(struct fxt_perf_reader *rd);
int fxt_perf_parts_read(struct fxt_perf_reader *rd);
void fxt_perf_parts_close(struct fxt_perf_reader *rd);

/* Reads one record of the data; the header has its size. */
int fxt_perf_record_read(struct fxt_perf_reader *rd, const __u8 *record);

/* Parses a sample, or the trailer of another record, by its attribute; false where it doesn't fit. */
bool fxt_perf_sample_parse(struct fxt_perf_attr *attr, const __u8 *record, struct fxt_perf_sample *s);

/* Returns the attribute of a sample or another record, and its time (0: no time).  NULL where the fields don't fit. */
struct fxt_perf_attr *fxt_perf_time(struct fxt_perf_reader *rd, const __u8 *record, __u64 *time);
/* Finds an event's attribute by id; NULL: unknown. */
struct fxt_perf_id *fxt_perf_id(struct fxt_perf_reader *rd, __u64 id);
/* Returns the number of attributes with a tracepoint; NULL: no attribute. */
static inline __u32 *fxt_perf_twins(struct fxt_perf_reader *rd, __u64 config)
{
	return fxt_map_get(&rd->twins, config);
}

/* Sets the offsets that follow from sample_type. */
void fxt_perf_attr_places(struct fxt_perf_attr *attr);

void fxt_perf_queue_uninit(struct fxt_perf_queue *q);
/* Keeps a record, which is in a window, until all earlier records have come; 0 or -ENOMEM. */
int fxt_perf_queue_put(struct fxt_perf_reader *rd, const struct fxt_perf_attr *attr, const __u8 *record, __u64 time);
/* Hands on the waiting records, without their later half if that suffices for a free chunk.  0 or -errno. */
int fxt_perf_queue_relieve(struct fxt_perf_reader *rd);
/* Ends a round of all CPUs, with the time of its newest record; ends the input. */
int fxt_perf_queue_round(struct fxt_perf_reader *rd, __u64 newest);
int fxt_perf_queue_end(struct fxt_perf_reader *rd);

/* Feeds a record, in time order with the others. */
int fxt_perf_event(struct fxt_perf_reader *rd, struct fxt_perf_attr *attr, const __u8 *record);

/* Fills rd->stack with the functions of a sample's callchain, and rd->function with the first that sleeps. */
void fxt_perf_stack(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s, struct fxt_span *stack,
		    struct fxt_span *function);
/* Reads the kernel's map, which shows whether the file is of this boot. */
void fxt_perf_kernel(struct fxt_perf_reader *rd, const __u8 *record);

#endif
