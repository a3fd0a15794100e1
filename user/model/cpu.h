/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPU that a provider stands for in a recording of fxtrec: Documentation/fxt-on-linux.rst. */
#ifndef FXT_MODEL_CPU_H
#define FXT_MODEL_CPU_H

#include "codec/provider.h"

/* The CPU of a provider of a recording of fxtrec; -ENOENT for any other provider. */
int fxt_provider_cpu(const struct fxt_provider *provider, __u32 *cpu);

#endif
