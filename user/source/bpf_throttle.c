// SPDX-License-Identifier: GPL-2.0-only
/* The eBPF programs that record bandwidth throttling. */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "source/bpf_throttle.h"
#include "source/throttle_kind.h"

#include "fxtrec.skel.h"

/* By function of the kernel: the program at its entry, by a trampoline or by a kprobe. */
static const struct entry {
	const char *function;
	size_t fentry, kprobe;		/* offsets in the skeleton */
	bool of_threads, of_queues;	/* for kernels of one kind alone */
} entries[] = {
#define ENTRY(function, name, ...)					\
	{ #function, offsetof(struct fxtrec_bpf, progs.fxt_##name),	\
	  offsetof(struct fxtrec_bpf, progs.fxt_##name##_probe), __VA_ARGS__ }
	ENTRY(sched_move_task, thread_move, false, true),
	ENTRY(throttle_cfs_rq_work, thread_throttle, true, false),
	ENTRY(tg_unthrottle_up, group_unthrottle, false, false),
	ENTRY(tg_throttle_down, group_throttle, false, false),
};
#define ENTRIES	(sizeof(entries) / sizeof(*entries))

/* The programs on tracepoints, for a kernel that throttles threads; releases before what they release. */
static const size_t others[] = {
	offsetof(struct fxtrec_bpf, progs.fxt_throttle_call),
	offsetof(struct fxtrec_bpf, progs.fxt_throttle_timer),
	offsetof(struct fxtrec_bpf, progs.fxt_throttle_switch),
};
#define OTHERS	(sizeof(others) / sizeof(*others))

_Static_assert(ENTRIES <= FXT_BPF_THROTTLE_LINKS && OTHERS <= FXT_BPF_THROTTLE_LINKS, "links");

static struct bpf_program *program(const struct fxtrec_bpf *skel, size_t offset)
{
	return *(struct bpf_program **)((char *)skel + offset);
}

/* Whether the kernel loads a program for a function's entry: it may refuse all of these. */
static bool can_enter(const struct btf *kernel, const char *function)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = btf__find_by_name_kind(kernel, function, BTF_KIND_FUNC), fd;

	options.attach_btf_id = id;
	fd = id > 0 ? bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", nothing, sizeof(nothing) / sizeof(*nothing),
				    &options) : -1;
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void fxt_bpf_throttle_choose(struct fxt_bpf_throttle *t, struct fxtrec_bpf *skel)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	struct fxtrec_throttle known;
	bool probes = !access("/sys/bus/event_source/devices/kprobe", F_OK), enters;
	unsigned int i;

	fxt_throttle_kind(&known, kernel);
	/* Programs can't find another CPU's part of what is per CPU: nothing is recorded there. */
	t->kind = known.queues_percpu ? FXT_THROTTLING_UNKNOWN : known.kind;
	enters = t->kind && can_enter(kernel, "tg_throttle_down");
	t->by_functions = enters || probes;
	for (i = 0; i < ENTRIES; i++) {
		const struct entry *entry = &entries[i];
		bool used = t->by_functions && t->kind && !(t->kind == FXT_THROTTLING_THREADS ? entry->of_queues : entry->of_threads);

		bpf_program__set_autoload(program(skel, entry->fentry), used && enters &&
					  btf__find_by_name_kind(kernel, entry->function, BTF_KIND_FUNC) > 0);
		bpf_program__set_autoload(program(skel, entry->kprobe), used && probes);
	}
	for (i = 0; i < OTHERS; i++)
		bpf_program__set_autoload(program(skel, others[i]), !t->by_functions && t->kind == FXT_THROTTLING_THREADS);
	bpf_map__set_autocreate(skel->maps.throttle_stopped, !t->by_functions && t->kind == FXT_THROTTLING_THREADS);
	skel->rodata->fxt_cgroups_recorded = t->by_functions && t->kind == FXT_THROTTLING_QUEUES;
	btf__free(kernel);
}

/* Attaches a program that has been loaded; 0 or -errno. */
static int attach(struct bpf_link **link, const struct fxtrec_bpf *skel, size_t offset)
{
	*link = bpf_program__autoload(program(skel, offset)) ? bpf_program__attach(program(skel, offset)) : NULL;
	return *link ? 0 : -ENOENT;
}

static bool is_loaded(const struct fxtrec_bpf *skel, const struct entry *entry)
{
	return bpf_program__autoload(program(skel, entry->fentry)) || bpf_program__autoload(program(skel, entry->kprobe));
}

/* Attaches to each function as well as the kernel allows; 0 or -errno. */
static int functions_attach(struct fxt_bpf_throttle *t, const struct fxtrec_bpf *skel)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ENTRIES && !err; i++)
		if (is_loaded(skel, &entries[i]))
			err = attach(&t->links[i], skel, entries[i].fentry) && attach(&t->links[i], skel, entries[i].kprobe);
	return err;
}

enum fxt_throttling fxt_bpf_throttle_attach(struct fxt_bpf_throttle *t, const struct fxtrec_bpf *skel)
{
	unsigned int i;
	int err = 0;

	if (t->by_functions)
		err = functions_attach(t, skel);
	else if (t->kind == FXT_THROTTLING_THREADS)
		for (i = 0; i < OTHERS && !err; i++)
			err = attach(&t->links[i], skel, others[i]);
	else
		err = -ENOENT;
	if (err)
		fxt_bpf_throttle_detach(t);
	return err ? FXT_THROTTLING_UNKNOWN : t->kind;
}

void fxt_bpf_throttle_detach(struct fxt_bpf_throttle *t)
{
	unsigned int i = FXT_BPF_THROTTLE_LINKS;

	while (i--) {
		bpf_link__destroy(t->links[i]);
		t->links[i] = NULL;
	}
}
