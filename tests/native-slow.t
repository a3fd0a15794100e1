#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A file that takes nothing for seconds: draining doesn't wait for it, and no event is lost."""
import os
import sys
import tempfile
import time
from subprocess import PIPE

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import recorder
import tap

STALL_S = 4
# So much that rings and pipe can hold a small part of it; and that a machine whose
# processors stand still now and then doesn't fill them meanwhile.
RINGS = "4M"
LEAST = 2 * (4 << 20) * os.cpu_count()
# Each has 10,000 wakeups of 40 bytes and as many switches of 48.
LOADS = 20 * os.cpu_count()


def load(until):
    count = 0
    while count < LOADS or time.monotonic() < until:
        tap.run(["perf", "bench", "sched", "pipe", "-l", "5000"], timeout=600)
        count += 1


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "slow.fxt")
    # Of this load alone: what others do meanwhile may be more than memory is for.
    process = recorder.start(["--backend=bpf", "-b", RINGS, "-p", str(os.getpid()), "-o", "-"], stdout=PIPE, text=False)
    began = time.monotonic()
    load(began + STALL_S)
    process.terminate()
    # Only now does somebody read what it writes.
    content, said = process.communicate(timeout=600)
    said = said.decode()
    with open(path, "wb") as f:
        f.write(content)
    tap.note(said)
    tap.ok(process.returncode == 0, "recorded while nobody read", said)
    tap.ok(len(content) > LEAST, "more than the rings hold", f"{len(content)} bytes")
    tap.ok("nothing lost" in said, "nothing is lost", said)
    recording = judge.load(path)
    judge.judge_itself(recording, path, "what came through", judge.process_one(recording))
tap.done()
