#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF on each of Debian's kernels that $MATRIX names, at a quarter of the load."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import vm
from tap import done

for kernel in os.environ.get("MATRIX", "6.1 6.12").split():
    vm.judge_kernel(kernel, share=4)
done()
