// SPDX-License-Identifier: GPL-2.0-only
/* The rings' state in debugfs: a line for each CPU and ring, read without stopping the writers. */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "recording.h"
#include "stats.h"

static struct dentry *folder;

static void tail_show(struct seq_file *m, u64 tail)
{
	if (tail == FXTREC_CLOSED)
		seq_puts(m, " closed");
	else if (tail == FXTREC_OVERWRITE)
		seq_puts(m, " overwrite");
	else
		seq_printf(m, " %llu", tail);
}

/* Shows a ring.  The values of a line belong to slightly different times while the ring is written. */
static void ring_show(struct seq_file *m, const struct fxtrec_producer *p, u64 tail)
{
	static const char *const names[FXTREC_RINGS] = { "sched", "info", "events" };

	seq_printf(m, "%u %s %llu", p->cpu, names[p->kind], READ_ONCE(p->head));
	tail_show(m, tail);
	seq_printf(m, " %llu %llu %llu %llu %llu %lld %llu\n", READ_ONCE(p->records),
		   READ_ONCE(p->lost[FXTREC_LOST_FULL]), READ_ONCE(p->lost[FXTREC_LOST_NESTED]),
		   READ_ONCE(p->reported[FXTREC_LOST_FULL]),
		   READ_ONCE(p->reported[FXTREC_LOST_NESTED]), READ_ONCE(p->hits_unrecorded),
		   READ_ONCE(p->renames_surplus));
}

static int stats_show(struct seq_file *m, void *unused)
{
	static const char *const states[] = {
		[FXT_IDLE] = "idle",
		[FXT_ARMED] = "armed",
		[FXT_RUNNING] = "running",
		[FXT_STOPPED] = "stopped",
	};
	struct fxt_recording *r = &fxt_recording;
	unsigned int cpu, kind;

	mutex_lock(&fxt_recording_lock);
	seq_printf(m, "# %s\n", states[r->state]);
	seq_puts(m, "# cpu ring head tail records lost_full lost_nested reported_full "
		 "reported_nested hits_unrecorded renames_surplus\n");
	for (cpu = 0; r->rings && cpu < r->cpu_count; cpu++)
		for (kind = 0; r->rings[cpu].area && kind < FXTREC_RINGS; kind++)
			ring_show(m, &r->rings[cpu].area->ring[kind],
				  READ_ONCE(r->rings[cpu].consumer->ring[kind].tail));
	mutex_unlock(&fxt_recording_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* Creates the files.  These calls accept an error pointer, so a kernel without debugfs just has no files. */
void fxt_stats_init(void)
{
	folder = debugfs_create_dir("fxtrec", NULL);
	debugfs_create_file("stats", 0400, folder, NULL, &stats_fops);
}

void fxt_stats_uninit(void)
{
	debugfs_remove_recursive(folder);
}
