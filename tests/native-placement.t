#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A recorder leaves the CPU where most happens, and where it may run stays as it was."""
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import recorder
import tap

PATIENCE_S = 120


def processor(pid):
    """Where its main thread ran last: proc(5)."""
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rpartition(")")[2].split()[36])


def leaves(process):
    """Whether it leaves the CPU where it is, once a load is pinned there."""
    cpu = processor(process.pid)
    with recorder.busy(["taskset", "-c", str(cpu), *recorder.PIPE]):
        # The kernel may take it back at any time.
        until = time.monotonic() + PATIENCE_S
        while (there := processor(process.pid)) == cpu and time.monotonic() < until:
            time.sleep(0.02)
    tap.note(f"from CPU {cpu} to CPU {there}")
    return there != cpu


if len(os.sched_getaffinity(0)) < 2:
    tap.skip("a recorder leaves the CPU where most happens", "there is but one")
    tap.done()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "placement.fxt")
    # Of what this test does alone: others may have as much on the other CPUs.
    process = recorder.start(["--backend=bpf", "-b", "16M", "-p", str(os.getpid()), "-o", path])
    left = [leaves(process) for _ in range(3)]
    tap.all_of("a recorder leaves the CPU where most happens", left, bool, 3)
    tap.ok(os.sched_getaffinity(process.pid) == os.sched_getaffinity(0), "it may run wherever it might before",
           os.sched_getaffinity(process.pid))
    said = recorder.end(process)
    tap.ok(process.returncode == 0 and "nothing lost" in said, "nothing lost", said)
    cpu = max(os.sched_getaffinity(0))
    process = recorder.start(["--backend=bpf", "-o", path], ["taskset", "-c", str(cpu)])
    load = subprocess.run(["taskset", "-c", str(cpu), "perf", "bench", "sched", "pipe", "-l", "100000"],
                          stdout=subprocess.DEVNULL)
    tap.ok(processor(process.pid) == cpu and os.sched_getaffinity(process.pid) == {cpu},
           "where it may run on one alone it stays", processor(process.pid))
    recorder.end(process)
tap.done()
