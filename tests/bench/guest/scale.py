# SPDX-License-Identifier: GPL-2.0-only
"""In a guest that counts instructions over all its CPUs: a pair on each.  scale.py OUT TIMES REPEATS"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))
from cached import keep
from pairs import PINGPONG, pairs
from place import FXTREC, PEER, machine
from tracers import Counter, Ftrace, Fxtrec, Tracer

BUFFER = "32M"
TRACERS = {"none": Tracer,
           "fxtrec-kmod": lambda: Fxtrec("kmod", "/tmp/kmod.fxt", asleep=True, buffer=BUFFER),
           "fxtrec-bpf": lambda: Fxtrec("bpf", "/tmp/bpf.fxt", asleep=True, buffer=BUFFER),
           "ftrace": Ftrace}


def main():
    out, times, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    cpus, results = os.cpu_count(), {}
    keep(["chrt", FXTREC, PEER, PINGPONG])
    with open("/proc/sys/kernel/sched_rt_runtime_us", "w") as f:
        f.write("-1")
    for name, make in TRACERS.items():
        tracer, counter = make(), Counter()
        tracer.start()
        runs = [pairs(cpus, times) for _ in range(repeats + 1)][1:]
        counter.start()
        before = counter.count()
        pairs(cpus, times)
        events = counter.count() - before
        # Without what starting and ending takes.
        before = counter.count()
        pairs(cpus, 1)
        events -= counter.count() - before
        counter.stop()
        tracer.stop()
        results[name] = {"runs": runs, "events": events}
        print(name, results[name], flush=True)
    with open(out, "w") as f:
        json.dump({"machine": machine(), "results": results}, f)


if __name__ == "__main__":
    main()
