// SPDX-License-Identifier: GPL-2.0-only
/* Events of which the records before them in time say what they are. */
#include <errno.h>

#include "convert/sort/settle.h"

/* What events have in common: of one input, and by a number there. */
struct key {
	__u64 id, input;
};

struct flow {
	struct key key;
	bool open;
};

void fxt_settle_init(struct fxt_settle *s, struct fxt_spill *spill)
{
	*s = (struct fxt_settle){ .flows.memory.spill = spill };
}

void fxt_settle_uninit(struct fxt_settle *s)
{
	fxt_map_uninit(&s->flows, NULL);
}

/* The object of a key, a new one if need be; NULL without memory. */
static void *get(struct fxt_map *map, struct key key, size_t size)
{
	void *found = fxt_map_named(map, &key, sizeof(key));

	return found ? found : fxt_map_new_named(map, &key, sizeof(key), size);
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

int fxt_settle(struct fxt_settle *s, struct fxt_record *r)
{
	r->event.unsettled = false;
	return flow_settle(s, r);
}
