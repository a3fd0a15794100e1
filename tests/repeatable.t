#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The same file gives the same bytes in each run, though tables hash with another key each time."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import ASYNC_BEGIN, BEGIN, File, Unsigned

FIRST = (1 << 22) + 5    # beyond the ids that Linux gives, which tables have in order
THREADS = 40
START, STEP = 1_000_000_000, 1000
RUNS = 3
WRITTEN = [["convert", "-o", name] for name in ("t.fxt", "t.txt", "t.json", "t.html", "t.pftrace")] + [
    ["convert", "--to=json-array", "-o", "array.json"], ["convert", "--system-events=fuchsia", "-o", "fuchsia.json"],
    ["page", "-o", "page.html"]]
PRINTED = [
    ["report", "--json"], ["report", "--json", "--by=process"], ["report", "--by=cpu"],
    ["blame", "--json"], ["explain", "--json"], ["blame", "--sleep", "--sort=times"], ["path", "--json", "--comm=*"], ["path", "--comm=*"], ["timehist", "--json"],
    ["top", "--batch", "--json"],
    ["query", "SELECT * FROM slice"], ["query", "SELECT * FROM thread"], ["query", "SELECT * FROM thread_state"]]


def trace():
    """Threads that are alike in all but their ids: each of them waits, runs, and leaves slices open."""
    f = File().provider(1, "fxtrec").named(0, 0, "swapper", leader=True)
    tids = [FIRST + 13 * i for i in range(THREADS)]
    for tid in tids:
        f.named(tid, tid, "alike", START - 1, leader=True)
        for event in (BEGIN, ASYNC_BEGIN):
            f.event(event, START, tid, tid, "work", "open", [("of", Unsigned(tid))],
                    tid if event == ASYNC_BEGIN else None)
    f.cpu(0)
    time, running = START, 0
    for tid in 2 * tids:
        f.wakeup(time, 0, tid, 120, running)
        f.switch(time + STEP, 0, running, 120, 3, tid, 120)
        time, running = time + 2 * STEP, tid
    return f.data


def run(folder, options):
    """What a command prints, or writes: the name of a file comes right behind its own."""
    done = tap.run([tap.FXTREC, options[0], "in.fxt", *options[1:]], cwd=folder)
    if "-o" not in options:
        return done.returncode, done.stdout.encode()
    with open(os.path.join(folder, options[-1]), "rb") as f:
        return done.returncode, f.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in.fxt"), "wb") as f:
            f.write(trace())
        for options in WRITTEN + PRINTED:
            runs = [run(folder, options) for _ in range(RUNS)]
            status, first = runs[0]
            tap.ok(status == 0 and len(first) > 100 and all(each == runs[0] for each in runs), " ".join(options),
                   f"exit {status}, {len(first)} bytes, {len(set(runs))} outputs")
    tap.done()


main()
