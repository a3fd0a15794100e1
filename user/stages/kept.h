/* SPDX-License-Identifier: GPL-2.0-only */
/* Encoded records that are kept for a whole conversion: names, and a recorder's events about itself and its host. */
#ifndef FXT_STAGES_KEPT_H
#define FXT_STAGES_KEPT_H

#include "codec/encode.h"
#include "codec/provider.h"
#include "codec/strings.h"
#include "store/map.h"

/* Events of a recorder about itself and the machine, by their names. */
enum fxt_known_event { FXT_KNOWN_PROCESSOR, FXT_KNOWN_BACKEND, FXT_KNOWN_CLOCK, FXT_KNOWN_HOST, FXT_KNOWN_EVENTS };

/* A record; its texts are in a table. */
struct fxt_kept {
	struct fxt_kept *next;		/* list of the recorder's events */
	__u64 ns;
	const struct fxt_provider *provider;
	__u32 machine;
	__u64 *words;
	__u32 count;
	__u32 room;
	__u32 part;		/* number of the last part of the output that has it; 0: no part */
	enum fxt_known_event event;	/* kind of the recorder's event */
};

/* The first of each of the recorder's events: "processor" of each CPU, "backend", "clock", "host". */
struct fxt_known {
	struct fxt_map map;		/* struct fxt_kept */
	struct fxt_kept *first, **last;	/* list in the order of arrival */
	struct fxt_words scratch;
};

/* Replaces the kept record, if any; its words are in the map's memory.  0 or -errno. */
int fxt_kept_set(struct fxt_kept *kept, struct fxt_map *map, struct fxt_words *scratch,
		 const struct fxt_record *r, struct fxt_strings *strings);

/* Reads the record, except for its input.  0 or -EIO. */
int fxt_kept_get(const struct fxt_kept *kept, struct fxt_strings *strings, struct fxt_record *r);

/* Returns whether a record is equal to the kept one: its time and all its contents.  1, 0 or -errno. */
int fxt_kept_same(const struct fxt_kept *kept, struct fxt_words *scratch,
		  const struct fxt_record *r, struct fxt_strings *strings);

void fxt_known_init(struct fxt_known *known, struct fxt_spill *spill);
void fxt_known_uninit(struct fxt_known *known);

/* Keeps the record where it is the first of one of these events, of its provider's machine.  0 or -errno. */
int fxt_known_add(struct fxt_known *known, const struct fxt_record *r, struct fxt_strings *strings);

/* Returns the kept record of the same event; NULL: the record is another kind of event. */
struct fxt_kept *fxt_known_of(struct fxt_known *known, const struct fxt_record *r);

#endif
