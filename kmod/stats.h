/* SPDX-License-Identifier: GPL-2.0-only */
/* Shows the rings' state in debugfs: fxtrec/stats. */
#ifndef FXT_KMOD_STATS_H
#define FXT_KMOD_STATS_H

void fxt_stats_init(void);
void fxt_stats_uninit(void);

#endif
