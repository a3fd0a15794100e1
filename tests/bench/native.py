# SPDX-License-Identifier: GPL-2.0-only
"""Time that each tracer adds to an operation on this machine, as ratios in one run."""
import os
import re
import subprocess
import tempfile

import place
from table import machine, median, number, table, times
from tracers import Ftrace, Fxtrec, Peer, Perf, Tracer

TITLE = "Cost: time on this machine"
LABELS = {"fxtrec-bpf": "fxtrec eBPF, to a file",
          "fxtrec-bpf-asleep": "fxtrec eBPF, reader asleep",
          "ftrace": "ftrace, own instance, no reader",
          "ftrace-mono": "the same with fxtrec's clock, mono",
          "perf": "perf record -a, to a file",
          "empty": "an empty pair of BPF programs",
          "clock": "a pair that reads the clock and does nothing else"}
LOOPS = 10000
# A machine that others share has a slow pace, a third slower, for seconds on end.  So a
# round's figure is the least of many short runs, and the result a median of rounds.
RUNS = 20
ROUNDS = 15


def tracers(folder):
    return {"none": Tracer(), "fxtrec-bpf": Fxtrec("bpf", folder + "/bench.fxt"),
            "ftrace": Ftrace(), "perf": Perf(folder + "/perf.data"),
            "fxtrec-bpf-asleep": Fxtrec("bpf", folder + "/asleep.fxt", asleep=True, buffer="128M"),
            "ftrace-mono": Ftrace("mono"), "empty": Peer("empty"), "clock": Peer("clock")}


def operation(cpu, loops):
    """Microseconds of one."""
    done = subprocess.run(["taskset", "-c", str(cpu), "perf", "bench", "sched", "pipe",
                           "-l", str(loops)], check=True, text=True, stdout=subprocess.PIPE)
    return float(re.search(r"([\d.]+) usecs/op", done.stdout)[1])


def run(options):
    rounds = 7 if options.quick else max(ROUNDS, options.repeats)
    cpu = max(os.sched_getaffinity(0))
    runs, facts = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(rounds + 1):
            for name, tracer in tracers(folder).items():
                tracer.start()
                try:
                    time = min(operation(cpu, LOOPS) for _ in range(RUNS))
                finally:
                    facts[name] = tracer.stop()
                if turn:
                    runs.setdefault(name, []).append(time)
    lost = {name: fact["lost"] for name, fact in facts.items() if "lost" in fact}
    return {"machine": place.machine(), "cpu": cpu, "loops": LOOPS, "runs": runs, "lost": lost}


def added(data, name):
    """
    Median of the time that a round's run takes longer than the round's run
    without a tracer: what drifts from round to round cancels out.
    """
    return median(a - b for a, b in zip(data["runs"][name], data["runs"]["none"]))


def ratios(data, name, other):
    """Their added times' ratio, and its least and greatest with one round left out."""
    count = len(data["runs"]["none"])

    def ratio(left_out):
        keep = [i for i in range(count) if i != left_out]
        part = {"runs": {n: [r[i] for i in keep] for n, r in data["runs"].items()}}
        return added(part, name) / added(part, other)

    each = [ratio(i) for i in range(count)]
    return ratio(None), min(each), max(each)


def lines(data):
    rows = []
    for name, label in LABELS.items():
        row = [label, times(median(data["runs"][name]), median(data["runs"]["none"]), 3)]
        for other in ("ftrace", "perf"):
            middle, least, most = ratios(data, name, other)
            row.append(f"{middle:.2f} ({least:.2f} to {most:.2f})" if name != other else "1")
        rows.append(row)
    return [f"`perf bench sched pipe -l {data['loops']}` on CPU {data['cpu']}, "
            f"{len(data['runs']['none'])} rounds, each tracer once a round with the least of "
            f"{RUNS} runs; medians of the rounds, in brackets the least and the greatest with any one round left out.",
            machine(data), ""] + \
        table(["tracer", "whole time, of none's", "added time, of ftrace's",
               "added time, of perf's"], rows)


def summary(data):
    to_ftrace, to_perf = (ratios(data, "fxtrec-bpf", other)[0] for other in ("ftrace", "perf"))
    to_mono = ratios(data, "fxtrec-bpf", "ftrace-mono")[0]
    floor = ratios(data, "clock", "ftrace")[0]
    return [
        ("added time an operation, this machine, of ftrace's",
         {"eBPF": number(to_ftrace, 2), "ftrace": "1.00",
          "perf": number(ratios(data, "perf", "ftrace")[0], 2)}, "0.5", to_ftrace <= 0.5),
        ("the same, where ftrace reads the same clock", {"eBPF": number(to_mono, 2)}, "", None),
        ("the same of a BPF pair that only reads the clock", {"eBPF": number(floor, 2)}, "", None),
        ("the same, of perf's",
         {"eBPF": number(to_perf, 2), "ftrace": number(ratios(data, "ftrace", "perf")[0], 2),
          "perf": "1.00"}, "0.2", to_perf <= 0.2),
    ]
