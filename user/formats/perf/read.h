/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of perf.data share: its layout is in perf.data-file-format.txt of perf. */
#ifndef FXT_CONVERT_PERF_READ_H
#define FXT_CONVERT_PERF_READ_H

#include <linux/perf_event.h>

#include "convert/skip.h"
#include "stream/keys.h"
#include "formats/tracepoint/tracepoint.h"
#include "kernel/symbols.h"

/* Records of perf itself, among the kernel's. */
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
#define FXT_PERF_RECORD_MAX	65536u		/* bytes of a record's header with what its size counts */
#define FXT_PERF_SECTION_MAX	((size_t)32 << 20)	/* bytes of a section that is read as a whole */
#define FXT_PERF_STACK_BYTES	2000u		/* of a stack's text: as a recording has it */

struct fxt_perf_attr {
	__u32 type;
	__u64 config;
	__u64 sample_type;
	__u64 read_format;
	bool sample_id_all;
	bool inherit;
	__u64 hits;		/* of each of its samples, where those don't say so */
	bool looked;		/* for its tracepoint */
	unsigned int twin;	/* how many events before it are of the same one */
	struct fxt_tp *tp;
	/* Bytes in a sample before each of these; ~0: it has none.  Before what has no certain size. */
	__u32 ip_at, tid_at, time_at, cpu_at, period_at;
	__u32 fixed;
	/* Of what other records end with: bytes of it, and of what is behind its time. */
	__u32 trailer, behind_time;
	char name[64];
};

/* The header of each record, as the kernel defines it. */
struct fxt_perf_record {
	__u32 type;
	__u16 misc;
	__u16 size;
};

/* By the id of an event: of one CPU or thread. */
struct fxt_perf_id {
	__u64 value;		/* of its counter, in the last sample that has it */
	__u32 number;		/* of the attribute + 1 */
};

/* What a sample, or the end of another record, has. */
struct fxt_perf_sample {
	struct fxt_perf_attr *attr;
	__u64 time;
	__u64 ip;
	__u64 period;
	__u32 pid, tid, cpu;
	bool has_tid, has_cpu, has_ip, has_period;
	const __u8 *chain;	/* of 64-bit addresses */
	__u64 chain_count;
	const __u8 *raw;
	__u32 raw_bytes;
	const __u8 *counters;	/* of an event's group: a value, an id, and more */
	__u32 counter_count, counter_bytes;
};

/*
 * Bytes as they were read: a record waits where it is.  Of a round that is longer than all chunks,
 * the earlier half is handed on before the round is complete.
 */
#define FXT_PERF_CHUNK_BYTES	((size_t)256 << 10)
#define FXT_PERF_CHUNKS		96u

struct fxt_perf_chunks {
	__u8 *bytes;			/* of all, one behind the other; NULL: none yet */
	__u32 users[FXT_PERF_CHUNKS];	/* of each: records that wait, and a window */
};

/* Bytes one after the other, of a file, a pipe, or unpacked: in one chunk at a time. */
struct fxt_perf_window {
	__u8 *bytes;		/* of the chunk; NULL: none yet */
	size_t at, end;		/* of those that are there */
};

/* A file of a folder that perf record --threads made: records of one of the kernel's buffers. */
struct fxt_perf_part {
	char *name;		/* for messages */
	int fd;
	__u64 next, end;	/* where it is read on; its size */
	__u64 newest;		/* of its records */
	struct ZSTD_DCtx_s *zstd;
	bool ended;
};

struct fxt_perf_queue {
	struct fxt_keys keys;	/* of what waits: attribute << 32, and the place in the chunks */
	__u64 newest;		/* of what it has had */
	__u64 complete;		/* nothing earlier comes any more */
};

