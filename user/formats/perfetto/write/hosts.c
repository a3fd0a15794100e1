// SPDX-License-Identifier: GPL-2.0-only
/* Writes packets of several machines: each has a sequence of its own, with the machine's number in each packet. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/hosts.h"
#include "formats/perfetto/write/write.h"
#include "model/build.h"

struct hosts {
	struct fxt_conversion *c;
	struct fxt_out *out;
	struct fxt_pf_file *file[FXT_HOSTS_MAX];
	bool started;			/* the first machine's packets have started */
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

/*
 * Writes the first machine's clocks, which all times are of, as they were at ns: readings must not go backwards.  If
 * its clocks aren't known, writes an empty packet.
 */
static int clock_put(struct hosts *h, struct fxt_pf_file *f, __u64 ns)
{
	const struct fxt_host_facts *first = &h->c->hosts->list[0].facts;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	struct fxt_record *r = &h->own.record;
	__u64 since = ns - first->monotonic;

	if (!first->clocked || !first->boottime)
		return f->machine ? 0 : fxt_pf_packet(f, &packet);
	fxt_build_event(r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"),
			fxt_build_string("clock"));
	fxt_build_arg_string(r, fxt_build_string("clock"), fxt_build_string("mono"));
	fxt_build_arg_uint(r, fxt_build_string("realtime"), first->realtime + since);
	fxt_build_arg_uint(r, fxt_build_string("monotonic"), ns);
	fxt_build_arg_uint(r, fxt_build_string("boottime"), first->boottime + since);
	r->provider = fxt_sorter_provider_at(h->c->reading.sorter, 0);
	return fxt_pf_file_put(f, r);
}

/*
 * Starts the first machine's packets before those of any other: Perfetto treats the first packet's machine as the host,
 * and the clock of the first reading as the trace's.
 */
static int first_begin(struct hosts *h, __u64 ns)
{
	struct fxt_pf_file *f = h->file[0];
	int err = f->offset_known ? 0 : clock_put(h, f, ns);

	h->started = true;
	return err ? err : fxt_pf_file_flush(f);
}

/* Opens the file of a machine at its first record, at ns. */
static int file_get(struct hosts *h, __u32 number, __u64 ns)
{
	int err;

	if (h->file[number])
		return 0;
	err = h->started ? 0 : first_begin(h, ns);
	if (err)
		return err;
	h->file[number] = fxt_pf_file_open(h->c, h->out, number);
	return h->file[number] ? clock_put(h, h->file[number], ns) : -ENOMEM;
}

static int hosts_put(void *state, const struct fxt_record *r)
{
	struct hosts *h = state;
	const struct fxt_hosts *all = h->c->hosts;
	__u32 number = all && all->count > 1 ? r->machine : 0;
	int err;

	if (!number || number >= all->count)
		return fxt_pf_file_put(h->file[0], r);
	err = file_get(h, number, r->frame.offset ? r->frame.offset : 1);
	if (err || is_clock(r))
		return err;
	return fxt_pf_file_put(h->file[number], fxt_host_own(&h->own, r, &all->list[number].id));
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
