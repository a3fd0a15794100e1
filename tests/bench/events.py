# SPDX-License-Identifier: GPL-2.0-only
"""Instructions that recording each group of other events adds to one of them, counted in a guest of one CPU."""
from table import machine, median, number, spread, table
from vm import guest

TITLE = "Cost: other events"
LABELS = {
    "syscalls": "a system call's entry or return, `-e syscalls`",
    "tracepoint": "any tracepoint, `-e raw_syscalls:sys_enter`",
    "irq": "a softirq's entry or exit, `-e irq`",
    "power": "a change of idle state, `-e power`",
    "stack": "a sleep with its stack, `--stacks=all`",
    "no-stack": "a switch that is none of `--stacks`'",
}
BACKENDS = ("kmod", "bpf")


def run(options):
    return guest("events.py", [2000 if options.quick else 20000, options.repeats])


def added(data, group, backend):
    """Median instructions an event over a recording of scheduling alone, or None."""
    probe = data["probes"].get(f"{group} {backend}")
    if not probe:
        return None
    return (median(probe["runs"]) - median(probe["plain"])) / probe["events"]


def noise(data, group, backend):
    probe = data["probes"].get(f"{group} {backend}")
    return (spread(probe["runs"]) + spread(probe["plain"])) / probe["events"] if probe else 0


def lines(data):
    rows = [[label] + [cell for backend in BACKENDS
                       for cell in (number(added(data, group, backend)),
                                    f"±{noise(data, group, backend):.1f}")]
            for group, label in LABELS.items()]
    return [f"{data['loops']} rounds of a load for each; a recording with them less one without, "
            "its reader asleep, medians.", machine(data), ""] + \
        table(["event", "module", "spread", "eBPF", "spread"], rows)


def summary(data):
    return [(f"{label}: instructions an event", {
        "module": number(added(data, group, "kmod")), "eBPF": number(added(data, group, "bpf"))},
        "", None) for group, label in LABELS.items()]
