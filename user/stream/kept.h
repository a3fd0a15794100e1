/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that are kept, encoded, for all of a conversion: names, and what a recorder says of itself and its host. */
#ifndef FXT_STREAM_KEPT_H
#define FXT_STREAM_KEPT_H

#include "codec/encode.h"
#include "codec/provider.h"
#include "codec/strings.h"
#include "store/map.h"

/* What a recorder says of itself and the machine, by the names of its events. */
enum fxt_known_event { FXT_KNOWN_PROCESSOR, FXT_KNOWN_BACKEND, FXT_KNOWN_CLOCK, FXT_KNOWN_HOST, FXT_KNOWN_EVENTS };

/* A record, its texts in a table. */
struct fxt_kept {
	struct fxt_kept *next;		/* of the recorder's events */
	__u64 ns;
	const struct fxt_provider *provider;
	__u64 *words;
	__u32 count;
	__u32 room;
	__u32 part;		/* the last one of the output that has it; 0: none has */
	enum fxt_known_event event;	/* of the recorder's events: which */
};

/* Of the recorder's events, the first of each: "processor" of each CPU, "backend", "clock", "host". */
struct fxt_known {
	struct fxt_map map;		/* struct fxt_kept */
	struct fxt_kept *first, **last;	/* in the order of arrival */
	struct fxt_words scratch;
};

/* Puts a record in place of the one that is kept, if any; its words are the map's memory.  0 or -errno. */
int fxt_kept_set(struct fxt_kept *kept, struct fxt_map *map, struct fxt_words *scratch,
		 const struct fxt_record *r, struct fxt_strings *strings);

/* The record, but for its input.  0 or -EIO. */
int fxt_kept_get(const struct fxt_kept *kept, struct fxt_strings *strings, struct fxt_record *r);

/* Whether it is that very record: its time and all that it says.  1, 0 or -errno. */
int fxt_kept_same(const struct fxt_kept *kept, struct fxt_words *scratch,
		  const struct fxt_record *r, struct fxt_strings *strings);

void fxt_known_init(struct fxt_known *known, struct fxt_spill *spill);
void fxt_known_uninit(struct fxt_known *known);

/* Keeps the record where it is the first of one of these events, of its provider's machine.  0 or -errno. */
int fxt_known_add(struct fxt_known *known, const struct fxt_record *r, struct fxt_strings *strings);

/* The one that is kept of the same event; NULL: the record is none of these. */
struct fxt_kept *fxt_known_of(struct fxt_known *known, const struct fxt_record *r);

#endif
