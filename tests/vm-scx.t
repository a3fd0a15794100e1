#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF beside ftrace, while a scheduler of sched_ext runs; only Debian unstable's kernels have that."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

SECONDS = int(os.environ.get("SECONDS") or 10)
LEAST = 5000

with tempfile.TemporaryDirectory() as folder:
    if vm.boot("sid", folder, "scx_guest.py", [SECONDS]):
        vm.judge_both(folder, "sched_ext", LEAST)
tap.done()
