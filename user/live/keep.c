// SPDX-License-Identifier: GPL-2.0-only
/* The last seconds of a recording in progress. */
#include <endian.h>
#include <errno.h>
#include <unistd.h>

#include "live/keep.h"
#include "util/time.h"

/* Limits of a chunk, and of the facts from before all chunks; records beyond them are dropped. */
#define CHUNK_BYTES	((size_t)16 << 20)
#define BASE_BYTES	((size_t)64 << 20)

static void buffer_append(struct fxt_buffer *to, const struct fxt_buffer *from)
{
	if (to->length + from->length <= BASE_BYTES)
		fxt_buffer_put(to, from->bytes, from->length);
}

/* Starts a new chunk in place of the oldest. */
static void chunk_begin(struct fxt_keep *k)
{
	struct fxt_keep_chunk *c;

	k->newest = (k->newest + 1) % FXT_KEEP_CHUNKS;
	c = &k->chunk[k->newest];
	buffer_append(&k->base, &c->facts);
	c->all.length = c->facts.length = 0;
	c->section = 0;
}

/* Returns whether later records depend on this record. */
static bool is_fact(const struct fxt_record *r)
{
	switch (r->kind) {
	case FXT_KIND_MAGIC:
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_STRING:
	case FXT_KIND_THREAD:
	case FXT_KIND_KERNEL_OBJECT:
		return true;
	case FXT_KIND_EVENT:
		return fxt_text_equal(&r->category, "fxtrec") && !fxt_text_equal(&r->name, "lost");
	default:
		return false;
	}
}

/* Starts a section, and a new chunk if the newest has lasted a second: chunks are cut between sections. */
static void section_begin(struct fxt_keep *k, const struct fxt_record *r, __u64 ns)
{
	if (ns > k->newest_start && ns - k->newest_start >= SECOND_NS) {
		chunk_begin(k);
		k->newest_start = ns;
	}
	k->section = htole64(fxt_provider_section(r->of_provider.id));
}

static void fact_put(struct fxt_keep *k, struct fxt_keep_chunk *c, const struct fxt_record *r,
		     const struct fxt_frame *frame)
{
	if (c->section != k->section && r->kind != FXT_KIND_PROVIDER_INFO)
		fxt_buffer_put(&c->facts, &k->section, sizeof(k->section));
	c->section = k->section;
	fxt_buffer_put(&c->facts, frame->data, frame->bytes);
}

void fxt_keep_put(struct fxt_keep *k, const struct fxt_record *r, const struct fxt_frame *frame, __u64 ns)
{
	struct fxt_keep_chunk *c;

	if (r && (r->kind == FXT_KIND_PROVIDER_INFO || r->kind == FXT_KIND_PROVIDER_SECTION))
		section_begin(k, r, ns);
	c = &k->chunk[k->newest];
	if (frame->bytes != 8 * frame->words || c->all.length + frame->bytes > CHUNK_BYTES)
		return;
	fxt_buffer_put(&c->all, frame->data, frame->bytes);
	if (r && is_fact(r))
		fact_put(k, c, r, frame);
}

static int buffer_write(const struct fxt_buffer *b, int fd)
{
	size_t at = 0;

	if (b->failed)
		return -ENOMEM;
	while (at < b->length) {
		ssize_t put = write(fd, b->bytes + at, b->length - at);

		if (put < 0 && errno != EINTR)
			return -errno;
		at += put > 0 ? put : 0;
	}
	return 0;
}

int fxt_keep_write(const struct fxt_keep *k, int fd)
{
	int err = buffer_write(&k->base, fd);
	unsigned int i;

	for (i = 1; i <= FXT_KEEP_CHUNKS && !err; i++)
		err = buffer_write(&k->chunk[(k->newest + i) % FXT_KEEP_CHUNKS].all, fd);
	return err;
}

void fxt_keep_uninit(struct fxt_keep *k)
{
	unsigned int i;

	for (i = 0; i < FXT_KEEP_CHUNKS; i++) {
		fxt_buffer_uninit(&k->chunk[i].all);
		fxt_buffer_uninit(&k->chunk[i].facts);
	}
	fxt_buffer_uninit(&k->base);
}
