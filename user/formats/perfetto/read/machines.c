// SPDX-License-Identifier: GPL-2.0-only
/* Reads packets of several machines: each has a reader, as ids of threads, tracks and texts are its own. */
#include <errno.h>
#include <stdlib.h>

#include "convert/hosts.h"
#include "convert/skip.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/wire.h"
#include "util/array.h"

#define MACHINE_FIELD	98u

struct fxt_pf_reader *fxt_pf_reader_new(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_pf_reader *rd = calloc(1, sizeof(*rd));

	if (!rd)
		return NULL;
	rd->c = c;
	rd->in = in;
	rd->host = c->reading.host;
	rd->shift = rd->host.shift;
	rd->threads.map.memory.spill = rd->processes.map.memory.spill = &c->spill;
	fxt_pf_arena_init(&rd->arenas[0]);
	fxt_pf_arena_init(&rd->arenas[1]);
	rd->json = -1;
	rd->state_bytes = &rd->state_own;
	fxt_feed_init(&rd->feed, c);
	rd->feed.nameless = true;
	return rd;
}

int fxt_pf_reader_end(struct fxt_pf_reader *rd)
{
	unsigned int i;
	int err;

	rd->c->reading.host = rd->host;
	err = fxt_pf_slice_flush(rd);
	if (!err)
		err = fxt_feed_lost_end(&rd->feed);
	if (!err)
		err = fxt_pf_host_put(rd, rd->feed.last_ns);
	if (!err)
		err = fxt_pf_tracks_early_put(rd);
	if (!err)
		err = fxt_pf_names_put(rd);
	if (!err)
		err = fxt_pf_newtasks_put(rd);
	for (i = 0; i < rd->machine_count && !err; i++)
		err = fxt_pf_reader_end(rd->machines[i].rd);
	rd->c->reading.host = rd->host;
	return err;
}

void fxt_pf_reader_free(struct fxt_pf_reader *rd)
{
	while (rd->machine_count)
		fxt_pf_reader_free(rd->machines[--rd->machine_count].rd);
	fxt_pf_host_free(rd);
	fxt_pf_sequences_free(rd);
	fxt_pf_tracks_free(rd);
	fxt_feed_uninit(&rd->feed);
	fxt_pf_cpus_free(rd);
	fxt_pf_clocks_free(rd);
	fxt_pf_reader_names_free(rd);
	fxt_pf_arena_uninit(&rd->arenas[0]);
	fxt_pf_arena_uninit(&rd->arenas[1]);
	free(rd->machines);
	free(rd->bytes);
	free(rd->unpacked);
	fxt_buffer_uninit(&rd->nested.text);
	free(rd);
}

static __u32 machine_of(const __u8 *packet, size_t bytes)
{
	struct fxt_pf_wire w = fxt_pf_wire(packet, bytes);

	while (fxt_pf_wire_next(&w))
		if (w.field == MACHINE_FIELD && w.type == FXT_PF_VARINT)
			return w.number;
	return 0;
}

/* Creates a machine's reader; the reading has its host from now on. */
static struct fxt_pf_reader *machine_new(struct fxt_pf_reader *rd, __u32 id, int *err)
{
	struct fxt_pf_machine *m;
	struct fxt_host *host = fxt_hosts_add(rd->c, id);

	if (!host) {
		fxt_skip(rd->c, "packets of more machines than 64", 1);
		*err = 0;
		return NULL;
	}
	*err = fxt_array_more(rd->machines, rd->machine_count);
	if (*err)
		return NULL;
	*err = -ENOMEM;
	m = &rd->machines[rd->machine_count];
	host->id.shift = rd->host.shift;
	rd->c->reading.host = host->id;
	m->rd = fxt_pf_reader_new(rd->c, rd->in);
	if (!m->rd)
		return NULL;
	if (m->rd->feed.provider < 0) {
		*err = m->rd->feed.provider;
		fxt_pf_reader_free(m->rd);
		return NULL;
	}
	m->rd->state_bytes = rd->state_bytes;
	m->id = id;
	rd->machine_count++;
	return m->rd;
}

struct fxt_pf_reader *fxt_pf_machine_reader(struct fxt_pf_reader *rd, const __u8 *packet, size_t bytes, int *err)
{
	__u32 id = machine_of(packet, bytes);
	unsigned int i;

	/* Selects the input's own host, unless this packet is inside another machine's packet. */
	rd->c->reading.host = rd->host;
	if (!id)
		return rd;
	for (i = 0; i < rd->machine_count; i++)
		if (rd->machines[i].id == id) {
			rd->c->reading.host = rd->machines[i].rd->host;
			return rd->machines[i].rd;
		}
	return machine_new(rd, id, err);
}
