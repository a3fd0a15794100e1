// SPDX-License-Identifier: GPL-2.0-only
/* Reads the format "perf": perf.data, from a file or a pipe. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/in_file.h"
#include "formats/perf/read.h"
#include "util/utf8.h"

static const char magic[] = "PERFILE2", other_endian[] = "2ELIFREP";

#define PIPE_HEADER_BYTES	16u

bool fxt_perf_is(const __u8 *start, size_t bytes)
{
	return bytes >= 8 && (!memcmp(start, magic, 8) || !memcmp(start, other_endian, 8));
}

int fxt_perf_bad(struct fxt_perf_reader *rd, const char *what)
{
	return fxt_flaw_error(rd->c, EBADMSG, "%s", what);
}

int fxt_perf_end(struct fxt_perf_reader *rd, const char *what)
{
	return fxt_perf_wrong(rd, what, "ends of perf.data, from where no record can be found");
}

int fxt_perf_wrong(struct fxt_perf_reader *rd, const char *what, const char *kind)
{
	return fxt_flaw(rd->c, &(struct fxt_flaw){ what, kind, NULL });
}

/* Reads a pipe's tracing data, which follows its record; the record has its size. */
static int tracing_data_read(struct fxt_perf_reader *rd, const __u8 *record, size_t bytes)
{
	__u32 size = bytes >= 12 ? fxt_perf_u32(record + 8) : 0;
	__u8 *data;
	int err = fxt_perf_skip(rd, bytes);

	if (!size || size > FXT_PERF_SECTION_MAX)
		return fxt_perf_bad(rd, "the formats of its tracepoints have a size that can't be");
	data = err ? NULL : fxt_perf_take(rd, size, &err);
	if (!data)
		return err ? err : fxt_perf_bad(rd, "it is cut off in the formats of its tracepoints");
	err = fxt_perf_tracing(rd, data, size);
	free(data);
	return err ? err : fxt_perf_skip(rd, -size & 7);
}

/* Reads an event's attributes, which include their size, then its ids. */
static int attr_read(struct fxt_perf_reader *rd, const __u8 *record, size_t bytes)
{
	size_t size = bytes >= 16 ? fxt_perf_u32(record + 12) : 0;
	__u32 number;
	int err = fxt_perf_attr_put(rd, record + 8, bytes - 8, size, &number);

	return err ? err : fxt_perf_ids_put(rd, record + 8 + size, bytes - 8 - size, number);
}

/* Reads an update of an event: "type, id, name", and a section of a file's header. */
static int update_read(struct fxt_perf_reader *rd, const __u8 *record, size_t bytes)
{
	enum { NAME = 2 };
	const struct fxt_perf_id *id;
	size_t room = sizeof(rd->attrs->name) - 1, length;

	if (bytes < 24 || fxt_perf_u64(record + 8) != NAME)
		return 0;
	id = fxt_perf_id(rd, fxt_perf_u64(record + 16));
	length = strnlen((const char *)record + 24, bytes - 24);
	if (!id)
		return 0;
	memcpy(rd->attrs[id->number - 1].name, record + 24, length < room ? length : room);
	fxt_utf8_mend(rd->attrs[id->number - 1].name, length < room ? length : room);
	return 0;
}

/* Returns whether perf record traced chosen threads: the record has their number and ids, where -1 is all threads. */
static bool threads_chosen(const __u8 *record, size_t bytes)
{
	return bytes >= 24 && fxt_perf_u64(record + 8) && fxt_perf_u64(record + 16) != ~0ULL;
}

/* Reads a record that perf itself wrote. */
static int own_read(struct fxt_perf_reader *rd, const __u8 *record, const struct fxt_perf_record *head)
{
	int err = 0;

	switch (head->type) {
	case FXT_PERF_TRACING_DATA:
		return tracing_data_read(rd, record, head->size);
	case FXT_PERF_ATTR:
		err = attr_read(rd, record, head->size);
		break;
	case FXT_PERF_EVENT_UPDATE:
		err = update_read(rd, record, head->size);
		break;
	case FXT_PERF_FEATURE:
		if (head->size >= 16 && fxt_perf_u64(record + 8) < FXT_PERF_SECTIONS)
			err = fxt_perf_feature(rd, fxt_perf_u64(record + 8), record + 16, head->size - 16);
		break;
	case FXT_PERF_FINISHED_ROUND:
		/* In a folder, a round is one thread's, and implies nothing about the other threads' buffers. */
		err = rd->parts ? 0 : fxt_perf_queue_round(rd, rd->queue.newest);
		break;
	case FXT_PERF_COMPRESSED:
		err = fxt_perf_unpack(rd, record + 8, head->size - 8);
		break;
	case FXT_PERF_COMPRESSED2:
		if (head->size < 16 || fxt_perf_u64(record + 8) > head->size - 16u)
			return fxt_perf_bad(rd, "a packed record has a size that can't be");
		err = fxt_perf_unpack(rd, record + 16, fxt_perf_u64(record + 8));
		break;
	case FXT_PERF_THREADS:
		rd->chosen_threads = rd->chosen_threads || threads_chosen(record, head->size);
		break;
	case FXT_PERF_AUXTRACE:
		fxt_skip(rd->c, "pieces of hardware traces", 1);
		return fxt_perf_skip(rd, head->size + (head->size >= 16 ? fxt_perf_u64(record + 8) : 0));
	}
	return err ? err : fxt_perf_skip(rd, head->size);
}

