#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Recordings of chosen threads, by eBPF on this machine, beside one of everything at the same time: what the chosen
waited for is the same in both, and events of others beside scheduling are left out.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import filters
import recorder
import tap

# A process that computes and sleeps, as the two that it makes do.
LOAD = """import os, random, sys, time
sys.stdin.readline()
seed = 0
for child in (1, 2):
    if not os.fork():
        seed = child
        break
rng = random.Random(seed)
end = time.monotonic() + 2
while time.monotonic() < end:
    until = time.monotonic() + rng.random() * 0.004
    while time.monotonic() < until:
        pass
    if seed != 1:
        time.sleep(rng.random() * 0.003)
seed or [os.wait() for _ in range(2)]
"""
# Shares of a wait: two recorders' times of one switch differ, and a machine may stop between their probes.
NEAR, UNKNOWN = 0.1, 0.05


def loads(name, count):
    return [subprocess.Popen(["python3", "-c", LOAD], stdin=subprocess.PIPE, text=True, executable=name) for _ in range(count)]


def blamed(path):
    """By victim's id: (ns that it waited, ns by culprit); all lives of an id together."""
    done = tap.run([tap.FXTREC, "blame", "--waits=cpu", "--json", path])
    found = {}
    for victim in json.loads(done.stdout)["victims"] if not done.returncode else ():
        wait, culprits = found.get(victim["tid"], (0, {}))
        for c in victim["culprits"]:
            key = c["kind"], c.get("tid"), c.get("name")
            culprits[key] = culprits.get(key, 0) + c["ns"]
        found[victim["tid"]] = wait + victim["wait_ns"], culprits
    return found


def differing(whole, some, tids):
    wrong, waited = [], 0
    for tid in tids:
        (all_ns, all_of), (ns, of) = whole.get(tid, (0, {})), some.get(tid, (0, {}))
        waited += ns
        if abs(all_ns - ns) > NEAR * all_ns:
            wrong.append(f"{tid} waited {ns} of {all_ns}")
        wrong += [f"{tid}: {key}: {of.get(key)}, not {all_of.get(key)}" for key in {*of, *all_of} if key[0] != "unknown" and
                  abs(of.get(key, 0) - all_of.get(key, 0)) > NEAR * all_ns]
        unknown = of.get(("unknown", None, None), 0) - all_of.get(("unknown", None, None), 0)
        wrong += [f"{tid}: {unknown} ns more unknown"] if unknown > UNKNOWN * all_ns else []
    return wrong, waited


def blame(folder, group):
    name = os.path.join(folder, "waiter")
    os.symlink(os.path.realpath(sys.executable), name)
    (chosen,), others = loads(name, 1), loads(sys.executable, 1)
    with open(os.path.join(group, "cgroup.procs"), "w") as f:
        f.write(str(chosen.pid))
    ways = {"-p": ["-p", str(chosen.pid)], "-t": ["-t", str(chosen.pid)], "--comm": ["--comm", "waiter"],
            "--cgroup": ["--cgroup", group]}
    recorders = {}
    for way, options in {"all": [], **ways}.items():
        path = os.path.join(folder, f"{way.strip('-')}.fxt")
        recorders[way] = recorder.start(["--backend=bpf", "--no-marks", "-e", "irq", "-b", "32M", "-o", path, *options])
    for each in (chosen, *others):
        each.stdin.write("\n")
        each.stdin.flush()
    for each in (chosen, *others):
        each.wait(600)
    time.sleep(0.1)
    said = {way: recorder.end(each) if each.poll() is None else each.communicate()[1] for way, each in reversed(recorders.items())}
    whole = blamed(os.path.join(folder, "all.fxt"))
    for way in ways:
        path = os.path.join(folder, f"{way.strip('-')}.fxt")
        some = blamed(path)
        wrong, waited = differing(whole, some, [tid for tid, (ns, _) in whole.items() if tid in some and ns > 50_000_000])
        tap.ok(waited > 50_000_000 and not wrong, f"{way}: the chosen waited for the same as in a recording of all",
               (waited, wrong[:5], said[way]))
        tap.ok(os.path.getsize(path) < os.path.getsize(os.path.join(folder, "all.fxt")), f"{way}: it is smaller")


def events(folder):
    """System calls are those of chosen threads alone; the summary reports what a filter of threads does not apply to."""
    calls = "import os, time\nfor _ in range(200):\n    os.getppid()\n    time.sleep(0.001)"
    one, other = (subprocess.Popen([sys.executable, "-c", "input()\n" + calls], stdin=subprocess.PIPE, text=True) for _ in range(2))
    path = os.path.join(folder, "calls.fxt")
    recorded = recorder.start(["--backend=bpf", "--no-marks", "-e", "syscalls,power", "-o", path, "-p", str(one.pid)])
    for each in (one, other):
        each.communicate("\n")
    said = recorded.communicate(timeout=600)[1]
    lines = [line for line in tap.run([tap.FXTREC, "dump", path]).stdout.splitlines() if "syscalls" in line and "getppid" in line]
    of = {str(pid): sum(f" process={pid} " in line for line in lines) for pid in (one.pid, other.pid)}
    tap.ok(of[str(one.pid)] >= 200 and not of[str(other.pid)], "-e syscalls with -p: those of the process alone", (of, lines[:2]))
    tap.ok("power events are of all CPUs" in said, "-e power with -p: the summary says that it is of all CPUs", said)


with tempfile.TemporaryDirectory() as outer:
    inside = os.path.join(filters.cgroup_root(), f"fxtrec-waits-{os.getpid()}")
    os.mkdir(inside)
    try:
        blame(outer, inside)
        events(outer)
    finally:
        os.rmdir(inside)
tap.done()
