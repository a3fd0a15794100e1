#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Scheduling in an array of JSON: what each CPU ran, and each thread's states, as durations."""
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import File
from simulated import Machine

RUNNING, BLOCKED = 1, 3


def main():
    with tempfile.TemporaryDirectory() as folder:
        def array(data):
            """Durations by row: (process's name, thread's name), and what was said."""
            source, target = os.path.join(folder, "a.fxt"), os.path.join(folder, "a.json")
            with open(source, "wb") as f:
                f.write(data)
            done = tap.run([tap.FXTREC, "convert", source, "-o", target, "--to=json-array"])
            with open(target) as f:
                events = json.load(f)
            process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
            thread = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
            rows = {}
            for e in events:
                if e.get("cat") == "sched" and e["ph"] == "X":
                    row = rows.setdefault((process[e["pid"]], thread[e["pid"], e["tid"]]), [])
                    row.append((e["ts"], round(e["ts"] + e["dur"], 3), e["name"], e["args"]))
            return {row: sorted(durations, key=lambda d: d[:2]) for row, durations in rows.items()}, done.stderr

        data = (File().named(10, 11, "worker", 1).cpu(0).switch(1000, 0, 0, 120, RUNNING, 11, 98)
                .switch(2500, 0, 11, 98, BLOCKED, 0, 120, "D").wakeup(4000, 0, 11, 98, waker=12)
                .switch(4500, 0, 0, 120, RUNNING, 11, 98).switch(5000, 0, 11, 98, RUNNING, 12, 120, "R+")
                .switch(6000, 0, 12, 120, BLOCKED, 11, 98).data)
        rows, said = array(data)
        tap.ok(rows.get(("CPUs", "cpu 0")) == [
            (1, 2.5, "worker", {"tid": 11, "prio": 98}), (4.5, 5, "worker", {"tid": 11, "prio": 98}),
            (5, 6, "thread 12", {"tid": 12, "prio": 120}), (6, 6, "worker", {"tid": 11, "prio": 98})] and not said,
            "what a CPU ran; gaps are idle", rows)
        tap.ok(rows.get(("thread states", "worker 11")) == [
            (1, 2.5, "running", {"cpu": 0}), (2.5, 4, "uninterruptible", {}), (4, 4.5, "runnable", {"waker": 12}),
            (4.5, 5, "running", {"cpu": 0}), (5, 6, "preempted", {}), (6, 6, "running", {"cpu": 0})],
            "a thread's states", rows)
        tap.ok(rows.get(("thread states", "thread 12")) == [(5, 6, "running", {"cpu": 0}), (6, 6, "sleeping", {})],
               "a thread without a name", rows)
        data = (File().cpu(0).switch(1000, 0, 0, 120, RUNNING, 11, 98).event(0, 1500, 1, 1, "x", "x").full(256)
                .switch(9000, 0, 12, 98, BLOCKED, 11, 120).switch(9500, 0, 11, 98, BLOCKED, 0, 120).data)
        rows, said = array(data)
        tap.ok([d[:3] for d in rows.get(("CPUs", "cpu 0"), ())] == [(1, 1.5, "thread 11"), (9, 9.5, "thread 11")],
               "behind a loss it isn't known what runs", rows)

        machine = Machine(random.Random(3), 4, 30, 4000).trace()
        rows, said = array(machine)
        overlaps = [(row, a, b) for row, durations in rows.items() for a, b in zip(durations, durations[1:]) if a[1] > b[0] + 0.002]
        tap.ok(not overlaps, "no two durations of a row overlap", overlaps[:3])
        ran = {}
        for (process, _), durations in rows.items():
            for begin, end, name, args in durations:
                if process == "CPUs":
                    ran[args["tid"]] = ran.get(args["tid"], 0) + end - begin
                elif name == "running":
                    ran[_.split()[-1]] = ran.get(_.split()[-1], 0) + end - begin
        wrong = {t: (spent, ran.get(str(t))) for t, spent in ran.items()
                 if isinstance(t, int) and abs(spent - ran.get(str(t), 0)) > 1}
        tap.ok(len(ran) > 20 and not wrong, "CPUs and threads agree on how long each thread ran", wrong)
    tap.done()


main()
