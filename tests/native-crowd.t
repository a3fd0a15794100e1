#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Beside thousands of threads, and one that renames itself as fast as it can: nothing else is lost, whatever is written."""
import os
import re
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import recorder
import tap
from tap import FXTREC, ok, run

PROGRAMS = os.path.join(tap.TOP, "build", "tests")
THREADS = tap.amount("THREADS", 12000, 24000)
COUNT = 1000
# Not that of other tests' short-lived threads.
NAME = "crowded"
# Some milliseconds of the load below: far less than it takes to list the threads.
BUFFER = "1M"
FILES = 5
# Where the host takes a CPU away for longer than that, a recording of it proves nothing.
TRIES = 5


def rotated(folder):
    """Each file's beginning names all threads, and the rings are drained meanwhile."""
    for number in range(TRIES):
        path = os.path.join(folder, f"rotated-{number}")
        with recorder.busy(), recorder.busy():
            process = recorder.start(["--backend=bpf", "--no-marks", "-b", BUFFER, "--rotate=200ms", "-o", path + ".fxt"])
            recorder.files_begin(path, FILES + 1)
            said = recorder.end(process)
        tap.note(said)
        if "nothing lost" in said:
            break
    ok("nothing lost" in said, f"a rotation beside {THREADS} threads loses nothing", said)
    parts = sorted(name for name in os.listdir(folder) if name.startswith(f"rotated-{number}."))
    threads = [len(judge.load(os.path.join(folder, part)).names) for part in parts]
    ok(len(parts) >= FILES and min(threads) > THREADS, f"each of {len(parts)} files names them", threads)


def judge_names(r, name, counted, first=0):
    """Threads that were born from the first number on, and that renamed themselves once, are all there; of the noise the count is."""
    short = {int(n.rpartition("-")[2]) for of in r.names.values() for _, n in of if n.startswith(NAME + "-")}
    first = min(short, default=COUNT) if first is None else first
    wanted = set(range(first, COUNT, 3))
    ok(short and short == wanted, f"{name}: every renamed thread from {first} on is there by its name", sorted(short ^ wanted)[:5])
    ran, others = judge.renamed(r, NAME, "exe"), COUNT - first - len(wanted)
    # Two ran between the first and the one before it, which is none of the snapshot's.
    ok(others <= ran <= others + (2 if first else 0), f"{name}: every program that was run is there by its name", (ran, others))
    ok(counted and r.losses and {loss.cause for loss in r.losses} == {"renamed again"} and not r.unrecorded,
       f"{name}: renames are left out, and nothing else", (counted, r.losses[:3], r.unrecorded))


def renamed(folder):
    """A recording of a thread that renames itself all the time, and of others."""
    for number in range(TRIES):
        path = os.path.join(folder, f"renamed-{number}.fxt")
        process = recorder.start(["--backend=bpf", "--no-marks", "-b", BUFFER, "-o", path])
        with recorder.program("renames") as noise:
            run([os.path.join(PROGRAMS, "forks"), str(COUNT), NAME])
            noise.stdin.close()
            renames = int(noise.stdout.readline().split()[0])
            noise.wait()
        said = recorder.end(process)
        tap.note(said)
        left_out = re.search(r"nothing lost but (\d+) renames", said)
        if left_out:
            break
    ok(left_out and int(left_out[1]) < renames + COUNT, f"renamed: nothing lost but some of {renames} renames, counted",
       said)
    r = judge.load(path)
    judge_names(r, "renamed", left_out)
    last = {tid: sorted(of)[-1][1] for tid, of in r.names.items()}
    ok(last.get(noise.pid) == "noise-end", "renamed: the name that it had in the end is there", last.get(noise.pid))
    valid = run([FXTREC, "check", path])
    ok(valid.returncode == 0, "renamed: the file is valid", valid.stdout)


def covered(r):
    """From when on the snapshot holds all events of each CPU, and all renames."""
    since = {dict(args)["cpu"]: dict(args)["since"] for _, _, _, name, args in r.instants if name == "covered"}
    return since, next(dict(args)["since"] for _, _, _, name, args in r.instants if name == "snapshot")


def snapshot(folder):
    """A flight recorder beside both."""
    process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-b", "16M",
                              "-o", os.path.join(folder, "flight.fxt")])
    with recorder.program("renames"):
        for _ in range(3):
            run(["sleep", "1"])
        began = time.monotonic_ns()
        run([os.path.join(PROGRAMS, "forks"), str(COUNT), NAME])
        said = run([FXTREC, "snapshot", str(process.pid)])
    ok(said.returncode == 0, "snapshot: it is answered", said.stderr)
    r = judge.load(os.path.join(folder, "flight.0001.fxt"))
    scheduling, renames = covered(r)
    # Where that is not all of their time, it holds them from one of them on.
    whole = all(r.monotonic(since) <= began for since in scheduling.values())
    tap.note(f"snapshot: it covers {'all' if whole else 'a part'} of the time of {COUNT} births")
    judge_names(r, "snapshot", "rename again and again" in recorder.end(process), 0 if whole else None)
    # A CPU on which much else ran has forgotten its first events.
    first = {cpu: events[0][0] for cpu, events in r.events.items() if events}
    ok(first and all(scheduling[cpu] <= first[cpu] for cpu in first) and renames <= min(first.values()),
       "snapshot: what it covers doesn't depend on names", (scheduling, renames, first))


with tempfile.TemporaryDirectory() as folder:
    with recorder.program("crowd", str(THREADS)) as crowd:
        crowd.stdout.readline()
        rotated(folder)
        renamed(folder)
        snapshot(folder)
tap.done()
