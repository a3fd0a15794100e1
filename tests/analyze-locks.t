#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits that blame charges to the holders of locks, and to the objects of other sleeps, in made-up traces."""
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from fxtmake import File, INSTANT, LOCK, PRIVATE, reason

START = 10 ** 12
FUTEX, FSYNC, READ, CONNECT, SEMOP, NANOSLEEP = 202, 74, 0, 42, 65, 230
H, W, X, K = 11, 12, 13, 14
R, S = 1, 3


class Trace:
    """
    Threads of one process, each on a CPU of its own, where it runs from the start on if it is in running; times in us.
    Steps are sorted before they are written.
    """

    def __init__(self, running=(), tids=(H, W, X, K)):
        self.tids, self.steps = tids, []
        for tid in running:
            self.run(0, tid)

    def step(self, at, tid, call):
        """A step on the CPU of a thread."""
        self.steps.append((at, len(self.steps), tid, call))

    def run(self, at, tid):
        self.step(at, tid, lambda f, c, ns: f.switch(ns, c, 0, 120, R, tid, 120))

    def sleep(self, at, tid, why, letter=None):
        self.step(at, tid, lambda f, c, ns: f.switch(ns, c, tid, 120, S, 0, 120, letter, why=why))

    def wake(self, at, waker, tid, context=None, on_cpu=False):
        self.step(at, waker, lambda f, c, ns: f.wakeup(ns, self.tids.index(tid), tid, 120, waker=waker, context=context, on_cpu=on_cpu))

    def end(self, at):
        """All threads wait for a time."""
        for tid in self.tids:
            self.sleep(at, tid, reason(NANOSLEEP))

    def write(self, folder, name):
        f = File().provider(1, "fxtrec").clock(START - 10, 10 ** 18 + START, START, START)
        f.event(INSTANT, START - 10, 0, 0, "fxtrec", "host", [("machine", "x86_64"), ("host", "a")])
        for tid in self.tids:
            f.named(self.tids[0], tid, f"t{tid}", START - 100, leader=tid == self.tids[0])
        for at, _, tid, call in sorted(self.steps, key=lambda s: s[:2]):
            cpu = self.tids.index(tid)
            call(f.cpu(cpu), cpu, START + 1000 * at)
        return f.write(folder, name)


def lock(item, holder=0):
    return reason(FUTEX, "futex", item, flags=LOCK, operation=PRIVATE, holder=holder)


def blame(path, *options):
    done = tap.run([tap.FXTREC, "blame", "--json", path, *options])
    return {v["tid"]: {c.get("name") or c.get("tid") or c["kind"]: c["ns"] / 1000 for c in v["culprits"]}
            for v in json.loads(done.stdout)["victims"]} if done.returncode == 0 else {"error": done.stderr}


def held(tid, how):
    return f"held by t{tid}:{tid}: it {how}"


def holder(folder):
    """The holder runs, sleeps, waits for a CPU and passes the lock on; the next holder passes it on, too."""
    t = Trace(running=(H, W, X))
    t.sleep(4, W, lock(1, H))
    t.sleep(5, X, lock(1, H))
    t.sleep(10, H, reason(FSYNC, "file", 77, device=8 << 20 | 1))
    t.run(20, K)
    t.wake(30, K, H, "hardirq")
    t.run(32, H)
    t.wake(40, H, W)
    t.run(41, W)
    t.wake(60, W, X)
    t.run(61, X)
    t.end(70)
    path = t.write(folder, "holder.fxt")
    found, slept = blame(path), held(H, "slept in fsync of file 8:1 inode 77")
    tap.ok(found.get(W) == {held(H, "ran"): 14, slept: 20, held(H, "waited for a CPU"): 2, "idle": 1}, "by the holder's phases", found)
    tap.ok(found.get(X) == {held(H, "ran"): 13, slept: 20, held(H, "waited for a CPU"): 2, held(W, "ran"): 19,
                            held(W, "waited for a CPU"): 1, "idle": 1}, "a woken thread holds the lock for those after it", found)
    tap.ok(found.get(H) == {"fsync of file 8:1 inode 77": 20, "idle": 2}, "another sleep by its object", found)
    found = blame(path, "--waits=cpu")
    tap.ok({tid: sum(of.values()) for tid, of in found.items()} == {H: 2, W: 1, X: 1}, "waits for a CPU alone", found)
    found = blame(path, "--time=0.000010,0.000020")
    tap.ok(found.get(W) == {slept: 10} and found.get(X) == {slept: 10}, "in a range of time", found)
    text = tap.run([tap.FXTREC, "path", "-t", str(H), path]).stdout
    tap.ok("fsync of file 8:1 inode 77" in text, "path names the reasons of sleeps", text)


def mapped(folder):
    """A futex that threads have at two addresses: its waiters wait for each other, and for no other position in the file."""
    def why(address, position):
        return reason(FUTEX, "futex", address, flags=LOCK, holder=H, device=1 << 20, file=(7, position))

    t = Trace(running=(H, W, X, K))
    t.sleep(4, W, why(1, 8))
    t.sleep(5, X, why(2, 8))
    t.sleep(6, K, why(1, 16))
    t.wake(40, H, W)
    t.run(40, W)
    t.wake(60, W, X)
    t.run(60, X)
    t.wake(70, X, K)
    t.run(70, K)
    t.end(80)
    found = blame(t.write(folder, "mapped.fxt"))
    tap.ok(found.get(X) == {held(H, "ran"): 35, held(W, "ran"): 20}, "a futex by its file and position, at any address", found)
    tap.ok(found.get(K) == {held(H, "ran"): 64}, "another position is another lock", found)


