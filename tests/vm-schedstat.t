#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What report says of each of many threads, and what the kernel counted of it over the same time."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm
from tap import FXTREC

KERNEL = os.environ.get("KERNEL", "6.12")

# The guest's time is what its CPUs execute, in turns: between the kernel's own reading of the clock and the probe's may
# lie a part of another's turn (51 us a switch were seen).
SWITCH_NS = 200000
SHARE = 0.01


def judge(backend, path, counted):
    said = tap.run([FXTREC, "report", "--json", path])
    threads = {t["tid"]: t for t in json.loads(said.stdout)["threads"]}
    worst = 0
    wrong, apart, sums = [], [], {"run": [0, 0], "wait": [0, 0]}
    for tid, kernel in counted.items():
        t = threads[int(tid)]
        ours = {"run": t["run_ns"], "wait": t["wait_wakeup_ns"] + t["wait_preempted_ns"]}
        switches = t["switches"], t["preemptions"]
        if switches != (kernel["voluntary"] + kernel["preempted"], kernel["preempted"]):
            wrong.append((tid, switches, kernel))
        for what, ns in ours.items():
            sums[what] = [sums[what][0] + ns, sums[what][1] + kernel[what]]
            worst = max(worst, abs(ns - kernel[what]) / max(1, t["switches"]))
            if abs(ns - kernel[what]) > SWITCH_NS * t["switches"]:
                apart.append((tid, what, ns, kernel))
    tap.ok(len(counted) == 32 and not wrong, f"{backend}: switches and preemptions of each thread as the kernel counts them",
           wrong[:5])
    tap.note(f"{backend}: apart by at most {worst:.0f} ns a switch")
    tap.ok(not apart, f"{backend}: run time and waits of each thread as /proc/PID/schedstat has them", apart[:5])
    for what, (ours, theirs) in sums.items():
        tap.note(f"{backend}: {what}: {ours} ns, by the kernel {theirs}")
        tap.ok(theirs > 0 and abs(ours - theirs) < SHARE * theirs, f"{backend}: and all {what} times together",
               (ours, theirs))


with tempfile.TemporaryDirectory() as folder:
    if vm.boot(KERNEL, folder, "schedstat_guest.py", options=["-i", "-c", "2"]):
        with open(os.path.join(folder, "counts.json"), encoding="ascii") as f:
            counted = json.load(f)
        for backend in ("kmod", "bpf"):
            judge(backend, os.path.join(folder, backend + ".fxt"), counted)
tap.done()
