#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The reasons of sleeps in guests, by the module and by eBPF (native-reasons.t, native-edges.t)."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

KERNELS = tap.amount("KERNEL", "6.1 6.12", "6.1 6.12 sid").split()

for kernel in KERNELS:
    with tempfile.TemporaryDirectory() as folder:
        if vm.boot(kernel, folder, "reasons_guest.py", options=["-c", "2"]):
            with open(os.path.join(folder, "notes")) as f:
                tap.note(f.read())
tap.done()
