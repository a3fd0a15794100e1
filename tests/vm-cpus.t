#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF where 2 of 64 possible CPUs are present, and others are plugged while they record; limits that root may raise."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import qmp
import tap
import vm
from fxt import Switch

KERNEL = os.environ.get("KERNEL", "6.1")

with tempfile.TemporaryDirectory() as folder:
    control = os.path.join(folder, "control")
    with qmp.plugging(control, folder, 2):
        booted = vm.boot(KERNEL, folder, "cpus.py", options=["-c", "2,maxcpus=64", "-q", control])
    if booted:
        with open(os.path.join(folder, "lost"), encoding="ascii") as f:
            lost = dict(zip(("kmod", "bpf"), map(int, f.read().split())))
        for backend, cpu in (("kmod", 2), ("bpf", 3)):
            path = os.path.join(folder, f"late-{backend}.fxt")
            judge.judge_valid(path, f"{backend}, late")
            shown = tap.run([tap.FXTREC, "info", path]).stdout
            tap.ok(f"lost        {lost[backend]} (no ring)" in shown, f"{backend}: the file says so", shown)
            absent = judge.load(os.path.join(folder, f"absent-{backend}.fxt"))
            switches = [e for _, e in absent.events[3] if isinstance(e, Switch)]
            tap.ok(len(switches) > 500, f"{backend}: it is recorded", len(switches))
tap.done()
