# SPDX-License-Identifier: GPL-2.0-only
"""
In a guest: what the kernel counts of many threads while they work, beside a recording of just that: schedstat_guest.py OUT.
Each thread sleeps before its recording begins and after its work has ended, so that the counts are of the same time.
"""
import json
import os
import random
import select
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import inside
import recorder
from inside import MODULE, result, sh

OUT = sys.argv[1]
PAIRS = 16
SECONDS = 5


def work(own, other, number, seconds):
    """Spins, sleeps, yields, and wakes its peer, some of it at another priority."""
    rng = random.Random(number)
    if number % 5 == 1:
        os.nice(rng.randrange(1, 15))
    if number % 7 == 2:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1 + number % 3))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(rng.randrange(2000)):
            pass
        os.write(other, b"x")
        rng.choice((lambda: time.sleep(rng.random() / 500), os.sched_yield, lambda: None))()
        # Which may have ended.
        if select.select([own], [], [], 0.05)[0]:
            os.read(own, 64)


def start(go, done):
    """Processes that each sleep until go is closed, and for ever once they have said on done that they are."""
    children = []
    for pair in range(PAIRS):
        pipes = [os.pipe(), os.pipe()]
        for side in (0, 1):
            pid = os.fork()
            if not pid:
                os.close(go[1])
                os.read(go[0], 1)
                work(pipes[side][0], pipes[1 - side][1], 2 * pair + side, SECONDS)
                os.write(done[1], b"d")
                while True:
                    time.sleep(1000)
            children.append(pid)
    return children


def counts(pid):
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as f:
        run, wait, slices = map(int, f.read().split())
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        switches = {line.split(":")[0]: int(line.split()[1]) for line in f if "ctxt_switches" in line}
    return {"run": run, "wait": wait, "slices": slices,
            "voluntary": switches["voluntary_ctxt_switches"], "preempted": switches["nonvoluntary_ctxt_switches"]}


def sleep_all(pids):
    """Until all of them sleep: some may wait for a CPU for long, before and behind the recording."""
    for pid in pids:
        while True:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                if f.read().rpartition(")")[2].split()[0] == "S":
                    break
            time.sleep(0.01)


# 6.12 counts a sleep as a wait where it moves a thread to another CPU that sleeps and isn't dequeued yet: it takes the
# thread for queued, and nothing says so once it is dequeued.
sh("mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug; "
   "echo NO_DELAY_DEQUEUE > /sys/kernel/debug/sched/features")
done_loading = sh(f"insmod {MODULE}")
result(done_loading.returncode == 0, "the module loads", done_loading.stdout)
go, done = os.pipe(), os.pipe()
pids = start(go, done)
time.sleep(1)
sleep_all(pids)
before = {pid: counts(pid) for pid in pids}
recorders = {b: recorder.start(["-a", "--backend=" + b, "-o", f"{OUT}/{b}.fxt"]) for b in ("kmod", "bpf")}
os.close(go[0])
os.close(go[1])
ended = 0
while ended < len(pids):
    ended += len(os.read(done[0], 64))
time.sleep(1)
sleep_all(pids)
after = {pid: counts(pid) for pid in pids}
for backend, process in recorders.items():
    said = recorder.end(process)
    result(recorder.all_recorded(said, backend), f"{backend}: nothing lost", said)
for pid in pids:
    os.kill(pid, 9)
with open(f"{OUT}/counts.json", "w", encoding="ascii") as f:
    json.dump({pid: {k: after[pid][k] - before[pid][k] for k in before[pid]} for pid in pids}, f)
sh("rmmod fxtrec")
inside.finish(OUT)
