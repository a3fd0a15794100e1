// SPDX-License-Identifier: GPL-2.0-only
/* What all programs share: the rings, and what is set before loading. */
#include "env.h"

struct areas areas SEC(".maps");
struct consumers consumers SEC(".maps");

const volatile __u32 fxt_data_mask;
const volatile __u32 fxt_clock_chosen;

char LICENSE[] SEC("license") = "GPL";
