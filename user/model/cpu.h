/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the CPU of a provider in a recording of fxtrec: Documentation/fxt-on-linux.rst. */
#ifndef FXT_MODEL_CPU_H
#define FXT_MODEL_CPU_H

#include "codec/provider.h"

/* Finds the provider's CPU.  Returns 0; -ENOENT for a provider that isn't a CPU's. */
int fxt_provider_cpu(const struct fxt_provider *provider, __u32 *cpu);

#endif
