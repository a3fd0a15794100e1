// SPDX-License-Identifier: GPL-2.0-only
/* Nests slices on a track. */
#include <errno.h>
#include <string.h>

#include "analyze/machine/open_slices.h"
#include "fxt/events.h"
#include "store/keyed.h"

static __u64 end_of(const struct fxt_open_slices *open, size_t bytes)
{
	return ((const struct fxt_open_slice *)fxt_open_slice_at(open, bytes, open->count - 1))->end;
}

void fxt_open_slices_pass(struct fxt_open_slices *open, size_t bytes, __u64 ns)
{
	__u64 end;

	while (open->count && (end = end_of(open, bytes)) && end <= ns)
		open->count--;
}

__u32 fxt_open_slices_depth(const struct fxt_open_slices *open, size_t bytes)
{
	bool used[FXT_OPEN_SLICES_MAX + 1];
	const struct fxt_open_slice *slice;
	__u32 i;

	if (!open->holes)
		return open->count;
	memset(used, 0, sizeof(used));
	for (i = 0; i < open->count; i++) {
		slice = fxt_open_slice_at(open, bytes, i);
		used[slice->depth] = true;
	}
	for (i = 0; used[i]; i++)
		;
	return i;
}

static int grow(struct fxt_open_slices *open, struct fxt_spill *spill, size_t bytes)
{
	__u32 room = open->room ? 4 * open->room : 1;
	struct fxt_open_slices grown = { .of = fxt_spill_alloc(spill, room * bytes) };
	__u32 i;

	if (!grown.of)
		return -ENOMEM;
	for (i = 0; i < open->count; i++)
		memcpy(fxt_open_slice_at(&grown, bytes, i), fxt_open_slice_at(open, bytes, i), bytes);
	fxt_spill_free(spill, open->of, open->room * bytes);
	open->of = grown.of;
	open->room = room;
	return 0;
}

int fxt_open_slices_put(struct fxt_open_slices *open, struct fxt_spill *spill, const void *slice,
			size_t bytes, __u32 most)
{
	int err;

	if (open->count == most) {
		open->deeper += !((const struct fxt_open_slice *)slice)->end;
		return 0;
	}
	err = open->count == open->room ? grow(open, spill, bytes) : 0;
	if (err)
		return err;
	if (!open->count)
		open->holes = false;
	memcpy(fxt_open_slice_at(open, bytes, open->count++), slice, bytes);
	return 0;
}

__u64 fxt_open_slice_name(const struct fxt_record *r)
{
	bool async = r->event.type == FXT_EVENT_ASYNC_BEGIN || r->event.type == FXT_EVENT_ASYNC_END;

	return async && r->name.length ? fxt_keyed_bytes(r->name.bytes, r->name.length) | 1 : 0;
}

/* Moves the slice at an index after all others. */
static void last_make(struct fxt_open_slices *open, size_t bytes, __u32 place)
{
	char *at = (char *)open->of + place * bytes, *last = (char *)open->of + (open->count - 1) * bytes;
	char slice[256];
	size_t done, part;

	for (done = 0; done < bytes && at < last; done += part) {
		part = bytes - done < sizeof(slice) ? bytes - done : sizeof(slice);
		memcpy(slice, at, part);
		memmove(at, at + part, last + bytes - at - part);
		memcpy(last + bytes - part, slice, part);
	}
}

static void *named_close(struct fxt_open_slices *open, size_t bytes, __u64 name)
{
	const struct fxt_open_slice *slice;
	__u32 i;

	for (i = open->count; i; i--) {
		slice = fxt_open_slice_at(open, bytes, i - 1);
		if (slice->end || slice->name != name)
			continue;
		open->holes |= i < open->count;
		last_make(open, bytes, i - 1);
		return fxt_open_slice_at(open, bytes, --open->count);
	}
	return NULL;
}

void *fxt_open_slices_close(struct fxt_open_slices *open, size_t bytes, __u64 name)
{
	if (open->deeper) {
		open->deeper--;
		return NULL;
	}
	if (name)
		return named_close(open, bytes, name);
	while (open->count && end_of(open, bytes))
		open->count--;
	return open->count ? fxt_open_slice_at(open, bytes, --open->count) : NULL;
}

void fxt_open_slices_free(struct fxt_open_slices *open, struct fxt_spill *spill, size_t bytes)
{
	if (open->of)
		fxt_spill_free(spill, open->of, open->room * bytes);
	*open = (struct fxt_open_slices){ 0 };
}
