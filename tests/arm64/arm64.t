#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF on Debian's kernels of arm64 and on one with pages of 64 KiB, in a virtual machine."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap
import vm

for kernel in os.environ.get("KERNELS", "6.1 6.12").split():
    vm.judge_kernel(kernel + "-arm64", share=int(os.environ.get("SHARE", 8)))
tap.done()
