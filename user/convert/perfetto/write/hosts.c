// SPDX-License-Identifier: GPL-2.0-only
/* Packets of several machines: each has a sequence of its own, with its number in each packet. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/hosts.h"
#include "convert/perfetto/write/write.h"
#include "model/build.h"

struct hosts {
	struct fxt_conversion *c;
	struct fxt_out *out;
	void *file[FXT_HOSTS_MAX];	/* struct fxt_pf_file */
	struct fxt_host_own own;
};

static void *hosts_open(struct fxt_conversion *c, struct fxt_out *out)
{
	struct hosts *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->c = c;
	h->out = out;
	h->file[0] = fxt_pf_file_open(c, out, 0);
	if (h->file[0])
		return h;
	free(h);
	return NULL;
}

static bool is_clock(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec") && fxt_text_equal(&r->name, "clock");
}

/* All times are on the first machine's clock: so is what is said of the others'. */
static int file_get(struct hosts *h, __u32 number)
{
	const struct fxt_host_facts *first = &h->c->hosts->list[0].facts;
	struct fxt_record *r = &h->own.record;

	if (h->file[number])
		return 0;
	h->file[number] = fxt_pf_file_open(h->c, h->out, number);
	if (!h->file[number])
		return -ENOMEM;
	if (!first->clocked || !first->boottime)
		return 0;
	fxt_build_event(r, FXT_EVENT_INSTANT, first->monotonic, 0, 0, fxt_build_string("fxtrec"),
			fxt_build_string("clock"));
	fxt_build_arg_string(r, fxt_build_string("clock"), fxt_build_string("mono"));
	fxt_build_arg_uint(r, fxt_build_string("realtime"), first->realtime);
	fxt_build_arg_uint(r, fxt_build_string("monotonic"), first->monotonic);
	fxt_build_arg_uint(r, fxt_build_string("boottime"), first->boottime);
	r->provider = fxt_sorter_provider_at(&h->c->sorter, 0);
	return fxt_pf_file_put(h->file[number], r);
}

static int hosts_put(void *state, const struct fxt_record *r)
{
	struct hosts *h = state;
	__u32 number = r->provider ? r->provider->host : 0;
	int err;

	if (!number || !h->c->hosts || number >= h->c->hosts->count)
		return fxt_pf_file_put(h->file[0], r);
	err = file_get(h, number);
	if (err || is_clock(r))
		return err;
	return fxt_pf_file_put(h->file[number], fxt_host_own(&h->own, r, &h->c->hosts->list[number].id));
}

static int hosts_close(void *state, bool failed)
{
	struct hosts *h = state;
	unsigned int i;
	int err = 0;

	for (i = 0; i < FXT_HOSTS_MAX; i++) {
		int closed = h->file[i] ? fxt_pf_file_close(h->file[i], failed || err) : 0;

		err = err ? err : closed;
	}
	free(h);
	return err;
}

static __u64 hosts_held(const void *state)
{
	const struct hosts *h = state;
	__u64 bytes = 0;
	unsigned int i;

	for (i = 0; i < FXT_HOSTS_MAX && (!i || h->c->hosts); i++)
		if (h->file[i])
			bytes += fxt_pf_file_held(h->file[i]);
	return bytes;
}

static int hosts_flush(void *state)
{
	struct hosts *h = state;
	unsigned int i;
	int err = 0;

	for (i = 0; i < FXT_HOSTS_MAX && !err; i++)
		err = h->file[i] ? fxt_pf_file_flush(h->file[i]) : 0;
	return err;
}

const struct fxt_format_writer fxt_writer_perfetto = {
	.open = hosts_open,
	.put = hosts_put,
	.close = hosts_close,
	.held = hosts_held,
	.flush = hosts_flush,
	.growth = 1,
	.by_cpu = true,
};
