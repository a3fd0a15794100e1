# SPDX-License-Identifier: GPL-2.0-only
"""Events that a conversion gets through in a second, beside what prints other tracers' files."""
import os
import subprocess
import tempfile
import time
from statistics import median

import place
from table import MISSING, machine, number, table, times
from tracers import TRACE_CMD

TITLE = "Conversion"
LOOPS = 250000
RUNS = 5
FORMATS = {"ftrace": ".txt", "json": ".json", "perfetto": ".pftrace", "html": ".html", "fxt": ".fxt"}
PEERS = {"perf script": 10, "trace-cmd report": 10}


def timed(command, out):
    """Seconds that a command takes to write its output to a file; None where it fails."""
    with open(out, "wb") as f:
        began = time.monotonic()
        done = subprocess.run(command, stdout=f, stderr=subprocess.PIPE)
        took = time.monotonic() - began
    return took if done.returncode == 0 else None


def lines_of(path, word):
    with open(path, "rb") as f:
        return sum(word in line for line in f)


def record(folder):
    """Files of the same load by each recorder; the command that makes text of each."""
    ours, perf, cmd = (os.path.join(folder, name) for name in ("t.fxt", "t.data", "t.dat"))
    bench = ["perf", "bench", "sched", "pipe", "-l", str(LOOPS)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([place.FXTREC, "record", "--backend=bpf", "-b", "32M", "-o", ours, "--"] + bench,
                   check=True, **quiet)
    subprocess.run(["perf", "record", "-a", "-m", "32M", "-e", "sched:sched_switch", "-e",
                    "sched:sched_waking", "-o", perf, "--"] + bench, check=True, **quiet)
    commands = {"perf script": ["perf", "script", "-i", perf]}
    try:
        done = subprocess.run([TRACE_CMD, "record", "-q", "-b", "65536", "-e", "sched_switch", "-e",
                               "sched_waking", "-o", cmd] + bench, **quiet)
        if done.returncode == 0:
            commands["trace-cmd report"] = ["trace-cmd", "report", "-i", cmd]
    except OSError:
        pass
    return ours, commands


def run(options):
    seconds, events, sizes = {}, {}, {}
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        ours, commands = record(folder)
        for name, suffix in FORMATS.items():
            commands[name] = [place.FXTREC, "convert", ours, "--to=" + name, "-o", "-"]
        out = {name: os.path.join(folder, "out" + str(i)) for i, name in enumerate(commands)}
        # Interleaved: what else the machine does falls on all alike.
        for _ in range(max(RUNS, options.repeats)):
            for name, command in commands.items():
                seconds.setdefault(name, []).append(timed(command, out[name]))
            for name in FORMATS:
                seconds.setdefault("cat " + name, []).append(
                    timed(["cat", out[name]], os.path.join(folder, "cat")))
        for name in commands:
            sizes[name] = os.path.getsize(out[name])
            if name in PEERS:
                events[name] = lines_of(out[name], b"sched_")
        events["fxtrec"] = lines_of(out["ftrace"], b"sched_")
    return {"machine": place.machine(), "seconds": seconds, "events": events, "sizes": sizes}


def rate(data, name):
    """Events a second, by the median."""
    runs = data["seconds"].get(name)
    if not runs or None in runs:
        return None
    return data["events"].get(name, data["events"]["fxtrec"]) / median(runs)


def of_cat(data, name):
    """The speed of the conversion as a part of cat's, on the same output."""
    return median(data["seconds"]["cat " + name]) / median(data["seconds"][name])


def lines(data):
    perf = rate(data, "perf script")
    rows = [[name, number(data["events"].get(name, data["events"]["fxtrec"])),
             times(rate(data, name), perf, 1) if rate(data, name) else MISSING,
             f"{of_cat(data, name):.2f}" if name in FORMATS else ""]
            for name in [*FORMATS, *PEERS] if name in data["seconds"]]
    return [f"One recorder after the other under `perf bench sched pipe -l {LOOPS}`; medians of "
            f"{len(data['seconds']['ftrace'])} interleaved runs; ours from FXT, theirs from their "
            "own files, all to a file.", machine(data), ""] + \
        table(["to", "events", "events a second, times perf script's", "of cat's speed"], rows)


def summary(data):
    perf, cmd = rate(data, "perf script"), rate(data, "trace-cmd report")
    rows = []
    for name, least in (("ftrace", 10), ("json", 10), ("perfetto", 20)):
        ratio = rate(data, name) / perf if perf else None
        figures = {"eBPF": times(rate(data, name), perf, 1), "perf": "1",
                   "trace-cmd": times(cmd, perf, 1) if cmd else MISSING}
        rows.append((f"FXT to {name}, events a second, times perf script's", figures, str(least),
                     None if ratio is None else ratio >= least))
    return rows
