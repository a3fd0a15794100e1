#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Delays as triggers, by eBPF on this machine: reported exactly, caught, and never seen where there are none."""
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import delays
import recorder
import tap

ROUNDS = tap.amount("ROUNDS", 5, 20)
SECONDS = tap.amount("SECONDS", 5., 10.)
# No load delays a thread of its own for so long; an entry that nobody took back is as old as it likes.
NEVER_S = 8
LOAD = ("while :; do perf bench sched pipe -l 20000; perf bench sched messaging -g 2 -l 100; "
        "for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done; done")


def none(folder):
    """
    Under load no trigger comes by itself: the one snapshot is what the recorder was asked for.  Other tests have
    threads that run where nothing else does, and some that are stuck: these may wait for longer.
    """
    path = os.path.join(folder, "none")
    with recorder.busy(["sh", "-c", LOAD]) as load:
        process = delays.flight(path + ".fxt", "bpf", ["--no-marks", "-p", str(load.pid), f"--trigger=latency>{NEVER_S}s",
                                                       f"--trigger=dsleep>{NEVER_S}s"])
        time.sleep(NEVER_S + SECONDS)
    asked = delays.ask(process.pid)
    said = recorder.end(process)
    tap.ok(process.returncode == 0 and delays.files(path) == [asked[3:]] and "1 snapshot" in said,
           f"{NEVER_S + SECONDS:.0f} s of load: no trigger", (delays.files(path), said))


def overslept(folder):
    """A sleep that nothing interrupts, of a process that is chosen."""
    path = os.path.join(folder, "sleeps")
    done = tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", "--flight", "-o", path + ".fxt",
                    "--only-command", "--trigger=dsleep>100ms", "--", delays.SLEEPS, "1", "150"])
    said = "".join(done.stderr)
    paths = delays.files(path)
    late = delays.reported(delays.load(paths[0]), "dsleep") if paths else []
    tap.ok(done.returncode == 0 and len(paths) == 1 and "snapshot (dsleep)" in said and len(late) == 1
           and 100000000 < late[0][1] < 60000000000, "a vfork()ing parent's sleep is caught",
           (paths, late, said))


with tempfile.TemporaryDirectory() as temporary:
    delays.judge_exact(delays.exact_undisturbed(os.path.join(temporary, "exact"), "bpf", LOAD), "natively")
    delays.caught(os.path.join(temporary, "caught"), "bpf", ROUNDS, quirks=True)
    delays.judge_caught(os.path.join(temporary, "caught"), "natively")
    overslept(temporary)
    tap.ok(*delays.renamed(os.path.join(temporary, "renamed"), "bpf"))
    none(temporary)
tap.done()
