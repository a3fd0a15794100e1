// SPDX-License-Identifier: GPL-2.0-only
/* The eBPF programs as a source: lays out and maps their arrays, attaches the programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "fxt/area.h"
#include "fxt/layout.h"
#include "select/filter.h"
#include "source/bpf_events.h"
#include "source/bpf_load.h"
#include "source/closer.h"
#include "source/source.h"

#include "fxtrec.skel.h"

enum link {
	LINK_BORN, LINK_FILTER_RENAME, LINK_EXEC, LINK_ATTACH,	/* only with a filter of threads, from open to stop */
	LINK_NEWTASK, LINK_RENAME, LINK_COMMAND, LINK_CONSOLE,	/* from open to stop */
	/* from start to stop */
	LINK_TIMER_END, LINK_TIMER_BEGIN, LINK_WAKING, LINK_WAKEUP_NEW, LINK_MIGRATE, LINK_SWITCH,
	LINKS,
};

/* Runs of programs that the kernel skipped, as a program of the same kind was running. */
struct misses {
	__u64 tracepoint;	/* of the program that records tracepoints */
	__u64 hits;		/* of the program that counts their hits */
	__u64 others;
};

struct bpf {
	struct fxtrec_bpf *skel;
	struct fxt_bpf_hot hot;
	struct bpf_link *links[LINKS];
	struct fxt_bpf_events events;
	struct misses missed_before;	/* at the recording's start */
	size_t area_bytes;
	void *areas;			/* NULL or MAP_FAILED: not mapped; so are the mappings below */
	struct fxtrec_consumer *consumers;
	const struct fxtrec_late *late;
	size_t areas_bytes, consumers_bytes, late_bytes;
	struct fxt_filter_set *sets;	/* mapped; FXT_FILTER_SETS elements */
};

#define SETS_BYTES	(FXT_FILTER_SETS * sizeof(struct fxt_filter_set))

