#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Generated traces through each format and back: what Documentation/conversion.rst says is kept is."""
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxt import Recording
from generated import generate, timed

TRACES = int(os.environ.get("TRACES", "12"))


def migrations(path):
    """With the processes of their tracks."""
    lines = tap.run([tap.FXTREC, "dump", path]).stdout.splitlines()
    return {re.sub(r"^.*? ticks=| thread_name=\"[^\"]*\"", "", l) for l in lines if " instant: " in l and "sched_migrate_task" in l}


def newest(recording):
    """The last name of each thread that has one, but the idle thread's."""
    return {tid: max(names, key=lambda n: n[0])[1] for tid, names in recording.names.items() if tid}


def judge(folder, number, seed):
    rng = random.Random(seed)
    there = os.path.join(folder, f"{number}.fxt")
    with open(there, "wb") as f:
        f.write(generate(rng))
    before = Recording(there, others=True)
    wrong = []
    for suffix, keeps_events in (("fxt", True), ("txt", False), ("html", False), ("json", True),
                                 ("pftrace", True)):
        middle, back = (os.path.join(folder, f"{number}.{x}") for x in ("there." + suffix, "back.fxt"))
        for source, target in ((there, middle), (middle, back)):
            done = tap.run([tap.FXTREC, "convert", source, "-o", target])
            if done.returncode:
                wrong.append((suffix, done.stderr))
        after = Recording(back, others=True)
        for cpu in set(before.events) | set(after.events):
            if before.events[cpu] != after.events[cpu]:
                pair = next(((a, b) for a, b in zip(before.events[cpu], after.events[cpu]) if a != b),
                            (len(before.events[cpu]), len(after.events[cpu])))
                wrong.append((suffix, "cpu", cpu, pair))
        if migrations(there) != migrations(back):
            wrong.append((suffix, "migrations", sorted(migrations(there) ^ migrations(back))[:4]))
        a, b = newest(before), newest(after)
        changed = {tid: (a[tid], b.get(tid)) for tid in before.scheduled() & set(a)
                   if a[tid] != b.get(tid)}
        if changed:
            wrong.append((suffix, "names", changed))
        if keeps_events and timed(there) != timed(back):
            gone = set(timed(there)) ^ set(timed(back))
            wrong.append((suffix, "events", sorted(gone)[:4]))
    return tap.ok(not wrong, f"trace {number} of seed {seed}", "\n".join(map(str, wrong[:6])))


with tempfile.TemporaryDirectory() as temporary:
    base = int(os.environ.get("SEED", "1"))
    for i in range(TRACES):
        judge(temporary, i, base + i)
tap.done()
