// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads folders: a perf.data "data", and the files "data.N" of perf record --threads.  Each file has the records of one
 * of the kernel's buffers, nearly in time order.  The files are read in turns: the next piece is of the file with the
 * earliest newest record.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "formats/perf/read.h"
#include "util/array.h"

#define PARTS_MAX	4096u

/* Opens a regular file of the folder; -ENOENT: not a regular file. */
static int file_open(int folder, const char *name, __u64 *size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOENT;
	}
	*size = st.st_size;
	return fd;
}

bool fxt_perf_folder_is(const struct fxt_in *in)
{
	__u8 start[8];
	__u64 size;
	int fd = file_open(in->fd, "data", &size);
	ssize_t got;

	if (fd < 0)
		return false;
	got = pread(fd, start, sizeof(start), 0);
	close(fd);
	return got > 0 && fxt_perf_is(start, got);
}

static int part_add(struct fxt_perf_reader *rd, const char *file)
{
	struct fxt_perf_part part = {};

	if (rd->part_count == PARTS_MAX)
		return fxt_error_set(&rd->c->error, E2BIG, "%s: more than %u files", rd->in->name, PARTS_MAX);
	if (fxt_array_more(rd->parts, rd->part_count))
		return -ENOMEM;
	part.fd = file_open(rd->in->fd, file, &part.end);
	if (part.fd == -ENOENT)
		return 0;
	if (part.fd < 0)
		return fxt_error_set(&rd->c->error, -part.fd, "%s/%s: %s", rd->in->name, file, strerror(-part.fd));
	if (asprintf(&part.name, "%s/%s", rd->in->name, file) < 0) {
		close(part.fd);
		return -ENOMEM;
	}
	fxt_in_allow(rd->in, part.end);
	rd->parts[rd->part_count++] = part;
	return 0;
}

static int parts_open(struct fxt_perf_reader *rd)
{
	int fd = openat(rd->in->fd, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY), err = 0;
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!folder) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (entry = readdir(folder)))
		if (!strncmp(entry->d_name, "data.", 5))
			err = part_add(rd, entry->d_name);
	closedir(folder);
	return err;
}

int fxt_perf_folder_open(struct fxt_perf_reader *rd)
{
	__u8 start[16];

	rd->fd = rd->opened = file_open(rd->in->fd, "data", &rd->size);
	if (rd->fd < 0)
		return fxt_error_set(&rd->c->error, -rd->fd, "%s: it has no perf.data as \"data\"", rd->in->name);
	if (pread(rd->fd, start, sizeof(start), 0) != sizeof(start) || !fxt_perf_is(start, sizeof(start)))
		return fxt_error_set(&rd->c->error, EBADMSG, "%s/data: it doesn't begin as perf.data does", rd->in->name);
	rd->end = rd->size;
	fxt_in_allow(rd->in, rd->size);
	return parts_open(rd);
}

/* Returns the part with the earliest "newest" time; NULL: all parts are at their ends. */
static struct fxt_perf_part *behind(struct fxt_perf_reader *rd)
{
	struct fxt_perf_part *found = NULL;
	size_t i;

	for (i = 0; i < rd->part_count; i++)
		if (!rd->parts[i].ended && (!found || rd->parts[i].newest < found->newest))
			found = &rd->parts[i];
	return found;
}

/*
 * Returns whether the next record needs no further read; true while decompressed records are left, which the next part
 * would overwrite.
 */
static bool goes_on(const struct fxt_perf_reader *rd)
{
	const struct fxt_perf_window *w = &rd->window;
	struct fxt_perf_record head;

	if (rd->unpacked.end > rd->unpacked.at)
		return true;
	if (w->end - w->at < sizeof(head))
		return false;
	memcpy(&head, w->bytes + w->at, sizeof(head));
	return head.size <= w->end - w->at;
}

/* Reads a piece of a part.  Its records in the queue stay in the window's chunks. */
static int turn(struct fxt_perf_reader *rd, struct fxt_perf_part *part)
{
	int err;

	rd->window.at = rd->window.end;
	rd->unpacked.at = rd->unpacked.end;
	rd->fd = part->fd;
	rd->next = rd->offset = part->next;
	rd->end = part->end;
	rd->zstd = part->zstd;
	rd->queue.newest = part->newest;
	rd->unpacked_end = false;
	rd->c->place.input = part->name;
	do {
		err = fxt_perf_step(rd);
	} while (err > 0 && !rd->unpacked_end && goes_on(rd));
	part->ended = !err || rd->unpacked_end;
	part->next = rd->offset;
	part->newest = rd->queue.newest;
	part->zstd = rd->zstd;
	rd->zstd = NULL;
	return err < 0 ? err : 0;
}

int fxt_perf_parts_read(struct fxt_perf_reader *rd)
{
	struct fxt_perf_part *part = behind(rd);
	__u64 newest = rd->queue.newest;
	int err = 0;

	if (!part)
		return 0;
	ZSTD_freeDCtx(rd->zstd);
	rd->zstd = NULL;
	/* Limits a piece so that a quarter of the chunks holds the records that wait for the other parts. */
	rd->read_max = FXT_PERF_CHUNKS * FXT_PERF_CHUNK_BYTES / 4 / rd->part_count;
	while (!err && part) {
		err = turn(rd, part);
		newest = part->newest > newest ? part->newest : newest;
		part = behind(rd);
		if (!err && part && part->newest > rd->queue.complete)
			err = fxt_perf_queue_round(rd, part->newest);
	}
	rd->queue.newest = newest;
	return err;
}

void fxt_perf_parts_close(struct fxt_perf_reader *rd)
{
	while (rd->part_count) {
		struct fxt_perf_part *part = &rd->parts[--rd->part_count];

		ZSTD_freeDCtx(part->zstd);
		close(part->fd);
		free(part->name);
	}
	free(rd->parts);
}