static int cut_off(struct fxt_perf_reader *rd, size_t bytes)
{
	int err = fxt_perf_skip(rd, bytes);

	return err ? err : fxt_perf_wrong(rd, "it is cut off in a record", "records that are cut off");
}

int fxt_perf_step(struct fxt_perf_reader *rd)
{
	struct fxt_perf_record head;
	const __u8 *record;
	ssize_t got;
	int err;

	rd->c->place.at = rd->offset;
	record = fxt_perf_bytes(rd, sizeof(head), &got);
	if (!record || !got)
		return got;
	if (got < (ssize_t)sizeof(head))
		return cut_off(rd, got);
	memcpy(&head, record, sizeof(head));
	if (head.size < sizeof(head))
		return fxt_perf_end(rd, "a record has a size that can't be");
	record = fxt_perf_bytes(rd, head.size, &got);
	if (!record)
		return got;
	if (got < head.size)
		return cut_off(rd, got);
	if (head.type >= FXT_PERF_ATTR)
		err = own_read(rd, record, &head);
	else
		err = fxt_perf_record_read(rd, record);
	if (!err && head.type < FXT_PERF_ATTR)
		err = fxt_perf_skip(rd, head.size);
	return err ? err : 1;
}

static int file_open(struct fxt_perf_reader *rd)
{
	off_t size;

	if (rd->in->folder)
		return fxt_perf_folder_open(rd);
	rd->fd = fxt_in_seekable(rd->in, &rd->c->spool, &rd->temporary);
	if (rd->temporary)
		rd->opened = rd->fd;
	size = rd->fd < 0 ? 0 : lseek(rd->fd, 0, SEEK_END);
	rd->size = rd->end = size < 0 ? 0 : size;
	return rd->fd < 0 ? rd->fd : 0;
}

static int start(struct fxt_perf_reader *rd)
{
	const __u8 *first;
	size_t bytes;
	ssize_t got;
	int err;

	if (rd->in->folder) {
		err = file_open(rd);
		return err ? err : fxt_perf_header_file(rd);
	}
	first = fxt_in_start(rd->in, &bytes);
	if (bytes >= 8 && !memcmp(first, other_endian, 8))
		return fxt_error_set(&rd->c->error, EOPNOTSUPP,
				     "%s: of a machine of other endianness, which is not supported", rd->in->name);
	if (bytes < PIPE_HEADER_BYTES || memcmp(first, magic, 8))
		return fxt_error_set(&rd->c->error, EBADMSG, "%s: it doesn't begin as perf.data does", rd->in->name);
	if (fxt_perf_u64(first + 8) != PIPE_HEADER_BYTES) {
		err = file_open(rd);
		return err ? err : fxt_perf_header_file(rd);
	}
	/* A pipe's data, or a file that a pipe was saved to. */
	return fxt_perf_bytes(rd, PIPE_HEADER_BYTES, &got) ? fxt_perf_skip(rd, PIPE_HEADER_BYTES) : (int)got;
}

static int all_read(struct fxt_perf_reader *rd)
{
	int err = start(rd);

	while (!err && !rd->unpacked_end && (err = fxt_perf_step(rd)) > 0)
		err = 0;
	if (!err)
		err = fxt_perf_parts_read(rd);
	if (!err)
		err = fxt_perf_queue_end(rd);
	if (!err)
		err = fxt_tp_reader_end(&rd->tp);
	if (!err)
		err = fxt_perf_host_put(rd);
	if (rd->lost_in_all > rd->lost)
		fxt_skip(rd->c, "events that perf lost at times that it doesn't say",
			 rd->lost_in_all - rd->lost);
	return err;
}

static void tp_free(void *tp)
{
	fxt_tp_free(tp);
}

static void close_all(struct fxt_perf_reader *rd)
{
	fxt_tp_reader_uninit(&rd->tp);
	fxt_perf_queue_uninit(&rd->queue);
	fxt_perf_unpack_uninit(rd);
	fxt_symbols_free(&rd->symbols);
	fxt_map_uninit(&rd->ids, NULL);
	fxt_map_uninit(&rd->formats, tp_free);
	fxt_map_uninit(&rd->twins, NULL);
	free(rd->chunks.bytes);
	free(rd->attrs);
	fxt_perf_parts_close(rd);
	if (rd->opened >= 0)
		close(rd->opened);
	free(rd);
}

static int perf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_perf_reader *rd = calloc(1, sizeof(*rd));
	int err;

	if (!rd)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	rd->c = c;
	rd->in = in;
	rd->fd = rd->opened = -1;
	rd->ids.memory.spill = rd->twins.memory.spill = &c->spill;
	err = fxt_tp_reader_init(&rd->tp, c);
	if (!err)
		err = all_read(rd);
	close_all(rd);
	return fxt_feed_error(c, in, err);
}

const struct fxt_format_ops fxt_format_ops_perf = {
	.is = fxt_perf_is,
	.folder_is = fxt_perf_folder_is,
	.read = perf_read,
};
