#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""System calls of a program of 32 bits on arm64: their names, numbers and results, by module and eBPF, against ftrace."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import judge
import tap
import vm

# Of Linux for 32-bit ARM; of arm64's own table they are epoll_create1, write, and none.
NAMES = {20: "getpid", 64: "getppid", 511: "syscall 511", 1: "exit"}
CALLS = {20: 100, 64: 100, 511: 1, 1: 1}
ENTER = re.compile(r"compat32-(\d+) .*: sys_enter: NR (\d+) ")
EXIT = re.compile(r"compat32-(\d+) .*: sys_exit: NR (\d+) = (-?\d+)")


def theirs(path):
    """The thread, and the entries and results of its calls, from the first getpid: before it was another program."""
    tid, calls = None, []
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            entered, left = ENTER.search(line), EXIT.search(line)
            if entered and (calls or entered[2] == "20"):
                tid = int(entered[1])
                calls.append(("B", NAMES.get(int(entered[2]), entered[2])))
            elif left and calls:
                calls.append(("E", int(left[3])))
    return tid, calls


def ours(recording, tid):
    """The same of those of 32 bits."""
    calls = []
    for e in sorted((e for e in recording.durations if e.tid == tid and e.category == "syscalls of 32 bits"),
                    key=lambda e: e.ticks):
        calls += [("B", e.name)] if e.kind == "B" else [("E", e.args["ret"])] if "ret" in e.args else []
    return calls


for kernel in os.environ.get("KERNELS", "6.1 6.12").split():
    with tempfile.TemporaryDirectory() as folder:
        if not vm.boot(kernel + "-arm64", folder, "compat_guest.py"):
            continue
        thread, calls = theirs(os.path.join(folder, "ftrace.txt"))
        counted = {number: calls.count(("B", name)) for number, name in NAMES.items()}
        tap.ok(counted == CALLS, f"{kernel}: ftrace has each call of that program", (thread, counted, calls[:10]))
        tap.ok(calls.count(("E", thread)) == CALLS[20], f"{kernel}: getpid's result is its id", thread)
        for backend in ("kmod", "bpf"):
            path = os.path.join(folder, backend + ".fxt")
            made = ours(judge.load(path), thread)
            tap.ok(made == calls, f"{kernel}, {backend}: its calls are ftrace's, by their names of 32 bits",
                   next(((a, b) for a, b in zip(made, calls) if a != b), (len(made), len(calls))))
            judge.judge_valid(path, f"{kernel}, {backend}")
tap.done()
