#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A recorder beside a crowd of threads, two that wake each other as fast as they can, and strangers: processes that share a stuck
memory map and rename themselves, a flood of marks, a thread that renames itself all the time, connections without an
offer, a kernel that logs the same trouble again and again.  A recording, one of the crowd's process, which makes short threads
all the while, a rotation, snapshots.  It prints figures, and fails where something is lost but what strangers made beyond their
share, a snapshot takes 2 s, a signal 1 s, or the start or the fork of a program that marks 1 ms more than without a recorder.
"""
import argparse
import contextlib
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))
import fuse
import marker
import recorder
import tap
from tap import FXTREC, run

AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
SNAPSHOT_S, SIGNAL_S, DELAY_MS = 2, 1, 1
TROUBLE = "INFO: task victim:1 blocked for more than 120 seconds."
# What is lost may be theirs.
STRANGERS = re.compile(r"nothing lost|of threads that rename again and again|lost \d+ marks of programs")
STARTS = 50
missed = []


def bound(name, value, most):
    if value > most:
        missed.append(f"{name}: {value:.3g}, bound {most:g}")


@contextlib.contextmanager
def strangers(folder, program):
    """All of another user, but for the kernel."""
    mount = fuse.Mount(os.path.join(folder, "mounted"))
    sharers = fuse.Stuck(mount, [*AS_NOBODY, os.path.join(tap.BUILD, "tests", "sharers"), "FILE", "80"])
    signal.alarm(0)
    flood = marker.Marker(program, AS_NOBODY)
    flood.send("hot 2 1000000000")
    idle = subprocess.Popen([*AS_NOBODY, sys.executable, "-c", f"""if True:
        import sys, time
        sys.path.insert(0, {os.path.join(TOP, "tests", "lib")!r})
        import marker
        kept = []
        while True:
            try:
                kept.append(marker.connect(65534)[0])
            except OSError:
                time.sleep(0.1)"""])
    kernel = subprocess.Popen(["sh", "-c", f"while sleep 0.2; do echo '{TROUBLE}' > /dev/kmsg; done"])
    try:
        yield
    finally:
        mount.end()
        sharers.end()
        flood.kill()
        for process in (idle, kernel):
            process.kill()
            process.wait()


def delays(program):
    """Medians and the longest of starts and forks of a program that marks, in ms, with a priority that no load has."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))
    try:
        took = {"start": [], "fork": []}
        for _ in range(STARTS):
            began = time.monotonic()
            p = marker.Marker(program)
            p.tell("state")
            took["start"].append(1000 * (time.monotonic() - began))
            began = time.monotonic()
            p.tell("fork")
            took["fork"].append(1000 * (time.monotonic() - began))
            p.end()
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return {what: (statistics.median(of), max(of)) for what, of in took.items()}

def end(process, name):
    """By SIGTERM: how long that takes, what it said, and with what it ended."""
    began = time.monotonic()
    said = recorder.end(process, 120)
    took = time.monotonic() - began
    print(f"{name}: SIGTERM obeyed in {took:.2f} s, status {process.returncode}")
    for line in said.splitlines():
        print("   ", line)
    bound(f"{name}: the end", took, SIGNAL_S)
    missed.extend(f"{name}: {line}" for line in said.splitlines() if re.search(r"\blost\b", line) and not STRANGERS.search(line))
    if process.returncode:
        missed.append(f"{name}: status {process.returncode}")


def valid(paths, name):
    broken = [path for path in paths if run([FXTREC, "check", path]).returncode]
    size = sum(os.path.getsize(path) for path in paths)
    print(f"{name}: {len(paths)} files, {size >> 20} MiB, {len(broken)} not valid")
    missed.extend(f"{path} is not valid" for path in broken)
    for path in paths:
        os.unlink(path)


def snapshots(process, folder, seconds, name):
    """One every two seconds: how long each takes until it is on the disk and answered."""
    took, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        said = run([FXTREC, "snapshot", str(process.pid)], timeout=120)
        took.append(time.monotonic() - began)
        if said.returncode:
            print(f"{name}: {said.stderr.strip()}")
        time.sleep(2)
    took.sort()
    bound(f"{name}: a snapshot", took[-1], SNAPSHOT_S)
    print(f"{name}: {len(took)} snapshots, median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s")


def parts(folder, stem):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if re.match(stem + r"(\.\d+)?(\.trigger)?\.fxt", name))


def start(options, folder, stem):
    began = time.monotonic()
    process = recorder.start(["--backend=" + options.backend, "-o", os.path.join(folder, stem + ".fxt"),
                              *options.record[stem]], seconds=300)
    print(f"{stem}: records after {time.monotonic() - began:.2f} s")
    return process


def recorded(options, folder, stem, program, alone):
    process = start(options, folder, stem)
    for what, (median, longest) in delays(program).items():
        print(f"{stem}: a {what} of a program takes {median:.2f} ms, {longest:.2f} ms at most; "
              f"without a recorder {alone[what][0]:.2f} ms, {alone[what][1]:.2f} ms at most")
        bound(f"{stem}: a {what}, ms", median - alone[what][0], DELAY_MS)
    if stem == "flight":
        snapshots(process, folder, options.seconds, stem)
    else:
        time.sleep(options.seconds)
    end(process, stem)
    valid(parts(folder, stem), stem)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=30000)
    parser.add_argument("--makers", type=int, default=4, help="of these, that make short ones")
    parser.add_argument("--seconds", type=float, default=60, help="of each")
    parser.add_argument("--backend", default="bpf")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, \
            recorder.program("crowd", str(options.threads), str(options.makers)) as crowd:
        os.chmod(folder, 0o755)
        crowd.stdout.readline()
        options.record = {"record": [], "process": ["-p", str(crowd.pid)], "rotate": ["--rotate=2s:5"],
                          "flight": ["--flight", "--keep=2"],
                          "trigger": ["--flight", "--keep=2", "--trigger=latency>2ms", "--trigger=log=*blocked for more than*"]}
        program = marker.build(folder)[0]
        with strangers(folder, program), recorder.program("renames"), recorder.busy():
            alone = delays(program)
            for stem in options.record:
                recorded(options, folder, stem, program, alone)
    for line in missed:
        print("MISSED", line)
    sys.exit(bool(missed))


main()
