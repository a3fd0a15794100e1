#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec top over files: each lap says what the report of the same time says."""
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap
from simulated import Machine, START

TRACES = tap.amount("TRACES", 15, 200)
SEED = int(os.environ.get("SEED", "1"))
LENGTH = 1_000_000
COUNTS = ("switches", "preemptions", "wakeups", "migrations")
# With losses, how many threads could run is a matter of what is learned later.
OF_QUEUES = ("runnable_mean", "runnable_max", "idle_while_waiting_ns")


def said(*arguments):
    done = tap.run([tap.FXTREC, *arguments])
    if done.returncode or done.stderr:
        raise RuntimeError(f"{arguments}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def laps(path, *options):
    return said("top", "--batch", "--json", f"--interval={LENGTH // 1_000_000}ms", path, *options)


def empty(row):
    """A thread that is only heard of later: top doesn't know of it yet."""
    return row["unknown_ns"] == row["end_ns"] - row["begin_ns"] and not any(row[name] for name in COUNTS) and \
        not row["latency"]["count"]


def differing(lap, report, queues=True):
    for name in ("version", "file", "clock", "from_ns", "to_ns", "lost"):
        if lap[name] != report[name]:
            return f"{name}: {lap[name]}, the report has {report[name]}"
    expected = {row["key"]: row for row in report["threads"]}
    for mine in lap["threads"]:
        other = expected.pop(mine["key"], {})
        wrong = [f"{name}: {mine[name]}, the report has {other.get(name)}" for name in mine
                 if mine[name] != other.get(name)]
        if wrong:
            return f"thread {mine['tid']}: {'; '.join(wrong)}"
    if not all(map(empty, expected.values())):
        return f"no thread {[row['tid'] for row in expected.values()]}"
    if queues and [row["run_ns"] for row in lap["threads"]] != \
            sorted((row["run_ns"] for row in lap["threads"]), reverse=True):
        return "not sorted"
    cpus = {cpu["cpu"] for cpu in lap["cpus"]}
    for mine, other in zip(lap["cpus"], [cpu for cpu in report["cpus"] if cpu["cpu"] in cpus]):
        for name in mine:
            if mine[name] != other[name] and (queues or name not in OF_QUEUES):
                return f"CPU {mine['cpu']}: {name}: {mine[name]}, the report has {other[name]}"
    if any(cpu["cpu"] not in cpus and cpu["unknown_ns"] != report["to_ns"] - report["from_ns"]
           for cpu in report["cpus"]):
        return "a CPU is missing"
    return None


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
