#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A machine whose power fails while it records: the file reads, and lacks a second at most."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap
import vm

KERNEL = os.environ.get("KERNEL", "6.12")
DIED = 126
# What --flush says, and what a guest under emulation takes to write.
LATE_NS = 1_500_000_000


def power(out, disk, part):
    return subprocess.run(
        [os.path.join(tap.TOP, "scripts", "vm-run"), "-k", KERNEL, "-c", "4", "-t", str(vm.TIMEOUT), "-d", disk,
         "-o", out, "--", "env", "FXTREC=" + tap.FXTREC, sys.executable,
         os.path.join(vm.LIB, "power.py"), "/out", part],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


with tempfile.TemporaryDirectory() as folder:
    disk = os.path.join(folder, "disk")
    with open(disk, "wb") as f:
        f.truncate(2 << 30)
    run = power(folder, disk, "cut")
    cut_at = os.path.join(folder, "cut")
    tap.ok(run.returncode == DIED and os.path.exists(cut_at), "the power fails", run.stdout[-2000:])
    if vm.boot(KERNEL, folder, "power.py", ["after"], options=["-d", disk]):
        with open(cut_at) as f:
            cut, sync = map(int, f.read().split())
        # What is written while a sync goes on is in the next one.
        late = LATE_NS + 2 * sync
        tap.note(f"a sync took up to {sync / 1e9:.3f} s")
        for backend in ("kmod", "bpf"):
            path = os.path.join(folder, backend + ".fxt")
            recording = judge.load(path)
            ends = {cpu: recording.monotonic(events[-1][0])
                    for cpu, events in recording.events.items() if events}
            last = max(ends.values())
            tap.note(f"{backend}: {sum(map(len, recording.events.values()))} events, the last "
                     f"{(cut - last) / 1e9:.3f} s before the power failed")
            # The note of when it fails is written first, and recorded meanwhile.
            tap.ok(-LATE_NS < cut - last <= late, f"{backend}: the last second alone is missing, and what two syncs take",
                   (cut - last, sync))
            judge.judge_itself(recording, path, backend)
tap.done()
