#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Where lockdown refuses the module, eBPF records."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.12")

with tempfile.TemporaryDirectory() as folder:
    if vm.boot(KERNEL, folder, "lockdown.py", options=["-a", "lockdown=integrity"]):
        path = os.path.join(folder, "lockdown.fxt")
        judge.judge_itself(judge.load(path), path, "eBPF under lockdown")
tap.done()
