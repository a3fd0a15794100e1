#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF beside ftrace on 64 CPUs, and snapshots of them."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import tap
import vm
from tap import FXTREC

KERNEL = os.environ.get("KERNEL", "6.12")
CPUS = int(os.environ.get("CPUS") or 64)
SECONDS = int(os.environ.get("SECONDS") or 60)
LEAST = 5000
# CPUs that take turns in one thread of the host's starve each other: that is no lockup.
PATIENT = "nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
# Of a CPU by default, and what a recorder and the rest of the guest may take besides.
RING_MIB, OTHER_MIB = 4, 64

with tempfile.TemporaryDirectory() as folder:
    if vm.boot(KERNEL, folder, "large_guest.py", [SECONDS], 3600, ["-c", str(CPUS), "-m", "5G", "-a", PATIENT]):
        with open(os.path.join(folder, "figures.json"), encoding="ascii") as f:
            figures = json.load(f)
        tap.ok(figures["cpus"] == f"0-{CPUS - 1}", f"{CPUS} CPUs are present", figures)
        tap.note(f"the guest's first {figures['booted']:.0f} s are its boot")
        for backend in ("kmod", "bpf"):
            of = figures[backend]
            tap.note(f"{backend}: start {of['start']:.2f} s, {of['memory']} MiB, load {of['load']:.0f} s, end {of['end']:.2f} s, "
                     f"snapshot {of['snapshot']:.2f} s")
            # Not of a tool with AddressSanitizer, which keeps what was freed.
            if not tap.SANITIZED:
                tap.ok(of["memory"] <= CPUS * RING_MIB + OTHER_MIB, f"{backend}: its rings are all the memory that it takes", of)
            tap.ok(of["load"] >= SECONDS, f"{backend}: {SECONDS} s are recorded", of)
        vm.judge_both(folder, f"{CPUS} CPUs", LEAST)
        for backend in ("kmod", "bpf"):
            path, what = os.path.join(folder, f"{backend}-flight.0001.fxt"), f"{CPUS} CPUs, snapshot by {backend}"
            tap.note(f"{what}: lost: {json.loads(tap.run([FXTREC, 'info', '--json', path]).stdout)['lost']}")
            recording = judge.load(path)
            judge.judge_itself(recording, path, what)
            tap.ok(sum(map(bool, recording.events.values())) > CPUS // 2, f"{what}: of most CPUs",
                   sorted(recording.events))
tap.done()
