#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF beside ftrace where CPUs are kept free of ticks and of others' threads: nohz_full=, isolcpus=."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.12")
SECONDS = int(os.environ.get("SECONDS") or 10)
LEAST = 5000

with tempfile.TemporaryDirectory() as folder:
    if vm.boot(KERNEL, folder, "nohz_guest.py", [SECONDS], options=["-a", "nohz_full=1-3 isolcpus=1-3"]):
        vm.judge_both(folder, "nohz_full", LEAST)
tap.done()