/* Lays out the areas, then freezes them: from then on, only programs write there. */
static int areas_map(struct bpf *b, const struct fxt_bpf_cpus *cpus,
		     const struct fxt_source_options *options)
{
	int fd = bpf_map__fd(b->skel->maps.areas);
	char *areas = mmap(NULL, b->areas_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *at = areas;
	__u32 cpu;

	if (areas == MAP_FAILED)
		return -errno;
	for (cpu = 0; cpu < cpus->ids; cpu++) {
		if (!fxt_cpus_has(&cpus->present, cpu))
			continue;
		fxt_area_init((struct fxtrec_area *)at, cpu, options->data_bytes, options->subbufs,
			      options->events);
		at += b->area_bytes;
	}
	munmap(areas, b->areas_bytes);
	if (bpf_map_freeze(fd))
		return -errno;
	areas = mmap(NULL, b->areas_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (areas == MAP_FAILED)
		return -errno;
	b->areas = areas;
	return 0;
}

/* Maps all shared memory, and has the rings of events closed.  -errno. */
static int map(struct fxt_source *source, struct bpf *b, const struct fxt_bpf_cpus *cpus,
	       const struct fxt_source_options *options)
{
	int err = areas_map(b, cpus, options);
	unsigned int slot;

	if (err)
		return err;
	b->consumers = mmap(NULL, b->consumers_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			    bpf_map__fd(b->skel->maps.consumers), 0);
	b->late = mmap(NULL, b->late_bytes, PROT_READ, MAP_SHARED, bpf_map__fd(b->skel->maps.late), 0);
	source->cpus = calloc(cpus->count, sizeof(*source->cpus));
	if (b->consumers == MAP_FAILED || b->late == MAP_FAILED || !source->cpus)
		return -errno;
	source->cpu_ids = cpus->ids;
	for (slot = 0; slot < cpus->count; slot++) {
		struct fxtrec_area *area = (void *)((char *)b->areas + slot * b->area_bytes);
		struct fxtrec_consumer *consumer = &b->consumers[slot];

		consumer->ring[FXTREC_RING_SCHED].tail = FXTREC_CLOSED;
		consumer->ring[FXTREC_RING_EVENTS].tail = FXTREC_CLOSED;
		source->cpus[slot] = (struct fxt_source_cpu){
			area->ring[FXTREC_RING_SCHED].cpu, area, consumer,
		};
	}
	source->cpu_count = cpus->count;
	return 0;
}

static int attach(struct bpf *b, enum link from, enum link to, struct fxt_error *error)
{
	struct bpf_program *programs[LINKS] = {
		[LINK_BORN] = b->skel->progs.fxt_filter_created,
		[LINK_FILTER_RENAME] = b->skel->progs.fxt_filter_rename,
		[LINK_EXEC] = b->skel->progs.fxt_filter_exec,
		[LINK_ATTACH] = b->skel->progs.fxt_filter_attach,
		[LINK_NEWTASK] = b->skel->progs.fxt_newtask,
		[LINK_RENAME] = b->skel->progs.fxt_rename,
		[LINK_COMMAND] = b->skel->progs.fxt_exec,
		[LINK_CONSOLE] = b->skel->progs.fxt_console,
		[LINK_TIMER_END] = b->skel->progs.fxt_timer_end,
		[LINK_TIMER_BEGIN] = b->skel->progs.fxt_timer_begin,
		[LINK_WAKING] = b->hot.waking,
		[LINK_WAKEUP_NEW] = b->hot.wakeup_new,
		[LINK_MIGRATE] = b->hot.migrate,
		[LINK_SWITCH] = b->hot.switches,
	};
	enum link i;

	for (i = from; i <= to; i++) {
		if (!bpf_program__autoload(programs[i]))
			continue;
		b->links[i] = bpf_program__attach(programs[i]);
		if (!b->links[i])
			return fxt_error_set(error, errno, "eBPF: can't attach %s: %s",
					     bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

/* Applies the filter to all living threads, in one pass without output.  0 or -errno with the error set. */
static int filter_living(struct bpf *b, struct fxt_error *error)
{
	struct bpf_link *link = bpf_program__attach_iter(b->skel->progs.fxt_filter_existing, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = fd < 0 ? -errno : 0;
	ssize_t got;
	char none;

	if (fd >= 0) {
		do {
			got = read(fd, &none, sizeof(none));
			err = got < 0 ? -errno : 0;
		} while (err == -EINTR || err == -EAGAIN || got > 0);
		close(fd);
	}
	bpf_link__destroy(link);
	return err ? fxt_error_set(error, -err, "eBPF: can't list the threads: %s", strerror(-err)) : 0;
}

/* Applies the filter to living threads, and keeps it up to date.  0 or -errno with the error set. */
static int filter_begin(struct bpf *b, struct fxt_error *error)
{
	int err;

	b->sets = mmap(NULL, SETS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			 bpf_map__fd(b->skel->maps.filter_sets), 0);
	if (b->sets == MAP_FAILED)
		return fxt_error_set(error, errno, "eBPF: can't map the filter: %s",
				     strerror(errno));
	err = attach(b, LINK_BORN, LINK_ATTACH, error);
	return err ? err : filter_living(b, error);
}

static struct misses misses(struct bpf *b)
{
	struct bpf_program *program;
	struct misses m = {};

	bpf_object__for_each_program(program, b->skel->obj) {
		__u64 *sum = program == b->skel->progs.fxt_tracepoint ? &m.tracepoint :
			     program == b->skel->progs.fxt_tracepoint_hit ? &m.hits :
			     &m.others;
		struct bpf_prog_info info = {};
		__u32 bytes = sizeof(info);

		if (!bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &bytes))
			*sum += info.recursion_misses;
	}
	return m;
}

static void unmap(void *memory, size_t bytes)
{
	if (memory && memory != MAP_FAILED)
		munmap(memory, bytes);
}

static void bpf_close(struct fxt_source *source)
{
	struct bpf *b = source->state;
	enum link i;

	for (i = 0; i < LINKS; i++)
		bpf_link__destroy(b->links[i]);
	fxt_bpf_throttle_detach(&b->hot.throttle);
	if (b->skel)
		fxt_bpf_events_detach(&b->events, b->skel);
	unmap(b->areas, b->areas_bytes);
	unmap(b->consumers, b->consumers_bytes);
	unmap((void *)b->late, b->late_bytes);
	unmap(b->sets, SETS_BYTES);
	fxtrec_bpf__destroy(b->skel);
	fxt_closer_await(b->events.closer);
	free(b);
}

static int bpf_open(struct fxt_source *source, const struct fxt_source_options *options,
		    struct fxt_error *error)
{
	struct fxt_bpf_cpus cpus;
	struct bpf *b;
	int err;

	if (options->clock == FXT_CLOCK_TSC)
		return fxt_error_set(error, EOPNOTSUPP,
				     "eBPF programs can't read the time-stamp counter: --clock=mono");
	err = fxt_bpf_cpus_read(&cpus, error);
	if (err)
		return err;
	b = calloc(1, sizeof(*b));
	if (!b)
		return fxt_error_set(error, ENOMEM, "no memory");
	source->state = b;
	source->clock = options->clock < 0 ? FXT_CLOCK_MONO : options->clock;
	source->ticks_per_second = 1000000000;
	err = fxt_bpf_load(&b->skel, &b->hot, &cpus, options, source->clock, error);
	if (err)
		goto close;
	b->area_bytes = bpf_map__value_size(b->skel->maps.areas);
	b->areas_bytes = cpus.count * b->area_bytes;
	b->consumers_bytes = cpus.count * sizeof(*b->consumers);
	b->late_bytes = cpus.ids * sizeof(*b->late);
	err = fxt_bpf_events_fill(b->skel, options);
	if (!err)
		err = map(source, b, &cpus, options);
	if (err) {
		fxt_error_set(error, -err, "eBPF: can't map the rings: %s", strerror(-err));
		goto close;
	}
	err = bpf_map__autocreate(b->skel->maps.filter_sets) ? filter_begin(b, error) : 0;
	if (!err)
		err = attach(b, LINK_NEWTASK, LINK_CONSOLE, error);
	if (err)
		goto close;
	source->throttling = fxt_bpf_throttle_attach(&b->hot.throttle, b->skel);
	b->skel->bss->fxt_created_since_ns = fxt_clock_mono();
	b->skel->bss->fxt_created_since = fxt_clock_ticks(source->clock);
	return 0;

close:
	bpf_close(source);
	free(source->cpus);
	source->cpus = NULL;
	return err;
}

/* Adds or removes a thread.  Atomic, as programs write to the same words. */
static void set_assign(struct fxt_filter_set *set, __u32 tid, int on)
{
	if (on)
		__atomic_fetch_or(fxt_filter_word(set, tid), fxt_filter_bit(tid), __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(fxt_filter_word(set, tid), ~fxt_filter_bit(tid), __ATOMIC_RELAXED);
}

static int bpf_follow(struct fxt_source *source, __u32 tid, int on, struct fxt_error *error)
{
	struct bpf *b = source->state;

	(void)error;
	set_assign(&b->sets[FXT_FILTER_FOLLOWED], tid, on);
	set_assign(&b->sets[FXT_FILTER_CHOSEN], tid, on);
	return 0;
}

static int bpf_follow_process(struct fxt_source *source, __u32 pid, struct fxt_error *error)
{
	struct bpf *b = source->state;
	int err;

	b->skel->bss->fxt_filter_process_threads = 0;
	__atomic_store_n(&b->skel->bss->fxt_filter_process, pid, __ATOMIC_SEQ_CST);
	err = filter_living(b, error);
	__atomic_store_n(&b->skel->bss->fxt_filter_process, 0, __ATOMIC_SEQ_CST);
	return err ?: (int)b->skel->bss->fxt_filter_process_threads;
}

static int bpf_followed(const struct fxt_source *source, __u32 below)
{
	const struct fxt_filter_set *set = &((const struct bpf *)source->state)->sets[FXT_FILTER_FOLLOWED];
	__u32 tid = below < FXTREC_TIDS_MAX ? below : FXTREC_TIDS_MAX;

	while (tid) {
		__u64 bits = __atomic_load_n(&set->word[(tid - 1) / 64], __ATOMIC_RELAXED);

		/* Threads from tid on don't count. */
		bits &= ~0ULL >> (63 - (tid - 1) % 64);
		tid = (tid - 1) / 64 * 64;
		if (bits)
			return tid + 63 - __builtin_clzll(bits);
	}
	return 0;
}

static int bpf_attach(struct fxt_source *source, const struct fxt_patience *patience, struct fxt_error *error)
{
	struct bpf *b = source->state;

	return fxt_bpf_events_attach(&b->events, b->skel, source->tracepoints, patience, error);
}

static int bpf_start(struct fxt_source *source, struct fxt_error *error)
{
	struct bpf *b = source->state;

	/*
	 * From the first of these programs on, a skipped run is a missing event; runs of other programs that were
	 * skipped before aren't.
	 */
	b->missed_before = misses(b);
	return attach(b, LINK_TIMER_END, LINK_SWITCH, error);
}

/*
 * Closes the links, which detaches their programs.  The barrier waits for programs that still run: it is a grace period
 * of RCU.
 */
static int bpf_stop(struct fxt_source *source, struct fxt_error *error)
{
	struct bpf *b = source->state;
	enum link i;

	(void)error;
	for (i = LINKS; i-- > 0;) {
		bpf_link__destroy(b->links[i]);
		b->links[i] = NULL;
	}
	fxt_bpf_throttle_detach(&b->hot.throttle);
	fxt_bpf_events_detach(&b->events, b->skel);
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	return 0;
}

static int bpf_list_threads(struct fxt_source *source, enum fxtrec_listing listing, struct fxt_error *error)
{
	struct bpf *b = source->state;
	struct bpf_program *program = listing == FXTREC_LIST_STATES ? b->skel->progs.fxt_states :
								      b->skel->progs.fxt_listing;
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = errno;

	/* The descriptor keeps the program. */
	bpf_link__destroy(link);
	return fd < 0 ? fxt_error_set(error, err, "eBPF: can't list the threads: %s", strerror(err)) : fd;
}

static void bpf_late(const struct fxt_source *source, struct fxtrec_late *table)
{
	const struct bpf *b = source->state;
	__u32 cpu;

	for (cpu = 0; cpu < source->cpu_ids; cpu++) {
		table[cpu].since = __atomic_load_n(&b->late[cpu].since, __ATOMIC_RELAXED);
		table[cpu].events = __atomic_load_n(&b->late[cpu].events, __ATOMIC_RELAXED);
	}
}

static __u64 bpf_missed(struct fxt_source *source)
{
	struct bpf *b = source->state;
	const struct misses *before = &b->missed_before, now = misses(b);
	__u64 theirs = now.tracepoint - before->tracepoint;
	__u64 ours = fxt_source_unrecorded(source, now.hits - before->hits);

	/* Not every kernel counts the skipped runs of tracepoints, and this tool doesn't count every tracepoint's. */
	return now.others - before->others + (theirs > ours ? theirs : ours);
}

const struct fxt_source_ops fxt_source_bpf = {
	.name = "eBPF",
	.backend = FXT_STR_BACKEND_BPF,
	.open = bpf_open,
	.list_threads = bpf_list_threads,
	.follow = bpf_follow,
	.follow_process = bpf_follow_process,
	.followed = bpf_followed,
	.attach = bpf_attach,
	.start = bpf_start,
	.stop = bpf_stop,
	.missed = bpf_missed,
	.late = bpf_late,
	.close = bpf_close,
};
