# SPDX-License-Identifier: GPL-2.0-only
"""Instructions that each tracer adds to an event, counted in a guest of one CPU."""
from table import machine, median, number, spread, table, times
from vm import ARM64, guest

TITLE = "Cost: instructions"
LABELS = {
    "fxtrec-kmod": "fxtrec module, reader asleep",
    "fxtrec-kmod-mono": "fxtrec module, --clock=mono, reader asleep",
    "fxtrec-bpf": "fxtrec eBPF, reader asleep",
    "fxtrec-kmod-no-reasons": "fxtrec module, --no-reasons, reader asleep",
    "fxtrec-bpf-no-reasons": "fxtrec eBPF, --no-reasons, reader asleep",
    "fxtrec-kmod+reader": "fxtrec module, reader running, to a file",
    "fxtrec-kmod-mono+reader": "fxtrec module, --clock=mono, reader running, to a file",
    "fxtrec-bpf+reader": "fxtrec eBPF, reader running, to a file",
    "fxtrec-kmod+tmpfs": "fxtrec module, reader running, to tmpfs",
    "fxtrec-bpf+tmpfs": "fxtrec eBPF, reader running, to tmpfs",
    "ftrace": "ftrace, own instance, no reader",
    "perf+reader": "perf record -a, with its own writing",
    "trace-cmd+reader": "trace-cmd record, with its own writing",
    "ringbuf": "BPF ring buffer, 32-byte events, no reader",
    "array": "bare 32-byte records to a mapped BPF array",
    "empty": "an empty pair of BPF programs",
    "none": "no tracer (the noise of this measurement)",
}
WHOLE = ("fxtrec-kmod", "fxtrec-bpf", "perf", "trace-cmd")


# Where there is no peer to compare with.
OURS = ("fxtrec-kmod", "fxtrec-bpf", "fxtrec-kmod+reader", "fxtrec-bpf+reader")


def run(options):
    loops = 20000
    return guest("cost.py", [loops, loops * (2 if options.quick else 5), options.repeats, *(OURS if ARM64 else ())])


def events(data):
    """Of a run: the same with each tracer, but for a count that the host stalled in."""
    return median(probe["events"] for probe in data["probes"].values())


def whole_events(data, loops):
    return median(of["events"] for name, of in data["whole"].items()
                  if name.endswith(f" {loops}"))


def added(data, name):
    """Median instructions an event over the runs without a tracer, or None."""
    probe = data["idle"] if name == "idle" else data["probes"].get(name)
    if not probe:
        return None
    return (median(probe["runs"]) - median(data["baseline"])) / events(data)


def noise(data, probe):
    return (spread(probe["runs"]) + spread(data["baseline"])) / events(data)


def whole(data, name, loops):
    """(instructions an event, instructions) that a whole recording of the bench adds."""
    recorded, bare = data["whole"].get(f"{name} {loops}"), data["whole"].get(f"none {loops}")
    if not recorded or not bare:
        return None, None
    extra = median(recorded["runs"]) - median(bare["runs"])
    return extra / whole_events(data, loops), extra


def slope(data, name):
    """Instructions an event that a longer recording adds: what doesn't depend on its length is left out."""
    (_, short), (_, long) = whole(data, name, data["loops"]), whole(data, name, data["long"])
    if short is None or long is None:
        return None
    return (long - short) / (whole_events(data, data["long"]) - whole_events(data, data["loops"]))


def lines(data):
    ftrace = added(data, "ftrace")
    rows = []
    for name, label in LABELS.items():
        probe = data["probes"].get(name)
        cost = added(data, name)
        rows.append([label, number(cost, 1), "" if probe is None else f"±{noise(data, probe):.1f}",
                     times(cost, ftrace), number(probe and probe["events"])])
    rows.append(["fxtrec module loaded, nothing recorded", number(added(data, "idle"), 1),
                 f"±{noise(data, data['idle']):.1f}" if data["idle"] else "", "",
                 number(data["idle"] and data["idle"]["events"])])
    out = [f"`perf bench sched pipe -l {data['loops']}`; added instructions an event of "
           "sched_switch and sched_waking, medians. Files are on ext4 but where it says tmpfs. "
           "The CPU has no fast `rep movsb`: each of its steps would count as an instruction.",
           machine(data), ""]
    out += table(["tracer", "instructions an event", "spread", "of ftrace's", "events"], rows)
    out += ["", "Whole recordings: all that the guest executed with the recorder, from its start to "
            "its end, less the same without it.", ""]
    rows = []
    for name in WHOLE:
        cost = [whole(data, name, loops)[0] for loops in (data["loops"], data["long"])]
        rows.append([name, *(number(c) for c in cost), number(slope(data, name))])
    out += table(["recorder", *(f"an event, -l {loops}" for loops in (data["loops"], data["long"])),
                  "an event more"], rows)
    return out + ["", "LTTng: missing; its modules don't build on this kernel."]


def summary(data):
    """Rows of the one table: what, {tracer: figure}, target, whether it is met."""
    cost = {name: added(data, name) for name in LABELS}
    kmod, bpf, mono = (cost[name + "+reader"] for name in
                       ("fxtrec-kmod", "fxtrec-bpf", "fxtrec-kmod-mono"))
    ftrace, idle = cost["ftrace"], added(data, "idle")
    return [
        ("instructions an event, recording to a file", {
            "module": number(kmod), "eBPF": number(bpf), "ftrace": number(ftrace) + ", no reader",
            "perf": number(cost["perf+reader"]), "trace-cmd": number(cost["trace-cmd+reader"])},
         "80, 240", kmod <= 80 and bpf <= 240),
        ("the same, of ftrace's", {
            "module": times(kmod, ftrace, 3), "eBPF": times(bpf, ftrace, 3), "ftrace": "1"},
         "0.1, 0.3", kmod <= ftrace / 10 and bpf <= 0.3 * ftrace),
        ("the same with --clock=mono", {"module": number(mono), "eBPF": number(bpf)}, "120",
         mono <= 120),
        ("the same to tmpfs, through the page cache", {
            "module": number(cost["fxtrec-kmod+tmpfs"]),
            "eBPF": number(cost["fxtrec-bpf+tmpfs"])}, "", None),
        ("the same, in the events' path alone", {
            "module": number(cost["fxtrec-kmod"]), "eBPF": number(cost["fxtrec-bpf"]),
            "ftrace": number(ftrace)}, "", None),
        *summary_whole(data),
        ("module loaded, nothing recorded: instructions an event", {"module": number(idle, 1)}, "0",
         abs(idle) <= noise(data, data["idle"]) + 1),
    ]


def summary_whole(data):
    columns = dict(zip(("module", "eBPF", "perf", "trace-cmd"), WHOLE))
    rows = []
    for loops in (data["loops"], data["long"]):
        each = {column: whole(data, name, loops)[0] for column, name in columns.items()}
        peers = (each["perf"], each["trace-cmd"])
        peer = None if None in peers else min(peers)
        what = f"whole recording of -l {loops}, "
        rows.append((what + "instructions an event",
                     {column: number(cost) for column, cost in each.items()}, "", None))
        rows += [(f"{what}{column}, of the cheaper peer's", {column: times(each[column], peer)},
                  "0.2", peer and each[column] <= peer / 5) for column in ("module", "eBPF")]
    return rows + [("each further event of it",
                    {column: number(slope(data, name)) for column, name in columns.items()},
                    "", None)]
