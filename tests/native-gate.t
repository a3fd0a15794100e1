#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""gate on this machine: runs and records commands, with differences that no load of the machine can hide."""
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
from tap import FXTREC, ok, run

LOOP = "i=0; while [ $i -lt {} ]; do i=$((i+1)); done"
# The first look has 16 pairs.
LIMITS = ("--runs=128", "--seconds=300", "--foreign=99.9")


def gate(folder, *arguments):
    done = run([FXTREC, "gate", "--json", *LIMITS, *arguments], env=dict(os.environ, TMPDIR=folder))
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def whole(answer):
    """The runs without losses."""
    return [r for r in answer["runs"] if r.get("own_ns") and r.get("unknown_ns", 0) < r["wall_ns"] / 100]


def parts(run_of):
    names = ("ran", "crowd", "timer", "lock", "disk", "network", "pipe", "memory", "child", "stopped", "kernel", "other", "served")
    return sum(run_of.get(name + "_ns", 0) for name in names)


def in_turn(folder):
    short = LOOP.format(2000)
    status, said, err = gate(folder, f"--against=sh -c '{short}'", "--", "sh", "-c", LOOP.format(20000))
    ok(status == 3 and said["answer"] == "slower" and said["paired"] and said["changes"]["cpu_ns"]["low"] > 0.5 and not err,
       "ten times as many steps: slower, exit 3", (status, err, said and said["text"]))
    ok(len(said["runs"]) == len(said["against"]) >= 16, "both commands ran as often", (len(said["runs"]), len(said["against"])))
    status, said, err = gate(folder, "--against=sleep 0.002", "--", "sleep", "0.5")
    ok(status == 3 and said["figure"] == "own_ns" and said["changes"]["own_ns"]["low"] > 1, "a longer sleep: slower by its own time",
       (status, err, said and said["text"]))
    tap.all_of("a sleep is a timer's, and as long as it is", whole(said), lambda r: 495e6 < r["timer_ns"] < 5e9 and r["cpu_ns"] < 250e6, least=8)
    tap.all_of("own and foreign parts aren't longer than the run", whole(said), lambda r: r["own_ns"] <= r["wall_ns"] and
               abs(parts(r) - r["own_ns"]) < 1e4, least=8)
    status, said, err = gate(folder, "--limit=1000", "--against=true", "--", "true")
    ok(status == 0 and said["answer"] in ("same", "unsure"), "the same command: not slower, exit 0", (status, err, said and said["text"]))


def stored(folder):
    path, tree = os.path.join(folder, "before.json"), "{0} & {0} & wait"
    status, said, err = gate(folder, "--runs=40", f"--save={path}", "--", "sh", "-c", LOOP.format(2000))
    ok(status == 0 and said["answer"] == "measured" and len(json.load(open(path))["runs"]) == 40, "a baseline is stored", (status, err))
    loop = "(" + LOOP.format(20000) + ")"
    status, said, err = gate(folder, f"--baseline={path}", "--", "sh", "-c", tree.format(loop))
    ok(status == 3 and not said["paired"], "against it, children count, too: slower, exit 3", (status, err, said and said["text"]))
    used = json.load(open(path))["medians"]["cpu_ns"]
    tap.all_of("the CPU time is that of both children", whole(said), lambda r: r["cpu_ns"] > 4 * used, least=8)


def failures(folder):
    for command, why in (("false", "false: it ended with status 1"), ("/nonesuch", "/nonesuch: No such file")):
        status, said, err = gate(folder, "--", command)
        ok(status == 1 and said is None and why in err, f"{command}: exit 1", (status, err))
    process = subprocess.Popen([FXTREC, "gate", "--seconds=300", "--", "sleep", "0.05"], env=dict(os.environ, TMPDIR=folder),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not any(os.path.exists(os.path.join(folder, name, "runs.fxt")) for name in os.listdir(folder) if name.startswith("fxtrec-gate.")):
        time.sleep(0.05)
        if process.poll() is not None:
            break
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=100)
    ok(process.returncode == 1 and err == "fxtrec: interrupted: no verdict\n" and not out, "a signal ends it: exit 1", (process.returncode, err))
    ok(not [name for name in os.listdir(folder) if name.startswith("fxtrec-gate.")], "no recording is left", os.listdir(folder))


with tempfile.TemporaryDirectory() as folder:
    in_turn(folder)
    stored(folder)
    failures(folder)
tap.done()