def chain(folder):
    """A holder that waits for another lock: its waiters wait for the holder of that lock."""
    t = Trace(running=(H, W, X))
    t.sleep(2, W, lock(1, H))
    t.sleep(10, H, lock(2, X))
    t.sleep(15, X, reason(CONNECT, "inet", 5))
    t.run(20, K)
    t.wake(35, K, X)
    t.run(35, X)
    t.wake(40, X, H)
    t.run(40, H)
    t.wake(50, H, W)
    t.run(50, W)
    t.end(60)
    found = blame(t.write(folder, "chain.fxt"))
    slept = held(X, "slept in connect of inet:[5]")
    tap.ok(found.get(W) == {held(H, "ran"): 18, held(X, "ran"): 10, slept: 20}, "through a chain of holders", found)
    tap.ok(found.get(H) == {held(X, "ran"): 10, slept: 20}, "as the holder itself waits", found)


def interrupted(folder):
    """A waiter that an interrupt wakes on the holder's CPU doesn't get the lock."""
    t = Trace(running=(H, W, X, K))
    t.sleep(4, W, lock(1, H))
    t.sleep(5, X, lock(1, H))
    t.wake(20, H, W, "hardirq")
    t.run(20, W)
    t.wake(30, H, X)
    t.run(30, X)
    t.end(60)
    found = blame(t.write(folder, "interrupted.fxt"))
    tap.ok(found.get(X) == {held(H, "ran"): 25}, "an interrupt during the holder's run hands no lock over", found)


def wrong(folder):
    """Holders that can't be: a cycle, itself, a thread of another process, nobody; and other sleeps."""
    waker = 15
    tids = H, W, X, K, waker
    t = Trace(tids, tids)
    t.sleep(1, H, lock(1, W))
    t.sleep(2, W, lock(2, H))
    t.sleep(3, X, lock(3, X))
    t.sleep(4, K, lock(4, 999))
    for at, tid in (20, H), (21, W), (22, X), (23, K):
        t.wake(at, waker, tid)
        t.run(at, tid)
        t.sleep(at + 1, tid, reason(SEMOP) if tid == K else reason(READ, "pipe", 6))
    t.sleep(40, waker, reason(NANOSLEEP))
    found = blame(t.write(folder, "wrong.fxt"))
    after = found.get(K, {}).pop("semop, holder unknown", 0)
    tap.ok(after == 16, "a lock without an object is named by its call", found)
    tap.ok([sum(ns for name, ns in found.get(tid, {}).items() if name != "read of pipe:[6]") for tid in (H, W, X, K)] ==
           [19, 19, 19, 19], "a cycle, and holders that can't be, end", found)
    tap.ok(found.get(X, {}).get("futex 0x3, holder unknown") == 19 and found.get(K, {}).get("futex 0x4, holder unknown") == 19,
           "a wrong holder is unknown", found)


def sums(folder):
    """Random locks and holders: the parts of each victim's waits are the waits of the class in report."""
    rng, tids = random.Random(5), list(range(100, 140))
    t, now = Trace(tids, tids), 0
    awake = set(tids)
    for _ in range(4000):
        now += rng.randrange(1, 5)
        tid = rng.choice(tids)
        if tid in awake and len(awake) > 2:
            # A thread that is woken before it leaves its CPU doesn't sleep.
            early = rng.random() < 0.1
            if early:
                t.wake(now, rng.choice(sorted(awake - {tid})), tid, on_cpu=True)
            t.sleep(now, tid, lock(rng.randrange(4), rng.choice(tids)) if rng.random() < 0.8 else reason(FSYNC, "file", 3, device=1))
            if early:
                now += 2
                t.run(now, tid)
            else:
                awake.discard(tid)
        elif tid not in awake:
            t.wake(now, rng.choice(sorted(awake)), tid)
            t.run(now, tid)
            awake.add(tid)
    path = t.write(folder, "sums.fxt")
    found = blame(path)
    tap.ok(not any("unknown" in of for of in found.values()), "all of it is known", found)
    rows = json.loads(tap.run([tap.FXTREC, "report", "--json", path]).stdout)["threads"]
    ours = {r["tid"]: (r["lock_ns"] + r["disk_ns"] + r["wait_wakeup_ns"]) / 1000 for r in rows}
    tap.ok(len(found) == 40 and all(abs(sum(found[tid].values()) - ours[tid]) < 1e-6 for tid in found),
           "the culprits of each victim sum up to its waits", [(tid, sum(found[tid].values()), ours.get(tid)) for tid in list(found)[:5]])


with tempfile.TemporaryDirectory() as folder:
    holder(folder)
    mapped(folder)
    chain(folder)
    interrupted(folder)
    wrong(folder)
    sums(folder)
tap.done()
