#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A recorder in a control group with little CPU time tells what its rings could not hold meanwhile, and obeys."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import groups
import judge
import overflow
import recorder
import tap

PERIOD_US = 100000
# Where it has all that it needs, though not at once; and where a run of the drain takes longer than a period.
ENOUGH_US, SHORT_US = 20000, 1000


def inside(group):
    """What starts a command there, whose threads may have no real-time priority, which no such limit is for."""
    return [*groups.inside(group), "setpriv", "--bounding-set=-sys_nice"]


def ended(process, what):
    began = time.monotonic()
    said = recorder.end(process)
    tap.note(f"{what}: ended after {time.monotonic() - began:.2f} s")
    tap.ok(process.returncode == 0, f"{what}: it ends", said)
    return said


def recording(folder, group):
    path, before = os.path.join(folder, "enough.fxt"), groups.throttled(group)
    # Rings for 2 s of this load, where the default is a fourth of one.
    process = recorder.start(["--backend=bpf", "--no-marks", "-b32M", "-o", path], inside(group))
    with recorder.busy():
        time.sleep(3)
        said = ended(process, "a fifth of a CPU")
    tap.ok(groups.throttled(group) > before, "a fifth of a CPU: it was throttled")
    tap.ok("nothing lost" in said, "a fifth of a CPU: the rings hold what comes meanwhile", said)
    recording = judge.load(path)
    judge.judge_itself(recording, path, "a fifth of a CPU", judge.process_one(recording))


def snapshots(folder, group):
    path = os.path.join(folder, "flight.fxt")
    process = recorder.start(["--flight", "--backend=bpf", "--no-marks", "-o", path], inside(group))
    with recorder.busy():
        for number in range(3):
            time.sleep(0.5)
            began = time.monotonic()
            done = tap.run([tap.FXTREC, "snapshot"], timeout=600)
            tap.note(f"snapshot {number + 1} after {time.monotonic() - began:.2f} s")
            tap.ok(done.returncode == 0, "a fifth of a CPU: a snapshot", done.stderr)
            judge.judge_valid(done.stdout.strip(), "a fifth of a CPU, snapshot")
        ended(process, "a fifth of a CPU, flight recorder")


def short(group):
    """A load for an overflow, once the recorder's group has little."""
    def load(process, loops):
        before = groups.throttled(group)
        groups.limit(group, SHORT_US, PERIOD_US)
        overflow.pipe(loops)
        tap.ok(groups.throttled(group) > before, "a hundredth of a CPU: it was throttled")
        ended(process, "a hundredth of a CPU")
    return load


if os.geteuid() or not groups.root_of("cpu"):
    tap.skip("a recorder with little CPU time", "only root may" if os.geteuid() else "no control groups of cpu")
    tap.done()
with tempfile.TemporaryDirectory() as folder:
    names = [f"fxtrec-quota-{os.getpid()}-{name}" for name in ("enough", "short")]
    with groups.made("cpu", names) as (enough, little):
        for group in (enough, little):
            groups.limit(group, ENOUGH_US, PERIOD_US)
            # Beside others it would have less than that, and not be throttled.
            groups.prefer(group)
        recording(folder, enough)
        snapshots(folder, enough)
        out = os.path.join(folder, "short")
        overflow.provoke(out, "bpf", 40000, True, short(little), inside(little))
        overflow.judge(out, "a hundredth of a CPU", quirks=True)
tap.done()
