/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of fxt_machine_put(), by the kind of the record. */
#ifndef FXT_ANALYZE_MACHINE_MACHINE_PUT_H
#define FXT_ANALYZE_MACHINE_MACHINE_PUT_H

#include "analyze/machine/machine.h"

/* All of these functions return 0 or -errno. */
int fxt_machine_switch(struct fxt_machine *m, const struct fxt_switch_view *view, __u64 ns);
int fxt_machine_wakeup(struct fxt_machine *m, const struct fxt_wakeup_view *view, __u64 ns);
int fxt_machine_migrate(struct fxt_machine *m, const struct fxt_migrate_view *view, __u64 ns);

/* Puts an event of any category. */
int fxt_machine_event(struct fxt_machine *m, const struct fxt_record *r);

#endif
