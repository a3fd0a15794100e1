#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec top of this machine: what it says of each second is what the report of the recording says of it."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from laps import differing, said

LAPS = tap.amount("LAPS", 3, 20)


def live(folder):
    path = os.path.join(folder, "kept.fxt")
    done = tap.run([tap.FXTREC, "top", "--batch", "--json", f"-n{LAPS}", "-o", path, "--backend=bpf"])
    if not tap.ok(done.returncode == 0 and not done.stderr, "top --batch of this machine", done.stderr):
        return
    laps = [json.loads(line) for line in done.stdout.splitlines()]
    tap.ok(len(laps) == LAPS, f"{LAPS} laps", f"{len(laps)}")
    gaps = [(a["to_ns"], b["from_ns"]) for a, b in zip(laps, laps[1:]) if a["to_ns"] != b["from_ns"]]
    tap.ok(not gaps and all(lap["to_ns"] - lap["from_ns"] == 1_000_000_000 for lap in laps),
           "a second each, one behind the other", gaps)
    me = [row for lap in laps for row in lap["threads"] if row["run_ns"] > 0]
    tap.ok(me and sum(cpu["busy_ns"] for lap in laps for cpu in lap["cpus"]) > 0, "threads ran")
    for lap in laps:
        report = said("report", "--json", f"--time=@{lap['from_ns']},@{lap['to_ns']}", path)[0]
        # A thread may have another name, and a process be described, by the end of the recording.
        ignored = ("comm", "process", "cgroup", "container", "pid", "wakers")
        why = differing(lap, report, not report["lost"], ("version", "clock", "from_ns", "to_ns", "lost"), ignored)
        tap.ok(not why, "the report of the same time says the same", why)
    done = tap.run([tap.FXTREC, "check", path])
    tap.ok(done.returncode == 0, "what is kept is a whole recording", done.stdout + done.stderr)


def ended():
    """By a signal; the recorder doesn't outlive it."""
    top = subprocess.Popen([tap.FXTREC, "top", "--batch", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    line = top.stdout.readline()
    children = open(f"/proc/{top.pid}/task/{top.pid}/children", encoding="ascii").read().split()
    top.send_signal(signal.SIGTERM)
    _, said_then = top.communicate(timeout=30)
    tap.ok(line.startswith("{") and top.returncode == 0 and not said_then, "SIGTERM ends it",
           f"{top.returncode}: {said_then}")
    time.sleep(0.1)
    tap.ok(len(children) == 1 and not os.path.exists(f"/proc/{children[0]}"), "and its recorder")


def main():
    folder = tempfile.mkdtemp()
    live(folder)
    ended()
    tap.fails(["top", "--batch", "-n1", "-b", "1"], 2, "sub-buffers", "what the recorder doesn't take is said")
    tap.fails(["top", "--batch", "-o", folder], 1, "directory", "a directory is no file")
    tap.done()


main()
