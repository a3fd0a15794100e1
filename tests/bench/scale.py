# SPDX-License-Identifier: GPL-2.0-only
"""How the cost of an event grows with the number of CPUs that record at once."""
import os
import tempfile

import place
from pairs import pairs
from table import machine, median, number, spread, table
from tracers import Fxtrec, Tracer
from vm import guest

TITLE = "Scale"
CPUS = (1, 2, 4, 8)
LABELS = {"fxtrec-kmod": "fxtrec module", "fxtrec-bpf": "fxtrec eBPF", "ftrace": "ftrace"}
TIMES = 100000


def run(options):
    times = 2000 if options.quick else 10000
    counted = {str(cpus): guest("scale.py", [times, min(3, options.repeats)], cpus=cpus,
                                backport=True)
               for cpus in CPUS}
    for cpus, data in counted.items():
        if not data["machine"]["cpu"].startswith(cpus + " of"):
            raise RuntimeError(f"vm-run gave {data['machine']['cpu']} in place of {cpus} CPUs")
    return {"machine": place.machine(), "vm machine": counted["1"]["machine"], "times": times,
            "counted": {cpus: data["results"] for cpus, data in counted.items()},
            "native": native(options)}


def native(options):
    """Nanoseconds until all is done here, on one CPU and on all at once, without and with eBPF."""
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(max(7, options.repeats) + 1):
            for name in ("none", "fxtrec-bpf"):
                tracer = Tracer() if name == "none" else \
                    Fxtrec("bpf", folder + "/trace.fxt", asleep=True, buffer="256M")
                tracer.start()
                for cpus in (1, os.cpu_count()):
                    time = pairs(cpus, TIMES // (5 if options.quick else 1))
                    if turn:
                        runs.setdefault(f"{name} {cpus}", []).append(time)
                tracer.stop()
    return runs


def added(results, name):
    extra = median(results[name]["runs"]) - median(results["none"]["runs"])
    return extra / results[name]["events"]


def noise(results, name):
    return (spread(results[name]["runs"]) + spread(results["none"]["runs"])) / \
        results[name]["events"]


def native_ratio(data):
    """Time that eBPF adds with all CPUs recording, of that with one; and the CPUs."""
    runs = data["native"]
    most = max(int(key.split()[1]) for key in runs)
    extra = [median(a - b for a, b in zip(runs[f"fxtrec-bpf {n}"], runs[f"none {n}"]))
             for n in (1, most)]
    return extra[1] / extra[0], most


def lines(data):
    rows = [[label] + [f"{added(data['counted'][cpus], name):.1f} ±"
                       f"{noise(data['counted'][cpus], name):.1f}" for cpus in data["counted"]]
            for name, label in LABELS.items()]
    ratio, cpus = native_ratio(data)
    return [f"A pair of processes on each CPU that pass a byte {data['times']:,} times to and fro, "
            "all at once; reader asleep. "
            "The guest's CPUs take turns on one host thread and one instruction counter, so a count "
            "shows shared work, locks and retries, not the cost of a cache line that moves between "
            "CPUs.", machine({"machine": data["vm machine"]}), ""] + \
        table(["instructions an event", *(f"{n} CPU" for n in data["counted"])], rows) + \
        ["", f"Cache lines show in time alone: on this machine, eBPF adds {ratio:.2f} times as much "
         f"to a round trip with {cpus} CPUs recording at once as with 1.", machine(data)]


def summary(data):
    rows = []
    for cpus in data["counted"]:
        of = data["counted"][cpus]
        rows.append((f"instructions an event, {cpus} CPU", {
            "module": number(added(of, "fxtrec-kmod")), "eBPF": number(added(of, "fxtrec-bpf")),
            "ftrace": number(added(of, "ftrace"))}, "flat", None))
    ratio, cpus = native_ratio(data)
    rows.append((f"added time with {cpus} CPUs at once, of 1 CPU's, this machine",
                 {"eBPF": number(ratio, 2)}, "flat", None))
    return rows
