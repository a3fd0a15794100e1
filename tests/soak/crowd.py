#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A recorder beside a crowd of threads, a stuck process, a thread that renames itself all the time and two that wake each
other: a recording, a rotation, snapshots.  It prints what was lost, and how long snapshots and ends took.
"""
import argparse
import contextlib
import os
import re
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "lib"))
import fuse
import recorder
from tap import FXTREC, run



@contextlib.contextmanager
def stuck(folder):
    """A process whose command line can't be read."""
    mount = fuse.Mount(os.path.join(folder, "mounted"))
    process = fuse.Stuck(mount)
    signal.alarm(0)
    try:
        yield process
    finally:
        mount.end()
        process.end()


def end(process, name):
    """By SIGTERM: how long that takes, what it said, and with what it ended."""
    began = time.monotonic()
    said = recorder.end(process, 120)
    print(f"{name}: SIGTERM obeyed in {time.monotonic() - began:.2f} s, status {process.returncode}")
    for line in said.splitlines():
        print("   ", line)


def valid(paths, name):
    broken = [path for path in paths if run([FXTREC, "check", path]).returncode]
    size = sum(os.path.getsize(path) for path in paths)
    print(f"{name}: {len(paths)} files, {size >> 20} MiB, {len(broken)} not valid")
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
    print(f"{name}: {len(took)} snapshots, median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s")


def parts(folder, stem):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if re.match(stem + r"(\.\d+)?\.fxt", name))


def start(options, folder, stem):
    began = time.monotonic()
    process = recorder.start(["--backend=" + options.backend, "--no-marks", "-o", os.path.join(folder, stem + ".fxt"),
                              *options.record[stem]], seconds=300)
    print(f"{stem}: records after {time.monotonic() - began:.2f} s")
    return process


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=30000)
    parser.add_argument("--seconds", type=float, default=60, help="of each")
    parser.add_argument("--backend", default="bpf")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    options.record = {"record": [], "rotate": ["--rotate=2s:5"], "flight": ["--flight", "--keep=2"],
                      "trigger": ["--flight", "--keep=2", "--trigger=latency>2ms"]}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, stuck(folder), \
            recorder.program("crowd", str(options.threads)) as crowd:
        crowd.stdout.readline()
        with recorder.program("renames"), recorder.busy():
            for stem in options.record:
                process = start(options, folder, stem)
                if stem == "flight":
                    snapshots(process, folder, options.seconds, stem)
                else:
                    time.sleep(options.seconds)
                end(process, stem)
                valid(parts(folder, stem), stem)


main()
