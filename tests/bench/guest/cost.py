# SPDX-License-Identifier: GPL-2.0-only
"""In a guest that counts instructions: what each tracer adds.  cost.py OUT LOOPS LONG REPEATS"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))
from cached import keep
from disk import DISK, make as make_disk
from icount import instructions, window
from place import FXTREC, MODULE, PEER, machine, text
from tracers import Counter, Flight, Ftrace, Fxtrec, Peer, Perf, TraceCmd, Tracer

BUFFER = "64M"      # holds all events of all runs, for the reader is asleep

def filtered(backend, options):
    return lambda: Fxtrec(backend, f"{DISK}/{backend}.fxt", asleep=True, buffer=BUFFER, more=options)


# Tracers that are measured in the path of the events alone.
TRACERS = {
    "fxtrec-kmod": lambda: Fxtrec("kmod", DISK + "/kmod.fxt", asleep=True, buffer=BUFFER),
    "fxtrec-kmod-mono": lambda: Fxtrec("kmod", DISK + "/mono.fxt", "mono", True, BUFFER),
    "fxtrec-bpf": lambda: Fxtrec("bpf", DISK + "/bpf.fxt", asleep=True, buffer=BUFFER),
    "fxtrec-kmod-no-reasons": filtered("kmod", ["--no-reasons"]),
    "fxtrec-bpf-no-reasons": filtered("bpf", ["--no-reasons"]),
    "fxtrec-kmod+reader": lambda: Fxtrec("kmod", DISK + "/kmod.fxt"),
    "fxtrec-kmod-mono+reader": lambda: Fxtrec("kmod", DISK + "/mono.fxt", "mono"),
    "fxtrec-bpf+reader": lambda: Fxtrec("bpf", DISK + "/bpf.fxt"),
    "fxtrec-kmod+tmpfs": lambda: Fxtrec("kmod", "/tmp/kmod.fxt"),
    "fxtrec-bpf+tmpfs": lambda: Fxtrec("bpf", "/tmp/bpf.fxt"),
    "ftrace": Ftrace,
    "perf+reader": lambda: Perf(DISK + "/perf.data"),
    "trace-cmd+reader": lambda: TraceCmd(DISK + "/trace.dat"),
    "ringbuf": lambda: Peer("ringbuf"),
    "array": lambda: Peer("array"),
    "empty": lambda: Peer("empty"),
}

# The same with filters and with triggers, by option; only where they are asked for.
FILTERS = {"kept": ["--comm=*"], "left-out": ["--comm=nobody"], "kept-cpu": ["-C", "0"]}
TRIGGERS = {"none": [], "latency": ["--trigger=latency>1h"], "dsleep": ["--trigger=dsleep>1h"],
            "both": ["--trigger=latency>1h", "--trigger=dsleep>1h"]}


def watched(backend, options):
    return lambda: Flight(backend, options)


CHOOSING = {f"{backend}-{kind}-{name}": make(backend, options)
            for kind, make, of in (("filter", filtered, FILTERS), ("flight", watched, TRIGGERS))
            for name, options in of.items() for backend in ("kmod", "bpf")}

# Whole recordings, from the recorder's first instruction to its last.
FILE = DISK + "/whole"
WHOLE = {
    "none": [],
    "fxtrec-kmod": Fxtrec("kmod", FILE).record + ["--"],
    "fxtrec-bpf": Fxtrec("bpf", FILE).record + ["--"],
    "perf": Perf(FILE).record + ["--"],
    "trace-cmd": TraceCmd(FILE).record,
}


def bench(loops):
    return ["perf", "bench", "sched", "pipe", "-l", str(loops)]


def log(*words):
    print(*words, flush=True)


def counted(command):
    """Events of one run of it."""
    counter = Counter()
    counter.start()
    before = counter.count()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    events = counter.count() - before
    counter.stop()
    return events


def probe(tracer, loops, repeats, baseline):
    """A run to warm up, the runs that count, and one whose events are counted."""
    baseline.append(window(bench(loops), loops))
    tracer.start()
    runs = [window(bench(loops), loops) for _ in range(repeats + 1)][1:]
    # Without what starting and ending the bench takes: it is outside of the window.
    events = counted(bench(loops)) - counted(bench(1))
    facts = tracer.stop()
    return {"runs": runs, "events": events, "facts": facts}


def fresh(count, command):
    """count of the command, without what the last run wrote."""
    for path in (FILE, FILE + ".old"):
        if os.path.exists(path):
            os.remove(path)
    return count(command)


def whole(record, repeats):
    """The same of a recorder that starts the command itself."""
    runs = [fresh(instructions, record) for _ in range(repeats + 1)][1:]
    return {"runs": runs, "events": fresh(counted, record)}


def main():
    out, loops, long, repeats = sys.argv[1], *map(int, sys.argv[2:5])
    chosen = sys.argv[5:]
    baseline, probes, wholes = [], {}, {}
    make_disk()
    keep(["perf", "trace-cmd", "sh", FXTREC, PEER])
    baseline += [window(bench(loops), loops) for _ in range(repeats + 1)][1:]
    log("baseline", baseline)
    for name, make in (TRACERS | CHOOSING).items():
        if name not in (chosen or TRACERS):
            continue
        probes[name] = probe(make(), loops, repeats, baseline)
        log(name, probes[name])
    # Once more with nothing at all: what the bench's own noise would count as a cost.
    probes["none"] = probe(Tracer(), loops, repeats, baseline)
    log("none", probes["none"])
    # The module stays loaded from here on.
    loaded = os.path.exists("/sys/module/fxtrec") or not text(["insmod", MODULE])
    idle = probe(Tracer(), loops, repeats, baseline) if loaded else None
    log("idle", idle)
    if not chosen or "whole" in chosen:
        for length in (loops, long):
            for name, record in WHOLE.items():
                wholes[f"{name} {length}"] = whole(record + bench(length), repeats)
                log(name, length, wholes[f"{name} {length}"])
    with open(out, "w") as f:
        json.dump({"machine": machine(), "loops": loops, "long": long, "baseline": baseline,
                   "probes": probes, "idle": idle, "whole": wholes}, f, indent=1)


if __name__ == "__main__":
    main()
