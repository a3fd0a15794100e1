#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Idle threads of other recorders and of starting kernels: a CPU that runs one is idle."""
import json
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import IDLE, File


def report_of(path):
    return json.loads(tap.run([tap.FXTREC, "report", "--json", path]).stdout)


def idle_threads(folder):
    """Idle threads are none, whatever their ids: of Fuchsia each CPU has its own; of a kernel that starts, they are woken."""
    path = os.path.join(folder, "idle.fxt")
    modern = File().switch(1000, 0, 11, 3122, 3, 4097, IDLE).wakeup(8000, 0, 11, 3122).wakeup(8500, 0, 4097, IDLE)
    modern.switch(9000, 0, 4097, IDLE, 2, 11, 3122).switch(20000, 0, 11, 3122, 3, 4097, IDLE)
    legacy = File()
    for time, prev, prev_prio, following, next_prio in ((1000, (7, 11), 16, (0, 4097), 0), (9000, (0, 4097), 0, (7, 11), 16),
                                                        (20000, (7, 11), 16, (0, 4097), 0)):
        legacy.add(8 | 3 << 24 | prev_prio << 44 | next_prio << 52, struct.pack("<QQQQQ", time, *prev, *following))
    for name, f in (("by their weight", modern), ("by process 0 and priority 0", legacy)):
        with open(path, "wb") as out:
            out.write(f.data)
        made, forms = report_of(path), []
        tap.ok([t["tid"] for t in made["threads"]] == [11] and made["cpus"][0]["idle_ns"] == 8000 and
               made["cpus"][0]["busy_ns"] == 11000, f"idle threads {name}", made)
        for suffix in ("fxt", "txt", "html", "json", "pftrace"):
            other = os.path.join(folder, "idle_converted." + suffix)
            done = tap.run([tap.FXTREC, "convert", path, "-o", other])
            again = report_of(other) if not done.returncode else None
            if not again or [again[key] for key in ("threads", "cpus")] != [made[key] for key in ("threads", "cpus")]:
                forms.append((suffix, done.stderr, again))
        tap.ok(not forms, f"idle threads {name}: converted", forms)
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(f"  {name} [000] d..2. 1.{time}: {event}\n" for name, time, event in (
            ("swapper/0-0", "100000", "sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
             "next_comm=a next_pid=2 next_prio=120"),
            ("a-2", "200000", "sched_waking: comm=swapper/0 pid=0 prio=120 target_cpu=000"),
            ("a-2", "250000", "sched_wakeup_new: comm=swapper/0 pid=0 prio=120 target_cpu=000"),
            ("a-2", "300000", "sched_switch: prev_comm=a prev_pid=2 prev_prio=120 prev_state=S ==> "
             "next_comm=swapper/0 next_pid=0 next_prio=120"))))
    report = report_of(path)
    tap.ok([t["tid"] for t in report["threads"]] == [2] and report["cpus"][0]["runnable_max"] == 1,
           "an idle thread that is woken isn't runnable", report)


def main():
    with tempfile.TemporaryDirectory() as folder:
        idle_threads(folder)
    tap.done()


main()
