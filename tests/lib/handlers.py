# SPDX-License-Identifier: GPL-2.0-only
"""
perf's handlers that go on after their counter is released, on a kernel whose perf lets them
(tests/debug/kasan.sed): a module that doesn't wait for them takes the kernel down.
"""
import os
import subprocess
import time

import ftrace
from abi import Tracing

TRACEPOINT = "task:task_rename"
HANDLER = "fxtrec:overflow"
# Each reads 2,048 bytes, one at a time, which takes as long as a probe can be made to.
FETCHED = " ".join(f"a{i}=@_stext:x8[64]" for i in range(32))


def slow_down(count, within=80):
    """
    That many breakpoints at each instruction that the handler begins with: inside of one no
    interrupt is taken, behind it all that wait are, and the other CPUs have had their turn.
    """
    with open("/proc/sys/debug/kprobes-optimization", "w", encoding="ascii") as f:
        f.write("0")
    made = 0
    for offset in range(within):
        for i in range(count):
            if ftrace.kprobe(f"p:slow/at_{offset}_{i} {HANDLER}+{offset} {FETCHED}"):
                break  # inside of an instruction
            made += 1
    with open(f"{ftrace.TRACEFS}/events/slow/enable", "w", encoding="ascii") as f:
        f.write("1")
    return made


def outlive(result, rounds=8):
    """Its counter is released while it runs, and perf stays at the tracepoint, so that nobody waits for it."""
    last = str(os.cpu_count() - 1)  # whose counter is released last
    commands = (["perf", "stat", "-a", "-e", TRACEPOINT, "sleep", "1000"],
                ["taskset", "-c", last, "sh", "-c", "while :; do echo a > /proc/self/comm; done"])
    jobs = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    probes = slow_down(10)
    before, records = os.sched_getaffinity(0), []
    os.sched_setaffinity(0, [0])
    for _ in range(rounds):
        with Tracing(TRACEPOINT) as tracing:
            tracing.tails(0)
            time.sleep(0.3)
            records.append(tracing.records())
    os.sched_setaffinity(0, before)
    with open(f"{ftrace.TRACEFS}/events/slow/enable", "w", encoding="ascii") as f:
        f.write("0")
    with open(f"{ftrace.TRACEFS}/kprobe_events", "w", encoding="ascii"):
        pass  # all are gone
    for job in jobs:
        job.kill()
        job.wait()
    result(probes > 40 and any(records), "handlers that outlive their counters are waited for",
           (probes, records))
