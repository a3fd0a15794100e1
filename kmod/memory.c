// SPDX-License-Identifier: GPL-2.0-only
/* Locks memory maps where the kernel's scheduler runs, as bpf_find_vma() does for eBPF programs. */
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rwsem.h>

#include "memory.h"

/* A memory map that a CPU has yet to unlock. */
struct map_lock {
	struct irq_work work;
	struct mm_struct *mm;
};

static struct map_lock __percpu *map_locks;

static void map_unlock(struct irq_work *work)
{
	up_read_non_owner(&container_of(work, struct map_lock, work)->mm->mmap_lock);
}

int fxt_memory_init(void)
{
	int cpu;

	map_locks = alloc_percpu(struct map_lock);
	if (!map_locks)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu_ptr(map_locks, cpu)->work, map_unlock);
	return 0;
}

void fxt_memory_uninit(void)
{
	int cpu;

	if (!map_locks)
		return;
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(map_locks, cpu)->work);
	free_percpu(map_locks);
	map_locks = NULL;
}

notrace bool fxt_memory_trylock(struct mm_struct *mm)
{
	/* PREEMPT_RT's locks may wait here. */
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && !irq_work_is_busy(&this_cpu_ptr(map_locks)->work) &&
	       down_read_trylock(&mm->mmap_lock);
}

notrace void fxt_memory_unlock(struct mm_struct *mm)
{
	struct map_lock *l = this_cpu_ptr(map_locks);

	l->mm = mm;
	/* The work has no owner; lockdep would miss the release by the thread. */
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	irq_work_queue(&l->work);
}