struct fxt_perf_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	int fd;			/* of a file that can be read at any place; -1: of a pipe */
	int opened;		/* to be closed: a copy, or a folder's file; -1: none */
	bool temporary;		/* it is a copy */
	struct fxt_perf_part *parts;	/* of a folder: other files of records; NULL: none */
	size_t part_count;
	size_t read_max;	/* bytes that are read at once, of a part; 0: as many as there is room for */
	__u64 size;		/* bytes of the file */
	__u64 offset;		/* of the record that is read, for messages */
	__u64 next;		/* where the window is read on, in the file */
	__u64 end;		/* of the data */
	struct fxt_perf_chunks chunks;
	struct fxt_perf_window window, unpacked;
	struct ZSTD_DCtx_s *zstd;
	bool unpacked_end;	/* what is packed is damaged */
	struct fxt_perf_attr *attrs;
	size_t attr_count;
	struct fxt_map ids;	/* of events: struct fxt_perf_id */
	struct {
		__u64 id;
		__u32 number;	/* as in the map; 0: free */
	} recent[256];		/* of them, by their last bits */
	__u64 ids_bytes;	/* in the file, of all attributes */
	struct fxt_map formats;	/* struct fxt_tp, by the tracepoints' ids */
	struct fxt_map twins;	/* how many attributes are of a tracepoint, by its id */
	struct fxt_perf_queue queue;
	struct fxt_tp_reader tp;
	struct fxt_symbols symbols;	/* of this machine, where it is the same boot */
	bool kernel_known;	/* where its text is: */
	bool symbols_looked;	/* for its symbols */
	__u64 kernel_text;
	int provider;		/* of what has no CPU */
	__u64 understood;	/* records that became something */
	__u64 lost, lost_in_all;	/* events, as the kernel reported them, and as perf counted them */
	char stack[FXT_PERF_STACK_BYTES];
	char function[256];
	/* What the header says of the machine. */
	bool chosen_threads;	/* events are those of COMMAND, or of threads that were chosen */
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

/* Sets the error: what is wrong at the record that is read; -EBADMSG. */
int fxt_perf_bad(struct fxt_perf_reader *rd, const char *what);
/* A flaw there (convert/skip.h): what it is, and many of it. */
int fxt_perf_wrong(struct fxt_perf_reader *rd, const char *what, const char *kind);

/* The same where nothing behind it can be read: 0 is the end. */
int fxt_perf_end(struct fxt_perf_reader *rd, const char *what);

/*
 * Room for so many bytes from the window's place on, FXT_PERF_RECORD_MAX at most: in another
 * chunk where this one is too short.  0; -ENOMEM; what fxt_perf_event() fails with.
 */
int fxt_perf_window_room(struct fxt_perf_reader *rd, struct fxt_perf_window *w, size_t wanted);

const __u8 *fxt_perf_bytes_read(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes);

/*
 * So many bytes, FXT_PERF_RECORD_MAX at most, the window's next; they stay until the next call,
 * and longer as a record that waits.  Fewer where there are no more, by *bytes; NULL with
 * *bytes = -errno.
 */
static inline const __u8 *fxt_perf_bytes(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes)
{
	if (rd->window.end - rd->window.at < wanted)
		return fxt_perf_bytes_read(rd, wanted, bytes);
	*bytes = wanted;
	return rd->window.bytes + rd->window.at;
}

/* Goes behind so many bytes, which may be more than the window has; 0 or -errno. */
int fxt_perf_skip_far(struct fxt_perf_reader *rd, __u64 bytes);

static inline int fxt_perf_skip(struct fxt_perf_reader *rd, __u64 bytes)
{
	if (rd->window.end - rd->window.at < bytes)
		return fxt_perf_skip_far(rd, bytes);
	rd->offset += bytes;
	rd->window.at += bytes;
	return 0;
}

/* A copy of so many bytes, to be freed, and goes behind them; NULL: *err is -errno, or 0 where there are fewer. */
__u8 *fxt_perf_take(struct fxt_perf_reader *rd, size_t bytes, int *err);

/* Bytes of the file at an offset, to be freed; NULL: err says why, an error is set. */
__u8 *fxt_perf_section(struct fxt_perf_reader *rd, __u64 offset, __u64 bytes, int *err);

