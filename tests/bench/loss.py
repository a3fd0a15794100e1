# SPDX-License-Identifier: GPL-2.0-only
"""What each recorder loses under a sustained load with its default buffers, and its CPU time."""
import tempfile

import place
from load import sustain
from table import MISSING, machine, number, table
from tracers import Fxtrec, Perf, TraceCmd
from vm import guest

TITLE = "Losses"
LABELS = {"fxtrec-kmod": "fxtrec module", "fxtrec-bpf": "fxtrec eBPF",
          "perf": "perf record -a", "trace-cmd": "trace-cmd record"}


def run(options):
    native = {}
    with tempfile.TemporaryDirectory(dir=place.RESULTS) as folder:
        for name, tracer in (("fxtrec-bpf", Fxtrec("bpf", folder + "/trace.fxt")),
                             ("perf", Perf(folder + "/perf.data")),
                             ("trace-cmd", TraceCmd(folder + "/trace.dat"))):
            native[name] = sustain(tracer, options.seconds)
    vm = guest("loss.py", [options.seconds], cpus=4, memory="6G", counting=False,
               timeout=20 * options.seconds + 600)
    return {"machine": place.machine(), "vm machine": vm["machine"], "seconds": options.seconds,
            "native": native, "vm": vm["results"]}


def cells(result):
    if result is None:
        return [MISSING] * 4
    events = number(result.get("events")) if "events" in result else "not counted"
    return [number(result["lost"]), events, f"{100 * result['share']:.2f} %",
            number(result["seconds"], 1)]


def lines(data):
    header = ["recorder", "lost", "events", "CPU time, of the machine's", "seconds"]
    out = [f"`perf bench sched messaging -g 20` and four of `perf bench sched pipe` at once for "
           f"{data['seconds']} s, default buffers, one recorder after the other."]
    for where in ("native", "vm"):
        on = data["machine"] if where == "native" else data["vm machine"]
        rows = [[LABELS[name], *cells(data[where].get(name))] for name in LABELS]
        out += ["", machine({"machine": on}), "", *table(header, rows)]
    return out


def summary(data):
    rows = []
    for where, what in (("native", "this machine"), ("vm", "guest of 4 CPUs")):
        results = data[where]
        names = (("module", "fxtrec-kmod"), ("eBPF", "fxtrec-bpf"), ("perf", "perf"),
                 ("trace-cmd", "trace-cmd"))
        there = [(column, results[name]) for column, name in names if name in results]
        ours = [result["lost"] for column, result in there if column in ("module", "eBPF")]
        rows.append((f"events lost in {data['seconds']} s of load, {what}",
                     {column: number(result["lost"]) for column, result in there},
                     "0", not any(ours)))
        rows.append((f"recorder's CPU time of the machine's then, {what}",
                     {column: f"{100 * result['share']:.2f} %" for column, result in there},
                     "", None))
    return rows
