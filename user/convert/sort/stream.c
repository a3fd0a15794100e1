// SPDX-License-Identifier: GPL-2.0-only
/* Lanes: scheduling records of one CPU that lie in time order in the input. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/sort/stream.h"
#include "fxt/sched.h"

#define LANES_MAX	4096u
#define EXTENTS_MAX	((size_t)1 << 20)

/* All windows together; each gets an equal part, within bounds. */
#define WINDOWS_BYTES	((size_t)16 << 20)
#define WINDOW_MIN	((size_t)4 << 10)
#define WINDOW_MAX	((size_t)128 << 10)

struct extent {
	__u64 begin, end;	/* in the input */
};

struct fxt_lane {
	struct fxt_lane_of of;
	__u64 last_ns;
	struct extent *extents;
	size_t count;
	size_t room;
	/* The cursor. */
	size_t extent;
	__u64 at;		/* in the input: the next record's */
	/* What was read of the input. */
	__u8 *window;
	size_t window_room;
	__u64 window_begin, window_end;
	enum fxt_kind kind;
	union {
		struct fxt_switch_view change;
		struct fxt_wakeup_view wakeup;
	};
};

void fxt_lanes_uninit(struct fxt_lanes *lanes)
{
	size_t i;

	for (i = 0; i < lanes->count; i++) {
		free(lanes->lane[i]->extents);
		free(lanes->lane[i]->window);
		free(lanes->lane[i]);
	}
	free(lanes->lane);
	for (i = 0; i < lanes->fd_count; i++)
		close(lanes->fds[i]);
	free(lanes->fds);
}

int fxt_lanes_input(struct fxt_lanes *lanes, int fd)
{
	int *fds = realloc(lanes->fds, (lanes->fd_count + 1) * sizeof(*fds));
	int own;

	if (!fds)
		return -ENOMEM;
	lanes->fds = fds;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return -errno;
	fds[lanes->fd_count++] = own;
	return own;
}

struct fxt_lane *fxt_lanes_add(struct fxt_lanes *lanes, const struct fxt_lane_of *of)
{
	struct fxt_lane **all, *lane;

	if (lanes->count == LANES_MAX)
		return NULL;
	all = realloc(lanes->lane, (lanes->count + 1) * sizeof(*all));
	if (!all)
		return NULL;
	lanes->lane = all;
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return NULL;
	lane->of = *of;
	lanes->lane[lanes->count++] = lane;
	return lane;
}

bool fxt_lane_is(const struct fxt_lane *lane, const struct fxt_lane_of *of)
{
	return lane->of.fd == of->fd && lane->of.provider == of->provider &&
	       lane->of.cpu == of->cpu && lane->of.ticks_per_second == of->ticks_per_second &&
	       lane->of.offset == of->offset;
}

static bool extent_begin(struct fxt_lanes *lanes, struct fxt_lane *lane, __u64 begin)
{
	if (lanes->extent_count == EXTENTS_MAX)
		return false;
	if (lane->count == lane->room) {
		size_t room = lane->room ? 2 * lane->room : 16;
		struct extent *extents = realloc(lane->extents, room * sizeof(*extents));

		if (!extents)
			return false;
		lane->extents = extents;
		lane->room = room;
	}
	lane->extents[lane->count++] = (struct extent){ begin, begin };
	lanes->extent_count++;
	return true;
}

bool fxt_lane_note(struct fxt_lanes *lanes, struct fxt_lane *lane, const struct fxt_frame *frame,
		   __u64 ns)
{
	if (ns < lane->last_ns)
		return false;
	if ((!lane->count || lane->extents[lane->count - 1].end != frame->offset) &&
	    !extent_begin(lanes, lane, frame->offset))
		return false;
	lane->extents[lane->count - 1].end = frame->offset + frame->bytes;
	lane->last_ns = ns;
	lanes->noted++;
	return true;
}

void fxt_lanes_begin(struct fxt_lanes *lanes)
{
	size_t room = WINDOWS_BYTES / (lanes->count ? lanes->count : 1), i;

	if (room > WINDOW_MAX)
		room = WINDOW_MAX;
	if (room < WINDOW_MIN)
		room = WINDOW_MIN;
	for (i = 0; i < lanes->count; i++) {
		struct fxt_lane *lane = lanes->lane[i];

		lane->window_room = room;
		lane->at = lane->count ? lane->extents[0].begin : 0;
	}
}

/* Reads from the cursor on: to the extent's end, and what else a page holds. */
static int window_read(struct fxt_lane *lane, __u64 end)
{
	size_t want = end - lane->at < WINDOW_MIN ? WINDOW_MIN : end - lane->at;
	ssize_t got;

	if (!lane->window)
		lane->window = malloc(lane->window_room);
	if (!lane->window)
		return -ENOMEM;
	do {
		got = pread(lane->of.fd, lane->window,
			    want < lane->window_room ? want : lane->window_room, lane->at);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	lane->window_begin = lane->at;
	lane->window_end = lane->at + got;
	return 0;
}

/* The record at the cursor, past which it moves. */
static int record_read(struct fxt_lane *lane, __u64 *ticks)
{
	struct fxt_frame frame;

	if (lane->at > lane->window_end ||
	    fxt_frame_read(&frame, lane->window + (lane->at - lane->window_begin),
			   lane->window_end - lane->at, lane->at))
		return -EIO;
	lane->at += frame.bytes;
	if (fxt_field(fxt_frame_word(frame.data), 60, 63) == FXT_SCHEDULING_CONTEXT_SWITCH) {
		lane->kind = FXT_KIND_CONTEXT_SWITCH;
		return fxt_sched_switch_read(&frame, &lane->change, ticks) ? 0 : -EIO;
	}
	lane->kind = FXT_KIND_WAKEUP;
	if (!fxt_sched_wakeup_read(&frame, &lane->wakeup, ticks))
		return -EIO;
	lane->wakeup.cpu = lane->of.cpu;
	return 0;
}

int fxt_lane_next(struct fxt_lane *lane, __u64 *ns)
{
	const struct extent *e;
	__u64 ticks;
	int err = 0;

	if (lane->extent == lane->count)
		return 0;
	e = &lane->extents[lane->extent];
	if (lane->at == e->end) {
		if (++lane->extent == lane->count)
			return 0;
		e++;
		lane->at = e->begin;
	}
	if (lane->at < lane->window_begin ||
	    (lane->at + FXT_SCHED_BYTES_MAX > lane->window_end && e->end > lane->window_end))
		err = window_read(lane, e->end);
	if (!err)
		err = record_read(lane, &ticks);
	if (err)
		return err;
	*ns = fxt_ticks_ns(lane->of.ticks_per_second, ticks) + lane->of.offset;
	return 1;
}

void fxt_lane_record(const struct fxt_lane *lane, struct fxt_record *r)
{
	r->kind = lane->kind;
	r->view = &lane->change;
	r->provider = lane->of.provider;
}
