#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits for locks of the kernel, by the kernel's tracepoints of contention (perf lock contention), and by a recording of the same time."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import recorder
import tap
from spans import ASLEEP, states, within

NEAR = 0.01
KERNEL_LOCKS = ("mutex", "semaphore", "rwsem")

# Threads that write to one file, whose inode has a lock.
LOAD = """
import os, sys, threading, time
file, end = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT), time.monotonic() + 3
def write():
    while time.monotonic() < end:
        os.pwrite(file, bytes(4 << 20), 0)
threads = [threading.Thread(target=write) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def contentions(text):
    """(thread, start, end) of waits for locks that sleep."""
    started, found = {}, []
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\s+(\d+)\.(\d{9}):\s+lock:contention_(begin|end):\s+(\w+) \((.*)\)", line)
        if not match:
            continue
        ns, key = int(match[2]) * 10 ** 9 + int(match[3]), (int(match[1]), match[5])
        if match[4] == "begin":
            started[key] = ns, "SPIN" in match[6]
        elif key in started:
            start, spins = started.pop(key)
            if not spins:
                found.append((key[0], start, ns))
    return found


def of_kernel(what):
    return bool(what) and what.split()[0] in KERNEL_LOCKS


def main():
    blocker = os.path.exists("/sys/kernel/btf/vmlinux") and b"\0blocker\0" in open("/sys/kernel/btf/vmlinux", "rb").read()
    why = "only root records" if os.geteuid() else "no perf: scripts/deps" if not shutil.which("perf") else \
        "this kernel doesn't note the lock that a thread waits for" if not blocker else None
    if why:
        tap.skip("all", why)
        tap.done()
    with tempfile.TemporaryDirectory(dir=os.path.join(tap.TOP, "build")) as folder:
        path, data = os.path.join(folder, "lock.fxt"), os.path.join(folder, "perf.data")
        process = recorder.start(["--backend=bpf", "--no-marks", "-b16M", "-o", path])
        done = tap.run(["perf", "record", "-q", "-k", "mono", "-a", "-m", "8M", "-e", "lock:contention_begin", "-e", "lock:contention_end",
                        "-o", data, sys.executable, "-c", LOAD, os.path.join(folder, "file")])
        said = recorder.end(process)
        if done.returncode:
            tap.skip("all", f"perf: {done.stderr[-300:]}")
            tap.done()
        tap.ok("nothing lost" in said, "perf and a recorder at once", said)
        text = subprocess.run(["perf", "script", "-i", data, "--ns", "-F", "tid,time,event,trace"], capture_output=True, check=True).stdout
        waits, states_of = contentions(text.decode()), states(path, "object")
    theirs = ours = others = raw = 0
    for tid, start, end in waits:
        asleep, awake = within(states_of[tid], start, end)
        raw += end - start
        theirs += end - start - awake
        ours += sum(ns for what, ns in asleep.items() if of_kernel(what))
        others += sum(ns for what, ns in asleep.items() if not of_kernel(what))
    everything = sum(until - since for tid in {tid for tid, *_ in waits} for since, until, state, what in states_of[tid]
                     if state in ASLEEP and of_kernel(what))
    tap.note(f"{len(waits)} waits, by perf {raw / 1e6:.3f} ms, {theirs / 1e6:.3f} ms of it asleep; recorded at locks of the kernel "
             f"{ours / 1e6:.3f} ms in these waits, {everything / 1e6:.3f} ms in all, elsewhere {others / 1e6:.3f} ms")
    tap.ok(len(waits) > 50 and abs(ours - theirs) <= NEAR * theirs, "a thread that waits for a lock of the kernel sleeps at one", (ours, theirs))
    tap.ok(ours and everything <= (1 + NEAR) * ours, "and no thread sleeps at one otherwise, within 1 %", (everything, ours))
    tap.done()


main()
