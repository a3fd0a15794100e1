// SPDX-License-Identifier: GPL-2.0-only
/* Reads the header of perf.data: the recorded events, and the sections after the data. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "formats/perf/read.h"
#include "util/array.h"

#define HEADER_BYTES	104u

/* Offsets in a file's header; a section is an offset and a size. */
enum { AT_ATTR_SIZE = 16, AT_ATTRS = 24, AT_DATA = 40, AT_FLAGS = 72 };

int fxt_perf_attr_put(struct fxt_perf_reader *rd, const __u8 *attr, size_t bytes, size_t size, __u32 *number)
{
	struct perf_event_attr a = {};
	struct fxt_perf_attr *to;
	__u32 *twins = NULL;

	if (size < PERF_ATTR_SIZE_VER0 || size > bytes)
		return fxt_perf_bad(rd, "an event's attributes have a size that can't be");
	memcpy(&a, attr, size < sizeof(a) ? size : sizeof(a));
	if (rd->attr_count == FXT_PERF_ATTRS_MAX)
		return fxt_perf_bad(rd, "more events than can be kept");
	if (fxt_array_more(rd->attrs, rd->attr_count))
		return -ENOMEM;
	if (a.type == PERF_TYPE_TRACEPOINT) {
		twins = fxt_perf_twins(rd, a.config);
		if (!twins)
			twins = fxt_map_new(&rd->twins, a.config, sizeof(*twins));
		if (!twins)
			return -ENOMEM;
	}
	*number = rd->attr_count;
	to = &rd->attrs[rd->attr_count++];
	*to = (struct fxt_perf_attr){ .type = a.type, .config = a.config, .sample_type = a.sample_type,
				      .read_format = a.read_format, .sample_id_all = a.sample_id_all,
				      .inherit = a.inherit, .hits = a.freq ? 1 : a.sample_period, .twin = twins ? (*twins)++ : 0 };
	fxt_perf_attr_places(to);
	return 0;
}

int fxt_perf_ids_put(struct fxt_perf_reader *rd, const __u8 *ids, size_t bytes, __u32 number)
{
	for (; bytes >= 8; bytes -= 8, ids += 8) {
		struct fxt_perf_id *id = fxt_perf_id(rd, fxt_perf_u64(ids));

		if (!id)
			id = fxt_map_new(&rd->ids, fxt_perf_u64(ids), sizeof(*id));
		if (!id)
			return -ENOMEM;
		*id = (struct fxt_perf_id){ .number = number + 1 };
	}
	return 0;
}

/* Reads the ids of one event.  Sections may overlap, but together they are not longer than the file. */
static int ids_read(struct fxt_perf_reader *rd, const __u8 *section, __u32 number)
{
	__u64 bytes = fxt_perf_u64(section + 8);
	__u8 *ids;
	int err;

	if (bytes <= rd->size && bytes > rd->size - rd->ids_bytes)
		return fxt_perf_wrong(rd, "its events have more ids than it has room for",
				      "events with more ids than the file has room for");
	ids = fxt_perf_section(rd, fxt_perf_u64(section), bytes, &err);
	if (!ids)
		return err;
	rd->ids_bytes += bytes;
	err = fxt_perf_ids_put(rd, ids, bytes, number);
	free(ids);
	return err;
}

/* Reads the events: each has its attributes, then the section of its ids. */
static int attrs_read(struct fxt_perf_reader *rd, const __u8 *header)
{
	__u64 entry = fxt_perf_u64(header + AT_ATTR_SIZE), bytes = fxt_perf_u64(header + AT_ATTRS + 8), at;
	__u8 *attrs;
	__u32 number;
	int err = 0;

	if (entry < PERF_ATTR_SIZE_VER0 + 16 || entry > 4096)
		return fxt_perf_bad(rd, "the size of its events' attributes can't be");
	attrs = fxt_perf_section(rd, fxt_perf_u64(header + AT_ATTRS), bytes, &err);
	for (at = 0; attrs && !err && at + entry <= bytes; at += entry) {
		err = fxt_perf_attr_put(rd, attrs + at, entry - 16, entry - 16, &number);
		if (!err)
			err = ids_read(rd, attrs + at + entry - 16, number);
	}
	free(attrs);
	return err;
}

static bool wanted(unsigned int feature)
{
	return feature == FXT_PERF_HAS_TRACING_DATA || feature == FXT_PERF_HAS_HOSTNAME ||
	       feature == FXT_PERF_HAS_RELEASE || feature == FXT_PERF_HAS_ARCH ||
	       feature == FXT_PERF_HAS_COMMAND || feature == FXT_PERF_HAS_EVENTS ||
	       feature == FXT_PERF_HAS_DIRECTORY || feature == FXT_PERF_HAS_CLOCK;
}

static int feature_read(struct fxt_perf_reader *rd, unsigned int feature, const __u8 *section)
{
	int err = 0;
	__u8 *data = fxt_perf_section(rd, fxt_perf_u64(section), fxt_perf_u64(section + 8), &err);

	if (data)
		err = fxt_perf_feature(rd, feature, data, fxt_perf_u64(section + 8));
	free(data);
	return err;
}

/* Reads the sections; their table follows the data. */
static int features_read(struct fxt_perf_reader *rd, const __u8 *header)
{
	unsigned int i, count = 0;
	__u8 *table;
	int err = 0;

	for (i = 0; i < FXT_PERF_SECTIONS; i++)
		count += header[AT_FLAGS + i / 8] >> i % 8 & 1;
	table = fxt_perf_section(rd, rd->end, 16 * count, &err);
	if (!table)
		return err;
	for (i = count = 0; i < FXT_PERF_SECTIONS && !err; i++) {
		const __u8 *section = table + 16 * count;

		if (!(header[AT_FLAGS + i / 8] >> i % 8 & 1))
			continue;
		count++;
		if (fxt_perf_u64(section) > rd->size || fxt_perf_u64(section + 8) > rd->size - fxt_perf_u64(section))
			err = fxt_perf_wrong(rd, "it is cut off: a section of its header is behind its end",
					     "sections of headers that are cut off");
		else if (wanted(i))
			err = feature_read(rd, i, section);
	}
	free(table);
	return err;
}

/* Handles a file without the sections after its data, for example the formats of tracepoints. */
static int unfinished(struct fxt_perf_reader *rd, __u64 bytes)
{
	const char *what = bytes ? "it is cut off: its data goes on behind its end" :
			   "perf record did not end: its header says nothing of its data";
	size_t i;

	for (i = 0; i < rd->attr_count; i++)
		if (rd->attrs[i].type == PERF_TYPE_TRACEPOINT)
			return fxt_flaw_error(rd->c, EBADMSG, "%s; the formats of its tracepoints are missing", what);
	rd->end = rd->size;
	return fxt_perf_wrong(rd, what, "files that were cut off");
}

int fxt_perf_header_file(struct fxt_perf_reader *rd)
{
	__u64 data, bytes;
	__u8 *header;
	int err = 0;

	header = fxt_perf_section(rd, 0, HEADER_BYTES, &err);
	if (!header)
		return err;
	err = attrs_read(rd, header);
	data = fxt_perf_u64(header + AT_DATA);
	bytes = fxt_perf_u64(header + AT_DATA + 8);
	rd->next = rd->offset = data;
	rd->end = data + bytes;
	if (!err && (!bytes || rd->end < data || rd->end > rd->size))
		err = unfinished(rd, bytes);
	else if (!err)
		err = features_read(rd, header);
	free(header);
	return err;
}