/* The records of a file's header, before its data; and one of a pipe's.  0 or -errno. */
int fxt_perf_header_file(struct fxt_perf_reader *rd);
int fxt_perf_attr_put(struct fxt_perf_reader *rd, const __u8 *attr, size_t bytes, size_t size, __u32 *number);
int fxt_perf_ids_put(struct fxt_perf_reader *rd, const __u8 *ids, size_t bytes, __u32 number);
/* A section of the header, or what a pipe has of it. */
int fxt_perf_feature(struct fxt_perf_reader *rd, unsigned int feature, const __u8 *data, size_t bytes);
/* The formats of the tracepoints. */
int fxt_perf_tracing(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes);
/* The host and the clock, once all of the header is known. */
int fxt_perf_host_put(struct fxt_perf_reader *rd);

/* Whether a file begins as perf.data does. */
bool fxt_perf_is(const __u8 *start, size_t bytes);

/* Unpacks a record, and reads what is in it. */
int fxt_perf_unpack(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes);
void fxt_perf_unpack_uninit(struct fxt_perf_reader *rd);

/* Reads one record at the window's place; 1: there was one, 0 at the end, -errno. */
int fxt_perf_step(struct fxt_perf_reader *rd);

/* Of a folder: whether it is perf's; opens "data", and the parts; reads all of them; closes them.  0 or -errno. */
bool fxt_perf_folder_is(const struct fxt_in *in);
int fxt_perf_folder_open(struct fxt_perf_reader *rd);
int fxt_perf_parts_read(struct fxt_perf_reader *rd);
void fxt_perf_parts_close(struct fxt_perf_reader *rd);

/* One record of the data, with its header, of the size that is in that. */
int fxt_perf_record_read(struct fxt_perf_reader *rd, const __u8 *record);

/* Parses a sample, or what is behind another record, by its attribute; false where it doesn't fit. */
bool fxt_perf_sample_parse(struct fxt_perf_attr *attr, const __u8 *record, struct fxt_perf_sample *s);

/*
 * The attribute of a sample or another record, and its time; 0: it has none.  NULL where its
 * fields don't fit.
 */
struct fxt_perf_attr *fxt_perf_time(struct fxt_perf_reader *rd, const __u8 *record, __u64 *time);
/* By the id of an event; NULL: of none. */
struct fxt_perf_id *fxt_perf_id(struct fxt_perf_reader *rd, __u64 id);
/* How many attributes are of a tracepoint; NULL: none. */
static inline __u32 *fxt_perf_twins(struct fxt_perf_reader *rd, __u64 config)
{
	return fxt_map_get(&rd->twins, config);
}

/* What follows from its fields. */
void fxt_perf_attr_places(struct fxt_perf_attr *attr);

void fxt_perf_queue_uninit(struct fxt_perf_queue *q);
/* Keeps a record, which is in a window, until those before it have come; 0 or -ENOMEM. */
int fxt_perf_queue_put(struct fxt_perf_reader *rd, const struct fxt_perf_attr *attr, const __u8 *record, __u64 time);
/* Hands on what waits, but its later half where that leaves a chunk without users.  0 or -errno. */
int fxt_perf_queue_relieve(struct fxt_perf_reader *rd);
/* A round of all CPUs is complete, with all records up to a time, or nearly; and all is. */
int fxt_perf_queue_round(struct fxt_perf_reader *rd, __u64 newest);
int fxt_perf_queue_end(struct fxt_perf_reader *rd);

/* A record, in time order with the others. */
int fxt_perf_event(struct fxt_perf_reader *rd, struct fxt_perf_attr *attr, const __u8 *record);

/* The functions of a sample's callchain in rd->stack, and the first that sleeps in rd->function. */
void fxt_perf_stack(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s, struct fxt_span *stack,
		    struct fxt_span *function);
/* The kernel's map: whether it is of this boot. */
void fxt_perf_kernel(struct fxt_perf_reader *rd, const __u8 *record);

#endif
