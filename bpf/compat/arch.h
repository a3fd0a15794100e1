/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor of the programs: the order of stores, and the place of a thread's flags in the kernel. */
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
