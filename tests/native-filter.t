#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Filters, by eBPF on this machine: each against a recording of everything over the same time."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import filters
import tap

WANTED = {
    "process": ["-p", "{tree}"],
    "process-alone": ["-p", "{tree}", "--no-inherit"],
    "thread": ["-t", "{names}"],
    "name": ["--comm", "in-*"],
    "name-alone": ["--comm", "in-*", "--no-inherit"],
    "cgroup": ["--cgroup", "{cgroup}"],
    "cpu": ["-C", "0"],
    "all-at-once": ["-p", "{tree}", "--comm", "in-1?", "--cgroup", "{cgroup}", "-C", "0"],
}

with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "filter")
    filters.provoke(out, {name: ("bpf", options) for name, options in WANTED.items()} |
                    {"used-again": ("bpf", ["-t", "{victim}", "--comm", "no such name"])})
    filters.judge(out, "natively")
    filters.ended(os.path.join(folder, "ended"), "bpf", tap.ok)
tap.done()
