#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Causes that need a machine which does nothing else: a CPU is idle while what wants it is throttled."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

# The last one throttles threads, and has groups' queues per CPU.
KERNELS = tap.amount("KERNEL", "6.12", "6.12 sid").split()

for kernel in KERNELS:
    with tempfile.TemporaryDirectory() as folder:
        vm.boot(kernel, folder, "causes_guest.py", ["throttled nested crowded groups inversion timer net"], options=["-c", "2"])
tap.done()
