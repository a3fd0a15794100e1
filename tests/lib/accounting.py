# SPDX-License-Identifier: GPL-2.0-only
"""Recordings under random circumstances, in a guest: accounting.py OUT SEED ROUNDS"""
import os
import random
import signal
import subprocess
import sys
import time

import ftrace
import oracle
import overflow
import recorder
from judge import load


# More than the smallest rings of four CPUs hold.
OVERFLOW = 10000


def switches():
    """Context switches of this machine so far."""
    with open("/proc/stat") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("ctxt "))


class Round:
    """One recording's circumstances, by its seed; or such that it must lose events."""

    def __init__(self, seed, lossy=False):
        rng = random.Random(seed)
        self.backend = rng.choice(("kmod", "bpf"))
        self.subbufs = rng.choice((8, 16, 32))
        self.buffer = f"{4 * self.subbufs << rng.randrange(4)}k:{self.subbufs}"
        self.flush = rng.choice(("50ms", "1s"))
        self.killed = rng.random() < 0.4
        # (seconds that it runs, seconds that it stands still)
        self.stalls = [(rng.uniform(0.05, 0.5), rng.uniform(0.02, 1.5))
                       for _ in range(rng.randrange(1, 5))]
        cpus = sorted(os.sched_getaffinity(0))
        self.cpus = rng.sample(cpus, rng.randrange(1, len(cpus) + 1))
        self.pairs = rng.randrange(1, 4)
        self.breaks = rng.choice((0, 0.01, 0.1))
        # A guest beside a load does little in a stall's time: as many switches have to go by.
        self.overflow = OVERFLOW if lossy else 0
        if lossy:
            self.subbufs, self.buffer, self.breaks, self.stalls = 8, "32k:8", 0, [(0.3, 1.5)]
            # Killed, it may not have written the report yet.
            self.killed = False

    def __str__(self):
        return (f"{self.backend}, -b {self.buffer} --flush={self.flush}, {self.pairs} pairs on CPUs "
                f"{self.cpus} with breaks of {self.breaks} s, {len(self.stalls)} stalls"
                + (", killed" if self.killed else ""))

    def load(self):
        loops = 200 if self.breaks else 1000000
        command = f"while :; do perf bench sched pipe -l {loops}; sleep {self.breaks}; done >/dev/null"
        return [subprocess.Popen(["taskset", "-c", ",".join(map(str, self.cpus)), "sh", "-c", command],
                                 start_new_session=True) for _ in range(self.pairs)]

    def record(self, out):
        """Leaves OUT.fxt, and OUT.txt of ftrace over a longer time; returns what was said."""
        instance, load_of = ftrace.Instance(40000, "fxtrec-round"), []
        try:
            with instance:
                process = recorder.start(["--backend=" + self.backend, "-b", self.buffer,
                                          "--flush=" + self.flush, "-o", out + ".fxt"])
                load_of = self.load()
                for runs, stands in self.stalls:
                    time.sleep(runs)
                    process.send_signal(signal.SIGSTOP)
                    before = switches()
                    time.sleep(stands)
                    while switches() - before < self.overflow:
                        time.sleep(0.1)
                    process.send_signal(signal.SIGCONT)
                time.sleep(0.5)
                process.send_signal(signal.SIGKILL if self.killed else signal.SIGINT)
                said = process.communicate(timeout=600)[1]
            if instance.lost():
                raise RuntimeError(f"ftrace lost {instance.lost()} events")
            instance.save(out + ".txt")
        finally:
            instance.enable(False)
            for one in load_of:
                os.killpg(one.pid, signal.SIGKILL)
                one.wait()
            instance.remove()
        return said


def judge(out):
    """Each CPU, gap by gap; returns (events in the file, lost, problems)."""
    recording, theirs = load(out + ".fxt"), ftrace.parse(out + ".txt")
    problems, recorded, lost = [], 0, 0
    for cpu in sorted(recording.events):
        try:
            lost += overflow.judge_cpu(recording, theirs.get(cpu, []), cpu)[0]
        except oracle.Difference as difference:
            problems.append(str(difference))
        recorded += len(recording.events[cpu])
    problems += [f"a break in the chain: {b}" for b in oracle.chain_breaks(recording)[:3]]
    problems += [f"time goes back: {b}" for b in oracle.backward(recording)[:3]]
    return recorded, lost, problems


def main():
    from inside import MODULE, finish, result, sh
    out, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    result(sh(f"insmod {MODULE}").returncode == 0, "the module loads")
    for number in range(rounds):
        said = Round(seed + number, number == 0).record(f"{out}/{number}")
        print(said, flush=True)
    result(sh("rmmod fxtrec").returncode == 0, "the module unloads")
    finish(out)


if __name__ == "__main__":
    main()
