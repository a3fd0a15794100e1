/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of tracks, and their descriptors, for the files that describe tracks. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_TRACK_H
#define FXT_CONVERT_PERFETTO_WRITE_TRACK_H

#include "formats/perfetto/write/write.h"
#include "store/hash.h"

/* First part of the hash for a track's number. */
enum fxt_pf_track_of { FXT_PF_OF_PROCESS = 1, FXT_PF_OF_THREAD, FXT_PF_OF_ASYNC, FXT_PF_OF_COUNTER, FXT_PF_OF_LANE,
			FXT_PF_OF_NAMED };

static inline __u64 fxt_pf_mix(__u64 h, __u64 value)
{
	h = ((h + 0x632be59bd9b4e019ull) ^ value) * FXT_GOLDEN;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ull;
	h ^= h >> 32;
	/* 0 is the track of the whole trace. */
	return h ? h : 1;
}

static inline __u64 fxt_pf_mix_text(__u64 h, const struct fxt_text *text)
{
	return fxt_pf_mix(fxt_hash_bytes(h, text->bytes, text->length), text->length);
}

/* Returns 1 where the track was described before; 0, -ENOMEM. */
int fxt_pf_track_seen(struct fxt_pf_file *f, __u64 uuid);

/* Writes a track's descriptor.  0 or -errno. */
int fxt_pf_track_put(struct fxt_pf_file *f, Pf__TrackDescriptor *track, __u64 uuid);

#endif
