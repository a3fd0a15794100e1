# SPDX-License-Identifier: GPL-2.0-only
"""Instructions that a filtered or watched event costs, counted in a guest of one CPU."""
from cost import added, noise
from table import machine, number, table
from vm import guest

TITLE = "Filters and triggers: instructions"
ROWS = {
    "filter-kept": "kept, with a filter of threads",
    "filter-left-out": "left out by it",
    "filter-kept-cpu": "kept, with -C",
    "flight-none": "flight recorder, no trigger",
    "flight-latency": "the same, --trigger=latency",
    "flight-dsleep": "the same, --trigger=dsleep",
    "flight-both": "the same, both",
}
BACKENDS = ("kmod", "bpf")


def run(options):
    loops = 20000
    names = [f"{backend}-{row}" for row in ROWS for backend in BACKENDS]
    return guest("cost.py", [loops, 2 * loops, options.repeats, "fxtrec-kmod", "fxtrec-bpf", *names])


def lines(data):
    rows = [["recorded, no filter", *(number(added(data, "fxtrec-" + b), 1) for b in BACKENDS)]]
    rows += [[label, *(number(added(data, f"{b}-{row}"), 1) for b in BACKENDS)]
             for row, label in ROWS.items()]
    spread = max(noise(data, probe) for probe in data["probes"].values())
    return [f"`perf bench sched pipe -l {data['loops']}`; added instructions an event of "
            f"sched_switch and sched_waking, medians (±{spread:.1f}); nothing is written to files.",
            machine(data), "", *table(["an event", "module", "eBPF"], rows)]


def summary(data):
    """Rows of the one table: what, {tracer: figure}, target, whether it is met."""
    return [("an event that a filter leaves out: instructions",
             {column: number(added(data, f"{backend}-filter-left-out"))
              for column, backend in zip(("module", "eBPF"), BACKENDS)}, "", None)]
