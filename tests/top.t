#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec top over files: each lap says what the report of the same time says."""
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap
from laps import differing, said
from simulated import Machine, START

TRACES = tap.amount("TRACES", 15, 200)
SEED = int(os.environ.get("SEED", "1"))
LENGTH = 1_000_000


def laps(path, *options):
    return said("top", "--batch", "--json", f"--interval={LENGTH // 1_000_000}ms", path, *options)


def compare(path, queues=True):
    """Each lap with the report of its time; and that none is missing where there are events."""
    found = laps(path)
    whole = said("report", "--json", path)[0]
    if not found:
        return "no lap"
    for lap in found:
        end = lap["from_ns"] + LENGTH
        wrong = differing(lap, said("report", "--json", f"--time=@{lap['from_ns']},@{end}", path)[0], queues)
        if wrong:
            return f"lap from {lap['from_ns'] - whole['from_ns']} ns: {wrong}"
    for name in ("switches", "wakeups", "preemptions"):
        sums = sum(row[name] for lap in found for row in lap["threads"])
        if sums != sum(row[name] for row in whole["threads"]):
            return f"{name}: {sums} in all laps"
    return None


def write(folder, data, name="t.fxt"):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)
    return f.name


def losses(machine, rng):
    lost = []
    for cpu in range(len(machine.cpus)):
        begin = rng.randrange(START, machine.end - 1)
        lost.append((cpu, begin, min(machine.end, begin + rng.randrange(1, 3_000_000))))
    return lost


def property_test(folder, name, with_losses):
    wrong = []
    for i in range(TRACES):
        rng = random.Random(SEED * 1000 + i)
        machine = Machine(rng, rng.randrange(1, 5), rng.randrange(2, 9), rng.randrange(50, 400))
        why = compare(write(folder, machine.trace(losses(machine, rng) if with_losses else ())), not with_losses)
        if why:
            wrong.append(f"seed {SEED * 1000 + i}: {why}")
    tap.ok(not wrong, f"{name}: each lap is its report: {TRACES} machines", "\n".join(wrong[:8]))


def main():
    folder = tempfile.mkdtemp()
    property_test(folder, "without losses", False)
    property_test(folder, "with losses", True)
    tap.done()


main()
