#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The waits of a program in system calls, by strace, and by a recording of the same run: the same calls for the same time."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import recorder
import tap
from spans import ASLEEP, states, within

# strace stops a thread before and after each call: long waits are judged alone.
LONG_NS = 5_000_000
NEAR = 0.01
CALLS = ("clock_nanosleep", "poll", "select", "read", "recvfrom", "epoll_wait", "futex", "wait4")

# Threads that wait for 20 to 30 ms at a time, in one kind of call each.
LOAD = """
import os, select, socket, subprocess, threading, time
ROUNDS = 30
readable, writable = os.pipe()
one, two = socket.socketpair()
never, _ = os.pipe()
poll, epoll, lock = select.poll(), select.epoll(), threading.Lock()
poll.register(never, select.POLLIN)
epoll.register(never, select.EPOLLIN)
lock.acquire()
def waits(call):
    for _ in range(ROUNDS):
        call()
def give():
    for _ in range(ROUNDS):
        time.sleep(0.025)
        os.write(writable, b"x")
        two.send(b"x")
        lock.release()
def child():
    pid = os.posix_spawn("/bin/sleep", ["sleep", "0.03"], {})
    os.waitpid(pid, 0)
calls = (lambda: time.sleep(0.02), lambda: poll.poll(21), lambda: select.select([never], [], [], 0.022), lambda: os.read(readable, 1),
         lambda: one.recv(1), lambda: epoll.poll(0.023), lock.acquire, child)
threads = [threading.Thread(target=waits, args=(call,)) for call in calls] + [threading.Thread(target=give)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
# Versions of libc and Python differ in their calls.
SAME = {"nanosleep": "clock_nanosleep", "ppoll": "poll", "pselect6": "select", "epoll_pwait": "epoll_wait", "_newselect": "select",
        "waitid": "wait4", "epoll_pwait2": "epoll_wait"}


def traced(text, offset):
    """The long calls (thread, start, end, call) of strace -f -T -ttt, in ns of CLOCK_MONOTONIC."""
    found = []
    for line in text.splitlines():
        match = re.match(r"(\d+) +([\d.]+) (<\.\.\. )?(\w+)(?: resumed>|\().*<([\d.]+)>$", line)
        if match and float(match[5]) * 1e9 >= LONG_NS:
            at, ns = round(float(match[2]) * 1e9) - offset, round(float(match[5]) * 1e9)
            # A call that others interrupt has its second line at its end.
            start = at - ns if match[3] else at
            found.append((int(match[1]), start, start + ns, SAME.get(match[4], match[4])))
    return found


def main():
    if os.geteuid() or not shutil.which("strace"):
        tap.skip("all", "only root records" if os.geteuid() else "no strace: scripts/deps")
        tap.done()
    with tempfile.TemporaryDirectory(dir=os.path.join(tap.TOP, "build")) as folder:
        path, log = os.path.join(folder, "strace.fxt"), os.path.join(folder, "log")
        offset = time.time_ns() - time.monotonic_ns()
        process = recorder.start(["--backend=bpf", "--no-marks", "-o", path])
        done = tap.run(["strace", "-f", "-T", "-ttt", "-o", log, sys.executable, "-c", LOAD])
        said = recorder.end(process)
        tap.ok(done.returncode == 0 and "nothing lost" in said, "strace and a recorder at once", done.stderr + said)
        with open(log, encoding="utf-8", errors="replace") as f:
            calls = traced(f.read(), offset)
        states_of = states(path, "syscall")
    theirs, ours, count, others, raw, everything = (collections.Counter() for _ in range(6))
    for tid in {tid for tid, *_ in calls}:
        for since, until, state, call in states_of[tid]:
            if state in ASLEEP and until - since >= LONG_NS:
                everything[SAME.get(call, call)] += until - since
    for tid, start, end, call in calls:
        asleep, awake = within(states_of[tid], start, end)
        count[call] += 1
        raw[call] += end - start
        # strace's own stops of the thread, and its waits for a CPU, are no waits in the call.
        theirs[call] += end - start - awake
        for name, ns in asleep.items():
            (ours if SAME.get(name, name) == call else others)[call] += ns
    for call in CALLS:
        tap.note(f"{call}: {count[call]} waits, by strace {raw[call] / 1e6:.3f} ms, {theirs[call] / 1e6:.3f} ms of it asleep; "
                 f"recorded {ours[call] / 1e6:.3f} ms ({100 * (ours[call] / theirs[call] - 1) if theirs[call] else 0:+.4f} %), "
                 f"in other calls {others[call] / 1e6:.3f} ms")
        tap.ok(count[call] >= 20 and abs(ours[call] - theirs[call]) <= NEAR * theirs[call] and
               everything[call] <= (1 + NEAR) * ours[call], f"{call}: the waits that strace has, within 1 %, and no others",
               (count[call], ours[call], theirs[call], others[call], everything[call]))
    tap.done()


main()
