// SPDX-License-Identifier: GPL-2.0-only
/* Loads and attaches the eBPF programs that record bandwidth throttling. */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "source/bpf_throttle.h"
#include "source/throttle_kind.h"

#include "fxtrec.skel.h"

/* The kprobes.  Programs that record releases come before programs that record throttling. */
static const struct entry {
	size_t program;			/* offset in the skeleton */
	bool of_threads, of_queues;	/* only for kernels that throttle threads, or queues */
} entries[] = {
	{ offsetof(struct fxtrec_bpf, progs.fxt_thread_move), .of_queues = true },
	{ offsetof(struct fxtrec_bpf, progs.fxt_thread_throttle), .of_threads = true },
	{ offsetof(struct fxtrec_bpf, progs.fxt_group_unthrottle), false, false },
	{ offsetof(struct fxtrec_bpf, progs.fxt_group_throttle), false, false },
};
#define ENTRIES	(sizeof(entries) / sizeof(*entries))

/* The programs on tracepoints, for a kernel that throttles threads, in the same order. */
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

void fxt_bpf_throttle_choose(struct fxt_bpf_throttle *t, struct fxtrec_bpf *skel, const struct fxt_kernel_btf *kernel)
{
	struct fxtrec_throttle known;
	unsigned int i;

	fxt_throttle_kind(&known, kernel);
	t->kind = known.kind;
	skel->rodata->fxt_queues_percpu = known.queues_percpu;
	t->by_functions = !access("/sys/bus/event_source/devices/kprobe", F_OK);
	for (i = 0; i < ENTRIES; i++) {
		const struct entry *entry = &entries[i];
		bool used = t->by_functions && t->kind && !(t->kind == FXT_THROTTLING_THREADS ? entry->of_queues : entry->of_threads);

		bpf_program__set_autoload(program(skel, entry->program), used);
	}
	for (i = 0; i < OTHERS; i++)
		bpf_program__set_autoload(program(skel, others[i]), !t->by_functions && t->kind == FXT_THROTTLING_THREADS);
	bpf_map__set_autocreate(skel->maps.throttle_stopped, !t->by_functions && t->kind == FXT_THROTTLING_THREADS);
	skel->rodata->fxt_cgroups_recorded = t->by_functions && t->kind == FXT_THROTTLING_QUEUES;
}

/* Attaches a loaded program.  0 or -errno. */
static int attach(struct bpf_link **link, const struct fxtrec_bpf *skel, size_t offset)
{
	*link = bpf_program__autoload(program(skel, offset)) ? bpf_program__attach(program(skel, offset)) : NULL;
	return *link ? 0 : -ENOENT;
}

/* Attaches to each function.  0 or -errno. */
static int functions_attach(struct fxt_bpf_throttle *t, const struct fxtrec_bpf *skel)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ENTRIES && !err; i++)
		if (bpf_program__autoload(program(skel, entries[i].program)))
			err = attach(&t->links[i], skel, entries[i].program);
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
