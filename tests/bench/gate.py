#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How often gate is wrong, and how long it takes, on this machine; beside it, plain wall time and its 99th percentile.

gate.py aa [PAIRS]     the same program PAIRS (1000) times against itself, beside a load that comes and goes
gate.py slower [TIMES] a program that is 5 % slower, TIMES (20) times, beside the same load
gate.py crowd [TIMES]  the same program against itself, TIMES (20) times, beside one more thread than CPUs
"""
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FXTREC = os.environ.get("FXTREC", os.path.join(TOP, "build", "fxtrec"))
SPIN = "#include <stdlib.h>\nint main(int c, char **v) { volatile unsigned long x = c; for (long i = atol(v[1]); i--;) x = x * 31 + i; }\n"
# Runs of each side in a pair of aa; the looks of gate are at an eighth, a quarter, a half, and all of them.
RUNS = int(os.environ.get("RUNS", 32))
# Steps of the program: about 5 ms in aa, for many pairs; 25 ms in the others.
STEPS_AA, STEPS = 4_000_000, 20_000_000


class Load:
    """Threads that only compute: a fixed number of them, or from none to most at a time, for 2 s on average."""

    def __init__(self, program, most, fixed=False):
        self.program, self.most, self.fixed, self.end = program, most, fixed, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        chance = random.Random(5)
        while not self.end.is_set():
            count = self.most if self.fixed else chance.randint(0, self.most)
            hogs = [subprocess.Popen([self.program, str(10 ** 15)]) for _ in range(count)]
            self.end.wait(None if self.fixed else min(chance.expovariate(1 / 2), 10))
            for hog in hogs:
                hog.kill()
                hog.wait()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *ignored):
        self.end.set()
        self.thread.join()


def gate(*arguments):
    done = subprocess.run([FXTREC, "gate", "--json", *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def plain(before, after):
    """Whether wall time would have called the program slower by 2 %: by medians, by means with a t test at 1 %, by p99."""
    a, b = [[r["wall_ns"] for r in runs] for runs in (before, after)]
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    error = math.sqrt(sum((x - mean_a) ** 2 for x in a) / len(a) ** 2 + sum((x - mean_b) ** 2 for x in b) / len(b) ** 2)
    return {"wall time, median": quantile(b, 0.5) > 1.02 * quantile(a, 0.5),
            "wall time, mean with t test": mean_b > 1.02 * mean_a and mean_b - mean_a > 2.33 * error,
            "wall time, p99": quantile(b, 0.99) > 1.02 * quantile(a, 0.99)}


def judge(before, after, paired):
    """The answer of gate, look by look."""
    with tempfile.TemporaryDirectory() as folder:
        baseline, now = os.path.join(folder, "a.json"), os.path.join(folder, "b.json")
        for count in (RUNS // 8, RUNS // 4, RUNS // 2, RUNS):
            with open(baseline, "w") as out:
                json.dump({"runs": before}, out)
            with open(now, "w") as out:
                json.dump({"runs": after[:count], "against": before[:count] if paired else []}, out)
            answer = gate(f"--results={now}", *([] if paired else [f"--baseline={baseline}"]))["answer"]
            if answer in ("same", "slower"):
                break
        return answer


def collect(program, total):
    """Runs of one program, one after the other: of two neighbours, chance decides which is the baseline's."""
    runs = []
    with Load(program, os.cpu_count()):
        while len(runs) < total:
            runs += gate("--runs=2000", "--seconds=120", "--", program, str(STEPS_AA))["runs"]
            print(f"{len(runs)} of {total} runs", file=sys.stderr)
    return runs[:total]


def both(runs):
    """A pair in turn, and the same runs as two sessions, one after the other."""
    chance, before, after = random.Random(len(runs)), [], []
    for pair in zip(runs[::2], runs[1::2]):
        one, other = pair if chance.random() < 0.5 else pair[::-1]
        before.append(one)
        after.append(other)
    return (before, after, True), (runs[:RUNS], runs[RUNS:2 * RUNS], False)


def aa(program, pairs):
    path = os.environ.get("COLLECTED")
    runs = json.load(open(path)) if path else collect(program, 2 * RUNS * pairs)
    parts = [runs[2 * RUNS * i:2 * RUNS * (i + 1)] for i in range(min(pairs, len(runs) // (2 * RUNS)))]
    for way, name in enumerate(("in turn (--against)", "two sessions (--baseline)")):
        sides = [both(part)[way] for part in parts]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(lambda side: judge(*side), sides))
        print(f"{name}, {len(parts)} pairs of {RUNS} runs: ", {a: answers.count(a) for a in sorted(set(answers))})
        told = [plain(*side[:2]) for side in sides]
        for figure in told[0]:
            print(f"    {figure}: {sum(t[figure] for t in told)} would have been red")


def real(program, times, steps, load):
    answers, seconds = [], []
    with load:
        for _ in range(times):
            begin = time.monotonic()
            said = gate(f"--against={program} {STEPS}", "--", program, str(steps))
            seconds.append(time.monotonic() - begin)
            answers.append((said["answer"], plain(said["against"], said["runs"])))
            print(f"{seconds[-1]:.1f} s: {said['text']}; {100 * said['foreign_share']:.0f} % foreign, {said['run_count']} pairs, "
                  f"{said['disturbed_count']} left out", flush=True)
    names = [answer for answer, _ in answers]
    print({a: names.count(a) for a in sorted(set(names))}, f"{quantile(seconds, 0.5):.1f} s, at most {max(seconds):.1f} s")
    for figure in answers[0][1]:
        print(f"    {figure}: {sum(t[figure] for _, t in answers)} would have been red")


def main():
    what, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000 if sys.argv[1] == "aa" else 20
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "spin")
        subprocess.run(["cc", "-O2", "-x", "c", "-", "-o", program], input=SPIN, text=True, check=True)
        if what == "aa":
            aa(program, number)
        elif what == "slower":
            real(program, number, STEPS * 105 // 100, Load(program, os.cpu_count()))
        else:
            real(program, number, STEPS, Load(program, os.cpu_count() + 1, fixed=True))


main()
