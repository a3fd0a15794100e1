#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Thousands of processes that live for a moment: each of their threads has its name."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap

COUNT = tap.amount("COUNT", 2000, 5000)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "names.fxt")
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "-o", path, "--",
                    os.path.join(tap.TOP, "build", "tests", "forks"), str(COUNT)])
    tap.note(done.stderr)
    tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, "recorded, nothing lost",
           done.stderr)
    r = judge.load(path)
    judge.judge_itself(r, path, "forks", judge.process_one(r))
    # A third of the processes starts a named thread, the others run another program.
    threads = {n for of in r.names.values() for _, n in of if n.startswith("short-")}
    tap.ok(len(threads) == (COUNT + 2) // 3, "every renamed thread is there by its name",
           len(threads))
    # Others on this machine may run a program of that name.
    ran = sum({"forks", "exe"} <= {n for _, n in of} for of in r.names.values())
    tap.ok(ran == COUNT - (COUNT + 2) // 3, "every program that was run is there by its name", ran)
    parents = {p for t, p in r.process_of.items() if any(n.startswith("short-") for _, n in r.names[t])}
    tap.ok(parents <= set(r.processes), "their processes are named too", parents - set(r.processes))
tap.done()
