#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Events beside scheduling by module and eBPF, on Debian's kernels in virtual machines; ftrace is the oracle."""
import glob
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import events
import judge
import judge_stacks
import tap
import vm
from judge_events import judge_events, judge_tracepoints
from tap import ok

KERNELS = tap.amount("KERNELS", "6.12", "6.1 6.12").split()
ROUNDS = tap.amount("ROUNDS", 1, 3)
# The less the host takes from the guest there, the more often none does.
os.environ.setdefault("VM_NICE", "-15")
# And so long where the host has other work: where one stream begins in the other's is looked for there.
events.NEAR_NS = 500000000


def paired(path, what):
    """Where events were lost, each end in the file still has its begin."""
    recording = judge.load(path)
    judge.judge_valid(path, what)
    begun = {}
    wrong = []
    for e in sorted(recording.durations, key=lambda e: e.ticks):
        stream = e.tid if not e.thread_index else (e.cpu, e.thread_index)
        if e.kind == "B":
            wrong += [e] if stream in begun else []
            begun[stream] = e.name
        else:
            name = begun.pop(stream, None)
            wrong += [e] if name is None or e.name not in ("", name) else []
    ok(not wrong and len(recording.durations) > 1000,
       f"{what}: each end has its begin, {len(recording.durations)} in all", wrong[:3])
    return recording


def same_sequence(kernel, what, ours, least, unrecorded=0):
    """Both producers' streams, one by one, but for events that they reported as not recorded."""
    kmod, bpf = ours["kmod"], ours["bpf"]
    problems, compared = [], 0
    for stream, records in bpf.items():
        start = events.place(records, kmod.get(stream, []))
        theirs = [] if start is None else kmod[stream][start:start + len(records)]
        compared += len(records)
        if [k for _, k in records] != [k for _, k in theirs]:
            problems.append((stream, records[:2], theirs[:2]))
    ok(len(problems) <= unrecorded and compared >= least,
       f"{kernel}: module and eBPF record the same {what}, {compared} of them", problems[:3])


def frequency_build(kernel):
    """The module by which a virtual machine has frequencies, where fxtrec.ko is."""
    base = os.path.join(tap.TOP, "build", "kernels", kernel)
    kdir, release = (open(os.path.join(base, name), encoding="ascii").read().strip()
                     for name in ("kdir", "release"))
    work = os.path.join(tap.TOP, "build", release, "frequency")
    shutil.copytree(os.path.join(tap.TOP, "tests", "frequency"), work, dirs_exist_ok=True)
    done = tap.run(["make", "-s", "-C", os.path.join(tap.TOP, kdir), "M=" + work,
                    "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules"])
    ok(done.returncode == 0, f"{kernel}: a module of frequencies is built", done.stdout + done.stderr)


for kernel in KERNELS:
    frequency_build(kernel)
    with tempfile.TemporaryDirectory() as out:
        if not vm.boot(kernel, out, "guest_events.py", [ROUNDS]):
            continue
        streams, stacks = {}, {}
        for backend in ("kmod", "bpf"):
            path = os.path.join(out, f"groups-{backend}.fxt")
            streams[backend] = judge_events(judge.load(path), path, os.path.join(out, "groups.txt"),
                                            f"{kernel}, {backend}", 5000)
            lossy = paired(os.path.join(out, f"lossy-{backend}.fxt"), f"{kernel}, {backend}, lossy")
            ok(any(loss.ring == 2 for loss in lossy.losses),
               f"{kernel}, {backend}: lost events are in the file where they were lost")
            snapshots = sorted(glob.glob(os.path.join(out, f"flight-{backend}.*.fxt")))
            ok(len(snapshots) == 3, f"{kernel}, {backend}: three snapshots", snapshots)
            for path in snapshots:
                paired(path, f"{kernel}, {backend}, {os.path.basename(path)}")
        for backend in ("kmod", "bpf"):
            path = os.path.join(out, f"stacks-{backend}.fxt")
            stacks[backend] = judge_stacks.streams(judge.load(path))
            judge_stacks.judge_each(judge.load(path), path, f"{kernel}, {backend}", "SDITtP")
        same_sequence(kernel, "stacks", stacks, 500)
        same_sequence(kernel, "events", streams, 5000)
        for number, group in enumerate(events.TRACEPOINTS):
            tracepoints, unrecorded = {}, 0
            for backend in ("kmod", "bpf"):
                path = os.path.join(out, f"tracepoints-{number}-{backend}.fxt")
                recording = judge.load(path)
                unrecorded += recording.unrecorded
                tracepoints[backend] = judge_tracepoints(
                    recording, path, os.path.join(out, f"tracepoints-{number}.txt"),
                    f"{kernel}, {backend}, {group}", group, 100)
            same_sequence(kernel, group, tracepoints, 100, unrecorded)
tap.done()
