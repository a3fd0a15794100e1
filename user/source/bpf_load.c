// SPDX-License-Identifier: GPL-2.0-only
/* Chooses and loads the eBPF programs. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "fxt/layout.h"
#include "select/filter.h"
#include "source/bpf_events.h"
#include "source/bpf_load.h"
#include "source/bpf_percpu.h"
#include "source/kernel_btf.h"

#include "fxtrec.skel.h"
#include "fxtrec_plain.skel.h"
#include "fxtrec_oldest.skel.h"

/*
 * Returns the errno that this process gets when it reads the BTF, as libbpf reports one error for all causes; 0: it can
 * be read.
 */
static int btf_unread(void)
{
	struct btf *btf = btf__parse(FXT_KERNEL_BTF, NULL);
	int err = btf ? 0 : errno;

	btf__free(btf);
	return err;
}

static int load_error(struct fxt_error *error, int err)
{
	int unread = err == ESRCH && !access(FXT_KERNEL_BTF, F_OK) ? btf_unread() : 0;

	if (unread)
		return fxt_error_set(error, unread, "eBPF: can't read %s: %s", FXT_KERNEL_BTF, strerror(unread));
	switch (err) {
	case EPERM:
		return fxt_error_set(error, err,
				     "eBPF: not permitted: needs root, or CAP_BPF and CAP_PERFMON");
	case ENOMEM:
		return fxt_error_set(error, err, "eBPF: no memory for the rings: give a smaller -b");
	case EACCES:
		return fxt_error_set(error, err,
				     "eBPF: this kernel's verifier refuses the programs (record -v shows why)");
	default:
		if (access(FXT_KERNEL_BTF, F_OK))
			return fxt_error_set(error, err, "eBPF: this kernel has no BTF (%s)", FXT_KERNEL_BTF);
		return fxt_error_set(error, err, "eBPF: can't load the programs: %s",
				     strerror(err));
	}
}

/* Chooses, for the clock, a set of programs on the hot path: the general set, or the fast one. */
static void hot_choose(struct fxt_bpf_hot *hot, struct fxtrec_bpf *s, enum fxt_linux_clock clock,
		       int general, int by_queue)
{
	struct bpf_program *const wakings[2][2][2] = {	/* by general, boot, by_queue */
		{ { s->progs.fxt_waking_mono, s->progs.fxt_waking_mono_by_queue },
		  { s->progs.fxt_waking_boot, s->progs.fxt_waking_boot_by_queue } },
		{ { s->progs.fxt_filter_waking_mono, s->progs.fxt_filter_waking_mono_by_queue },
		  { s->progs.fxt_filter_waking_boot, s->progs.fxt_filter_waking_boot_by_queue } },
	};
	int boot = clock == FXT_CLOCK_BOOT;

	hot->waking = wakings[!!general][boot][by_queue];
	if (general) {
		hot->switches = boot ? s->progs.fxt_filter_switch_boot :
				     s->progs.fxt_filter_switch_mono;
		hot->wakeup_new = s->progs.fxt_filter_wakeup_new;
		hot->migrate = s->progs.fxt_filter_migrate;
	} else {
		hot->switches = boot ? s->progs.fxt_switch_boot : s->progs.fxt_switch_mono;
		hot->wakeup_new = s->progs.fxt_wakeup_new;
		hot->migrate = s->progs.fxt_migrate;
	}
	bpf_program__set_autoload(s->progs.fxt_timer_begin, true);
	bpf_program__set_autoload(s->progs.fxt_timer_end, true);
	bpf_program__set_autoload(hot->waking, true);
	bpf_program__set_autoload(hot->wakeup_new, true);
	bpf_program__set_autoload(hot->migrate, true);
	bpf_program__set_autoload(hot->switches, true);
}

/* Chooses the maps and data that delays need, only where delays are asked for. */
static void delays_choose(struct fxtrec_bpf *skel, const struct fxtrec_delays *delays)
{
	bpf_map__set_autocreate(skel->maps.delay_latency, delays && delays->bound_ns[FXTREC_DELAY_LATENCY]);
	bpf_map__set_autocreate(skel->maps.delay_dsleep, delays && delays->bound_ns[FXTREC_DELAY_DSLEEP]);
	if (!delays)
		return;
	skel->rodata->fxt_delays = *delays;
	bpf_map__set_max_entries(skel->maps.delay_latency, delays->tids);
	bpf_map__set_max_entries(skel->maps.delay_dsleep, delays->tids);
}

static void filter_choose(struct fxtrec_bpf *skel, const struct fxt_filter *filter, __u32 cpu_ids)
{
	int threads = filter && filter->kernel.flags & FXTREC_FILTER_THREADS;
	int cgroup = filter && filter->kernel.flags & FXTREC_FILTER_CGROUP;

	if (filter) {
		skel->rodata->fxt_filter = filter->kernel;
		skel->rodata->fxt_filter_cgroup = filter->cgroup_id;
	}
	bpf_map__set_autocreate(skel->maps.filter_sets, threads);
	bpf_map__set_autocreate(skel->maps.filter_queues, threads);
	bpf_map__set_autocreate(skel->maps.filter_cpus, threads);
	bpf_map__set_max_entries(skel->maps.filter_cpus, cpu_ids);
	bpf_program__set_autoload(skel->progs.fxt_filter_created, threads);
	bpf_program__set_autoload(skel->progs.fxt_filter_rename, threads);
	bpf_program__set_autoload(skel->progs.fxt_filter_exec, threads);
	/* Not every kernel has its tracepoint. */
	bpf_program__set_autoload(skel->progs.fxt_filter_attach, cgroup);
	bpf_program__set_autoload(skel->progs.fxt_filter_existing, threads);
}

