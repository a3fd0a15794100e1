# SPDX-License-Identifier: GPL-2.0-only
"""What fxtrec top says of each lap, beside what the report of the same time says."""
import json

import tap

COUNTS = ("switches", "preemptions", "wakeups", "migrations")
# With losses, how many threads could run is a matter of what is learned later.
OF_QUEUES = ("runnable_mean", "runnable_max", "idle_while_waiting_ns")


def said(*arguments):
    done = tap.run([tap.FXTREC, *arguments])
    if done.returncode or done.stderr:
        raise RuntimeError(f"{arguments}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def empty(row):
    """A thread that is only heard of later: top doesn't know of it yet."""
    return row["unknown_ns"] == row["end_ns"] - row["begin_ns"] and not any(row[name] for name in COUNTS) and \
        not row["latency"]["count"]


def doubted(mine, other, wrong):
    """A later record contradicts what the thread was believed to do: the report knows less than top could."""
    return other and all(name == "unknown_ns" and mine[name] < other[name] or
                         name in ("sleep_ns", "blocked_ns", "stopped_ns") and mine[name] > other[name] for name in wrong)


def differing(lap, report, queues=True, names=("version", "file", "clock", "from_ns", "to_ns", "lost"), ignored=(),
              doubts=0):
    """What is another in the report; None: nothing is."""
    for name in names:
        if lap[name] != report[name]:
            return f"{name}: {lap[name]}, the report has {report[name]}"
    doubtful = 0
    expected = {row["key"]: row for row in report["threads"]}
    for mine in lap["threads"]:
        other = expected.pop(mine["key"], {})
        wrong = [name for name in mine if mine[name] != other.get(name) and name not in ignored]
        doubtful += bool(wrong)
        if wrong and (doubtful > doubts or not doubted(mine, other, wrong)):
            return f"thread {mine['tid']}: " + "; ".join(f"{name}: {mine[name]}, the report has {other.get(name)}"
                                                         for name in wrong)
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
