// SPDX-License-Identifier: GPL-2.0-only
/* Probes on tracepoints that are found by name: some are not exported to modules. */
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "probe.h"

static void match(struct tracepoint *tp, void *priv)
{
	struct fxt_probe *probe = priv;

	if (!strcmp(tp->name, probe->name))
		probe->tp = tp;
}

static int attach(struct fxt_probe *probe)
{
	int err;

	probe->tp = NULL;
	for_each_kernel_tracepoint(match, probe);
	if (!probe->tp) {
		pr_err("fxtrec: this kernel has no tracepoint %s\n", probe->name);
		return -ENOENT;
	}
	err = tracepoint_probe_register(probe->tp, probe->function, NULL);
	if (err)
		probe->tp = NULL;
	return err;
}

int fxt_probe_register(struct fxt_probe *probes, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		int err = attach(&probes[i]);

		if (err) {
			fxt_probe_unregister(probes, i);
			fxt_probe_drain();
			return err;
		}
	}
	return 0;
}

void fxt_probe_unregister(struct fxt_probe *probes, unsigned int count)
{
	while (count--)
		tracepoint_probe_unregister(probes[count].tp, probes[count].function, NULL);
}

void fxt_probe_drain(void)
{
	tracepoint_synchronize_unregister();
}
