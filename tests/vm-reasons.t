#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The reasons of sleeps in guests, by the module and by eBPF (native-reasons.t, native-edges.t)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

KERNELS = tap.amount("KERNEL", "6.1 6.12", "6.1 6.12 sid").split()

for kernel in KERNELS:
    vm.judge_reasons(kernel)
tap.done()
