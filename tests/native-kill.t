#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kill -9 of an eBPF recorder: the file reads, nothing stays, the next one works at once."""
import os
import random
import re
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import recorder
import tap

FORKS = os.path.join(tap.TOP, "build", "tests", "forks")


def bpf_objects():
    """Ids of the kernel's eBPF programs, maps and links."""
    ids = set()
    for kind in ("prog", "map", "link"):
        said = tap.run(["/usr/sbin/bpftool", "-j", kind, "list"]).stdout
        ids |= {(kind, word) for word in re.findall(r'"id":(\d+)', said)}
    return ids


def left_of(objects):
    """Which of them are still there after a while."""
    recorder.becomes(lambda: not objects & bpf_objects(), 120)
    return objects & bpf_objects()


def killed_among_births(folder, rounds):
    """Wherever the file ends, each thread that it shows has its name before."""
    wrong, threads, number = [], 0, 0
    with recorder.busy(), recorder.busy([FORKS, "1000000"]):
        # How many threads are in a file is the machine's load.
        while number < rounds or threads <= 20 * rounds and number < 50 * rounds:
            number += 1
            path = os.path.join(folder, f"births-{number}.fxt")
            process = recorder.start(["--backend=bpf", "--no-marks", "-o", path, "--flush=1m"])
            time.sleep(random.uniform(0.3, 0.6))
            process.kill()
            process.wait()
            recording = judge.load(path)
            wrong += [(path, tid) for tid in recording.scheduled() - set(recording.names)]
            threads += len(recording.scheduled())
    tap.ok(not wrong and threads > 20 * rounds, f"{threads} threads, each with its name", wrong[:5])


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "killed.fxt")
    process = recorder.start(["--backend=bpf", "--no-marks", "-o", path])
    objects = recorder.bpf_objects(process)
    tap.ok({kind for kind, _ in objects} == {"prog", "map", "link"} and objects <= bpf_objects(),
           "a recorder has programs, maps and links", objects)
    tap.run([FORKS, "300"])
    tap.run(["perf", "bench", "sched", "pipe", "-l", "50000"])
    process.kill()
    process.wait()
    following = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", "-d", "0.3",
                         "-o", os.path.join(folder, "next.fxt")])
    tap.ok(following.returncode == 0, "the next recording works at once", following.stderr)
    left = left_of(objects)
    tap.ok(not left, "no program, map or link stays behind", left)
    recording = judge.load(path)
    events = sum(len(e) for e in recording.events.values())
    tap.ok(events > 50000, "the file holds what was recorded before", events)
    judge.judge_itself(recording, path, "the killed recorder's file", judge.process_one(recording), killed=True)
    killed_among_births(folder, tap.amount("ROUNDS", 4, 10))
tap.done()
