/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor that the programs are for: the order of stores, and where the kernel keeps a thread's flags. */
#ifndef FXT_BPF_COMPAT_ARCH_H
#define FXT_BPF_COMPAT_ARCH_H

#if defined(__TARGET_ARCH_x86)
#include "compat/x86.h"
#elif defined(__TARGET_ARCH_arm64)
#include "compat/arm64.h"
#else
#error "bpf/compat has no header of this processor yet"
#endif

#endif
