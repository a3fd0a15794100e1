# SPDX-License-Identifier: GPL-2.0-only
"""Bytes that each tracer's file takes for an event, over a loaded minute on this machine."""
import tempfile

import place
from load import sustain
from table import MISSING, machine, number, table
from tracers import Counter, Fxtrec, Perf, TraceCmd

TITLE = "Size"
LABELS = {"fxtrec-bpf": "fxtrec, trace.fxt", "perf": "perf record -a, perf.data",
          "trace-cmd": "trace-cmd record, trace.dat as it is by default, compressed",
          "trace-cmd-none": "trace-cmd record --compression none, trace.dat"}


def tracers(folder):
    return {"fxtrec-bpf": Fxtrec("bpf", folder + "/trace.fxt"), "perf": Perf(folder + "/perf.data"),
            "trace-cmd": TraceCmd(folder + "/trace.dat"),
            "trace-cmd-none": TraceCmd(folder + "/trace.dat", ["--compression", "none"])}


def run(options):
    results = {}
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        for name, tracer in tracers(folder).items():
            results[name] = sustain(tracer, options.seconds, forks=True, counter=Counter())
            # trace-cmd doesn't tell how many it recorded.
            if "events" not in results[name]:
                results[name]["events"] = results[name]["counted"] - results[name]["lost"]
    return {"machine": place.machine(), "seconds": options.seconds, "results": results}


def each(data, name):
    result = data["results"].get(name)
    return result["bytes"] / result["events"] if result and result["events"] else None


def lines(data):
    rows = [[label, number(each(data, name), 1)] +
            [number(data["results"][name][key]) if name in data["results"] else MISSING
             for key in ("events", "lost", "bytes")]
            for name, label in LABELS.items()]
    return [f"`perf bench sched messaging -g 20`, four of `perf bench sched pipe` and a loop of "
            f"short processes for {data['seconds']} s, each recorder alone; whole files, names "
            "and tables included.", machine(data), ""] + \
        table(["file", "bytes an event", "events", "lost", "bytes"], rows)


def summary(data):
    ours = each(data, "fxtrec-bpf")
    return [("bytes an event over a loaded minute, whole file", {
        "eBPF": number(ours, 1), "perf": number(each(data, "perf"), 1),
        "trace-cmd": f"{number(each(data, 'trace-cmd-none'), 1)}, "
                     f"{number(each(data, 'trace-cmd'), 1)} compressed"}, "48", ours <= 48)]
