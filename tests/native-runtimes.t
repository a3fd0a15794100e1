#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reasons of sleeps of programs of Go, Node and Java, by the log that each program itself writes of its waits."""
import bisect
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import reasons
import tap
from fxt import Recording

LIB = os.path.join(HERE, "lib")
WAIT_NS = 5_000_000
CLOCK_NS = 200
# Versions of libuv differ.
CLASSES = {"read": "pipe", "fsync": "disk", "futex": "idle", "clock_nanosleep": "idle", "epoll_wait": "idle"}
SAME = {"epoll_pwait": "epoll_wait", "epoll_pwait2": "epoll_wait"}

Entry = collections.namedtuple("Entry", "tid start end call")


def go(folder):
    program = os.path.join(folder, "runtime-go")
    subprocess.run(["go", "build", "-o", program, os.path.join(LIB, "runtime_waits.go")], check=True,
                   env=dict(os.environ, GOCACHE=os.path.join(folder, "go"), GO111MODULE="off", GOFLAGS=""))
    return [program]


def node(_):
    return ["node", os.path.join(LIB, "runtime_waits.js")]


def java(folder):
    subprocess.run(["javac", "-d", folder, os.path.join(LIB, "RuntimeWaits.java")], check=True)
    return ["java", "-cp", folder, "RuntimeWaits"]


def feed(pipe):
    """A byte every 20 ms, as long as anybody reads."""
    try:
        while True:
            time.sleep(0.02)
            pipe.write(b"x")
            pipe.flush()
    except (BrokenPipeError, ValueError):
        pass


def recorded(folder, name, command):
    """Records a program; returns its log, and the objects of its calls."""
    path, file = os.path.join(folder, name + ".fxt"), os.path.join(folder, name + ".file")
    argv = [tap.FXTREC, "record", "--no-marks", "--addresses", "--backend=bpf", "-o", path, "--", *command, file]
    program = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=dict(os.environ, GODEBUG="asyncpreemptoff=1"))
    inode = os.fstat(program.stdin.fileno()).st_ino
    program.stdout.readline()
    threading.Thread(target=feed, args=(program.stdin,), daemon=True).start()
    said, errors = program.stdout.read().decode(), program.stderr.read().decode()
    program.wait()
    if not tap.ok(program.returncode == 0 and "nothing lost" in errors, f"{name}: recorded", said[-500:] + errors[-1000:]):
        return None
    return path, said, {"read": ("pipe", inode), "fsync": ("file", os.stat(file).st_ino)}


def call_of(sleep):
    call = reasons.deed(reasons.call_of(sleep.why))
    return SAME.get(call, call)


def classes(path):
    """
    A function of a sleep; the clocks of the two readers differ by a few ns.  None: the thread was woken while it left its
    CPU, and isn't known to have slept.
    """
    found = collections.defaultdict(list)
    for r in json.loads(tap.said("query", "--json", path, """SELECT tid, ts, class FROM thread_state JOIN thread USING (utid)
                                                           WHERE class NOT NULL ORDER BY ts""")):
        found[r["tid"]].append((r["ts"], r["class"]))

    def of(sleep):
        at = bisect.bisect_left(found[sleep.tid], (sleep.start - CLOCK_NS, ""))
        ts, name = found[sleep.tid][at] if at < len(found[sleep.tid]) else (0, None)
        return name if abs(ts - sleep.start) <= CLOCK_NS else None

    return of


def judge(name, path, said, objects):
    words = [line.split() for line in said.splitlines()]
    log = [Entry(*map(int, line[1:4]), line[4]) for line in words if line and line[0] == "wait"]
    (pid,) = [int(line[1]) for line in words if line and line[0] == "pid"]
    recording = Recording(path)
    found = collections.defaultdict(list)
    for sleep in reasons.sleeps(recording, {entry.tid for entry in log}):
        found[sleep.tid].append(sleep)
    class_of = classes(path)
    missed, wrong, others, judged = [], [], [], collections.Counter()
    for entry in log:
        within = [s for s in found[entry.tid] if entry.start <= s.start and s.start < entry.end]
        mine = [s for s in within if call_of(s) == reasons.deed(entry.call) and
                (entry.call not in objects or reasons.object_of(s.why) == objects[entry.call] or reasons.by_kernel_lock(s))]
        judged[entry.call] += any(map(class_of, mine))
        others += [(s, class_of(s)) for s in mine if not reasons.by_kernel_lock(s) and "holder" not in s.why and
                   class_of(s) not in (CLASSES[reasons.deed(entry.call)], None)]
        # The runtime may stop a thread that returns from a call, by a futex; nothing else comes in between.
        wrong += [(entry, s, reasons.call_of(s.why)) for s in within if s not in mine and reasons.call_of(s.why) != "futex"]
        if entry.call != "fsync" and entry.end - entry.start > WAIT_NS and not mine:
            missed.append((entry, within))
    tap.note(f"{name}: {len(log)} waits; slept in {dict(judged)}")
    tap.ok(len(log) >= 100 and not missed, f"{name}: each wait of the program has a sleep with its call and its object", missed[:3])
    tap.ok(not wrong, f"{name}: and none has another call", wrong[:3])
    tap.ok(not others, f"{name}: threads that park are idle, others read or write", others[:3])
    threads = [r for r in json.loads(tap.said("report", "--json", path))["threads"] if r["pid"] == pid]
    off = sum(r["sleep_ns"] + r["blocked_ns"] + r["stopped_ns"] for r in threads)
    unknown = sum(r.get("other_ns") or 0 for r in threads)
    tap.ok(off > 0 and unknown <= 0.001 * off, f"{name}: at least 99.9 % of the time asleep has a class", (off, unknown))
    tids = {r["tid"] for r in threads}
    held = [row for row in json.loads(tap.said("report", "--json", "--by=lock", path))["locks"] if row["pid"] == pid]
    strange = [h for row in held for h in row["holders"] if h["tid"] not in tids and row["object"].startswith("futex")]
    tap.ok(not strange, f"{name}: holders are threads of the program", strange)
    tap.note(f"{name}: {off / 1e9:.3f} s asleep, without a class {100 * unknown / max(off, 1):.4f} %, for locks "
             f"{sum(row['ns'] for row in held) / 1e9:.4f} s")


def main():
    if os.geteuid():
        tap.skip("all", "only root records")
        tap.done()
    for name, needed, command in (("go", "go", go), ("node", "node", node), ("java", "javac", java)):
        if not shutil.which(needed):
            tap.skip(name, f"no {needed}: scripts/deps")
            continue
        with tempfile.TemporaryDirectory(dir=os.path.join(tap.TOP, "build")) as folder:
            made = recorded(folder, name, command(folder))
            if made:
                judge(name, *made)
    tap.done()


main()