int fxt_bpf_cpus_read(struct fxt_bpf_cpus *cpus, struct fxt_error *error)
{
	struct fxt_cpus possible;
	int err = fxt_cpus_read(&cpus->present, FXT_CPUS_PRESENT);

	if (!err)
		err = fxt_cpus_read(&possible, FXT_CPUS_POSSIBLE);
	if (err)
		return fxt_error_set(error, -err, "can't count the CPUs: %s", strerror(-err));
	cpus->count = fxt_cpus_count(&cpus->present);
	cpus->ids = FXTREC_CPUS_MAX;
	while (cpus->ids && !fxt_cpus_has(&possible, cpus->ids - 1))
		cpus->ids--;
	return 0;
}

/* Returns whether the present CPUs aren't the first ones, so that their slots differ from their numbers. */
static bool slots_choose(struct fxtrec_bpf *skel, const struct fxt_bpf_cpus *cpus)
{
	__u32 cpu, slot = 0;

	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++) {
		bool has = fxt_cpus_has(&cpus->present, cpu);

		skel->rodata->fxt_slots_used |= has && slot != cpu;
		skel->rodata->fxt_slots[cpu] = has ? slot++ : FXT_NO_SLOT;
	}
	bpf_map__set_max_entries(skel->maps.areas, cpus->count);
	bpf_map__set_max_entries(skel->maps.consumers, cpus->count);
	bpf_map__set_max_entries(skel->maps.late, cpus->ids);
	return skel->rodata->fxt_slots_used;
}

/*
 * Opens the object with the kernel's symbols; or the plain one, which has the same programs and maps; or, for a kernel
 * without bpf_rdonly_cast(), which only root may search, the oldest one.  NULL with errno.
 */
static struct fxtrec_bpf *object_open(const struct fxt_kernel_btf *kernel, int plain)
{
	struct fxtrec_bpf *skel;
	int err;

	if (!plain)
		return fxtrec_bpf__open();
	skel = calloc(1, sizeof(*skel));
	if (!skel)
		return NULL;
	err = fxtrec_bpf__create_skeleton(skel);
	if (!err) {
		bool casts = kernel && fxt_kernel_btf_find(kernel, "bpf_rdonly_cast", BTF_KIND_FUNC);

		skel->skeleton->data = (void *)(casts ? fxtrec_plain_bpf__elf_bytes(&skel->skeleton->data_sz) :
						fxtrec_oldest_bpf__elf_bytes(&skel->skeleton->data_sz));
		err = bpf_object__open_skeleton(skel->skeleton, NULL);
	}
	if (!err)
		return skel;
	fxtrec_bpf__destroy(skel);
	errno = -err;
	return NULL;
}

/*
 * Loads the programs.  by_queue: for a kernel that doesn't resolve the variable of enum fxt_preempt_source.  0 or
 * -errno.
 */
static int load(struct fxtrec_bpf **loaded, struct fxt_bpf_hot *hot, const struct fxt_bpf_cpus *cpus,
		const struct fxt_source_options *options, enum fxt_linux_clock clock, int by_queue)
{
	struct fxt_kernel_btf *kernel = fxt_kernel_btf_open();
	struct fxtrec_bpf *skel = *loaded = object_open(kernel, by_queue);
	struct fxt_bpf_distances distances;
	bool by_table;

	if (!skel) {
		fxt_kernel_btf_close(kernel);
		return -errno;
	}
	distances = fxt_bpf_distances(kernel);
	skel->rodata->fxt_data_mask = options->data_bytes - 1;
	skel->rodata->fxt_clock_chosen = clock;
	skel->rodata->fxt_stack_states = options->stack_states;
	skel->rodata->fxt_page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE));
	skel->rodata->fxt_preempt_from_queue = distances.preempt;
	skel->rodata->fxt_hrtimers_from_queue = distances.hrtimers;
	by_table = slots_choose(skel, cpus);
	hot_choose(hot, skel, clock, by_table || options->filter || options->delays, by_queue);
	delays_choose(skel, options->delays);
	if (options->reasons)
		skel->rodata->fxt_reasons = *options->reasons;
	filter_choose(skel, options->filter, cpus->ids);
	fxt_bpf_events_choose(skel, kernel, options);
	fxt_bpf_throttle_choose(&hot->throttle, skel, kernel);
	/* libbpf reads its own. */
	fxt_kernel_btf_close(kernel);
	bpf_map__set_value_size(skel->maps.areas,
				sizeof(struct fxtrec_area) + options->data_bytes + FXT_AREA_SLACK);
	return fxtrec_bpf__load(skel);
}

int fxt_bpf_load(struct fxtrec_bpf **loaded, struct fxt_bpf_hot *hot, const struct fxt_bpf_cpus *cpus,
		 const struct fxt_source_options *options, enum fxt_linux_clock clock,
		 struct fxt_error *error)
{
	int err, by_queue;

	/* libbpf explains an error at length; the error line has only the cause. */
	if (!options->verbose)
		libbpf_set_print(NULL);
	by_queue = !fxt_bpf_preempt_known() || fxt_bpf_symbols_missing();
	err = load(loaded, hot, cpus, options, clock, by_queue);
	if (!by_queue && (err == -ENOENT || err == -EACCES || err == -EINVAL) && *loaded) {
		fxtrec_bpf__destroy(*loaded);
		err = load(loaded, hot, cpus, options, clock, 1);
	}
	return err ? load_error(error, -err) : 0;
}
