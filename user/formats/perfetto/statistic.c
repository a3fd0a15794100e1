// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the table of statistics of processes, which the reader and the writer share. */
#include "formats/perfetto/statistic.h"

static const struct fxt_pf_statistic statistics[] = {
	{ 2, "mem.virt", 1024 }, { 3, "mem.rss", 1024 }, { 4, "mem.rss.anon", 1024 }, { 5, "mem.rss.file", 1024 },
	{ 6, "mem.rss.shmem", 1024 }, { 7, "mem.swap", 1024 }, { 8, "mem.locked", 1024 },
	{ 9, "mem.rss.watermark", 1024 }, { 10, "oom_score_adj", 1 }, { 16, "mem.smaps.rss", 1024 },
	{ 17, "mem.smaps.pss", 1024 }, { 18, "mem.smaps.pss.anon", 1024 }, { 19, "mem.smaps.pss.file", 1024 },
	{ 20, "mem.smaps.pss.smem", 1024 }, { 21, "runtime.user_ns", 1 }, { 22, "runtime.kernel_ns", 1 },
	{ 23, "mem.smaps.swap.pss", 1024 }, { 24, "mem.dmabuf_rss", 1024 },
};

#define COUNT	(sizeof(statistics) / sizeof(*statistics))

const struct fxt_pf_statistic *fxt_pf_statistic(__u32 field)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (statistics[i].field == field)
			return &statistics[i];
	return NULL;
}

const struct fxt_pf_statistic *fxt_pf_statistic_named(const struct fxt_text *name)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (fxt_text_equal(name, statistics[i].name))
			return &statistics[i];
	return NULL;
}
