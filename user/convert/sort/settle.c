// SPDX-License-Identifier: GPL-2.0-only
/* Events of which the records before them in time say what they are. */
#include <errno.h>
#include <string.h>

#include "convert/sort/settle.h"

/* What events have in common: of one input, and by a number there. */
struct key {
	__u64 id, input;
};

/* A text that stays; its room is used again. */
struct kept {
	struct fxt_text text;
	char *room;
	__u32 bytes;
};

struct flow {
	struct key key;
	bool open;
};

struct open_call {
	struct key key;
	bool open;
	struct kept name;
};

void fxt_settle_init(struct fxt_settle *s, struct fxt_spill *spill)
{
	*s = (struct fxt_settle){ .flows.memory.spill = spill, .calls.memory.spill = spill };
}

void fxt_settle_uninit(struct fxt_settle *s)
{
	fxt_map_uninit(&s->flows, NULL);
	fxt_map_uninit(&s->calls, NULL);
}

/* The object of a key, a new one if need be; NULL without memory. */
static void *get(struct fxt_map *map, struct key key, size_t size)
{
	void *found = fxt_map_named(map, &key, sizeof(key));

	return found ? found : fxt_map_new_named(map, &key, sizeof(key), size);
}

/* Those of the sorter's table stay where they are.  0 or -ENOMEM. */
static int keep(struct fxt_map *map, struct kept *kept, const struct fxt_text *text)
{
	kept->text = *text;
	if (!(text->ref & FXT_REF_INLINE))
		return 0;
	if (kept->bytes < text->length) {
		kept->bytes = 2 * text->length;
		kept->room = fxt_arena_alloc(&map->memory, kept->bytes);
	}
	if (!kept->room)
		return -ENOMEM;
	memcpy(kept->room, text->bytes, text->length);
	kept->text.bytes = kept->room;
	return 0;
}

static bool same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

static int flow_settle(struct fxt_settle *s, struct fxt_record *r)
{
	struct flow *flow = get(&s->flows, (struct key){ r->event.id, r->input }, sizeof(*flow));

	if (!flow)
		return -ENOMEM;
	if (r->event.type == FXT_EVENT_FLOW_STEP && !flow->open)
		r->event.type = FXT_EVENT_FLOW_BEGIN;
	flow->open = r->event.type != FXT_EVENT_FLOW_END;
	return 1;
}

static int call_begin(struct fxt_settle *s, struct open_call *call, struct fxt_record *r)
{
	int err;

	if (call->open) {
		s->next = *r;
		s->waits = true;
		r->event.type = FXT_EVENT_DURATION_END;
		r->name = call->name.text;
		r->arg_count = 0;
		call->open = false;
		return 1;
	}
	err = keep(&s->calls, &call->name, &r->name);
	call->open = !err;
	return err ? err : 1;
}

static int call_settle(struct fxt_settle *s, struct fxt_record *r)
{
	struct open_call *call = get(&s->calls, (struct key){ r->thread.thread, r->input }, sizeof(*call));

	if (!call)
		return -ENOMEM;
	if (r->event.type == FXT_EVENT_DURATION_BEGIN)
		return call_begin(s, call, r);
	if (!call->open || (r->name.length && !same(&r->name, &call->name.text)))
		return 0;
	call->open = false;
	r->name = call->name.text;
	return 1;
}

int fxt_settle(struct fxt_settle *s, struct fxt_record *r)
{
	r->event.unsettled = false;
	return r->event.type >= FXT_EVENT_FLOW_BEGIN ? flow_settle(s, r) : call_settle(s, r);
}

int fxt_settle_next(struct fxt_settle *s, struct fxt_record *r)
{
	s->waits = false;
	*r = s->next;
	return fxt_settle(s, r);
}
