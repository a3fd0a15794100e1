#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Causes of late requests that explain finds in recordings of this machine, against the program's own measurements."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from tap import FXTREC, ok, run

CAUSES = (("lock", "lock"), ("sleeping-holder", "lock"), ("chain", "lock"), ("stage", "other-thread"), ("socket", "other-thread"),
          ("real-time", "real-time"), ("stopped", "stopped"), ("own-work", "own-work"), ("disk", "disk"))
# On a busy machine, one holder of a convoy may have it for the most part of the time, and a move take longer.
SERVED = (("latch", "other-thread"), ("same-latch", "other-thread"), ("convoy", "convoy lock"), ("child", "other-thread"),
          ("moves", "migrations own-work"), ("slack", "timer-slack"))
REQUESTS, EACH = 240, 8
# The program works or sleeps for this long in each cause, in CPU time or by a timer; a disk may be faster.
LEAST_NS = 20_000_000
# The causes of served.c take half a minute.
LONGER = tap.amount("LONGER", 0, 1)


def cause(folder, program, name, finding):
    path = os.path.join(folder, name + ".fxt")
    events = ["-e", "timer:hrtimer_start"] if finding == "timer-slack" else []
    done = run([FXTREC, "record", "--backend=bpf", *events, "-o", path, "--", program, name, str(REQUESTS)], cwd=folder)
    times = [tuple(map(int, line.split())) for line in done.stdout.splitlines() if line[0].isdigit()]
    if not ok(len(times) == REQUESTS and "nothing lost" in done.stderr, f"{name}: recorded", (len(times), done.stderr)):
        return
    said = run([FXTREC, "explain", "--json", "--comm=server", "--slow=p88", path])
    answer = json.loads(said.stdout)
    slow = sorted(times, reverse=True)[:answer["slow_count"]]
    met, took = sum(1 for _, ns in slow if ns) / len(slow), sum(ns for _, ns in slow) / len(slow)
    found = sum(f["ns"] for f in answer["findings"] if f["finding"] in finding.split())
    rest = sum(f["ns"] for f in answer["findings"] if f["finding"] not in finding.split() and f["ns"] > 0)
    least = 0 if name in ("disk", "slack") else LEAST_NS
    # The rest of the time is the machine's: the program can't tell a wait for a CPU from its cause.
    ok(met > 0 and found >= 0.85 * least * met and 0.9 * took <= found + rest + answer["ordinary_ns"] and found <= 1.1 * took + 3e6,
       f"{name}: {finding} takes the time that the program measured, but for waits for a CPU",
       (met, took, found, rest, answer["text"], [(f["finding"], f["text"], f["ns"]) for f in answer["findings"]]))
    ok(abs(sum(f["ns"] for f in answer["findings"]) - answer["lateness_ns"]) <= len(answer["findings"]),
       f"{name}: the findings add up to the lateness")


with tempfile.TemporaryDirectory() as folder:
    for source, list_ in (("late", CAUSES), ("served", SERVED if LONGER else ())):
        program = os.path.join(folder, source)
        built = run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-pthread", os.path.join(HERE, "lib", source + ".c"),
                     "-o", program])
        if ok(built.returncode == 0, f"{source} is built", built.stderr):
            for name, finding in list_:
                cause(folder, program, name, finding)
tap.done()
