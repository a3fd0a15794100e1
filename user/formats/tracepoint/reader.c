// SPDX-License-Identifier: GPL-2.0-only
/* Feeds events of tracepoints, one after the other. */
#include "formats/tracepoint/kind.h"

int fxt_tp_reader_init(struct fxt_tp_reader *rd, struct fxt_conversion *c)
{
	*rd = (struct fxt_tp_reader){ .c = c, .states = &fxt_prev_states_new };
	return fxt_feed_init(&rd->feed, c);
}

void fxt_tp_reader_uninit(struct fxt_tp_reader *rd)
{
	fxt_feed_uninit(&rd->feed);
}

int fxt_tp_reader_end(struct fxt_tp_reader *rd)
{
	return fxt_feed_end(&rd->feed);
}

int fxt_tp_put(struct fxt_tp_reader *rd, struct fxt_tp_event *e)
{
	int err = fxt_feed_head(&rd->feed, &e->head);

	rd->room = (struct fxt_tp_room){ rd->clean, sizeof(rd->clean) };
	return err ? err : e->tp->kind->read(rd, e);
}
