#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""eBPF's rings are those of the present CPUs, wherever these lie among the possible ones; sysfs is made up."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import recorder
import tap
from fxt import Switch
from tap import FXTREC, ok, run

CPU = "/sys/devices/system/cpu"
LAST = os.cpu_count() - 1
MIB = 1 << 20


class Machine:
    """A mount namespace in which files of the kernel's say something else."""

    def __init__(self, folder, **files):
        self.binds = ""
        for name, text in files.items():
            path = "/proc/meminfo" if name == "meminfo" else f"{CPU}/{name}"
            made = os.path.join(folder, name)
            with open(made, "w", encoding="ascii") as f:
                f.write(text + "\n")
            self.binds += f"mount --bind {made} {path}; "

    def prefix(self):
        return ["unshare", "--mount", "sh", "-c", "set -e; " + self.binds + 'exec "$@"', "sh"]


def maps_bytes(process):
    """Memory of the recorder's eBPF maps, by the kernel's own count."""
    total, folder = 0, f"/proc/{process.pid}/fdinfo"
    for fd in os.listdir(folder):
        with open(f"{folder}/{fd}") as f:
            said = re.search(r"^map_type.*^memlock:\s*(\d+)", f.read(), re.M | re.S)
        total += int(said[1]) if said else 0
    return total


def few(folder):
    """Two of 64 possible CPUs."""
    process = recorder.start(["--backend=bpf", "-o", folder + "/few.fxt"],
                             prefix=Machine(folder, possible="0-63", present=f"0-{LAST}").prefix())
    taken = maps_bytes(process)
    recorder.end(process)
    ok(4 * MIB * (LAST + 1) < taken < 4 * MIB * (LAST + 3), "rings of the present CPUs alone", taken)


def last(folder):
    """One CPU that is not the first: the others come later, so to say."""
    path = folder + "/last.fxt"
    process = recorder.start(["--backend=bpf", "-e", "irq", "-o", path],
                             prefix=Machine(folder, present=str(LAST)).prefix())
    for cpu in (0, LAST):
        run(["taskset", "-c", str(cpu), "perf", "bench", "sched", "pipe", "-l", "2000"])
    said = recorder.end(process)
    r = judge.load(path)
    judge.judge_valid(path, "a CPU that is not the first")
    switches = [e for _, e in r.events[LAST] if isinstance(e, Switch)]
    ok(len(switches) > 3000 and not any(r.events[cpu] for cpu in range(LAST)),
       "a present CPU that is not the first is recorded, and no other", len(switches))
    reported = {int(cpu): int(events) for cpu, events in
                re.findall(r"cpu (\d+) lost (\d+) scheduling events \(no ring", said)}
    ok(list(reported) == list(range(LAST)) and reported[0] > 3000,
       "the summary says what the others did, event by event", said)
    info = json.loads(run([FXTREC, "info", "--json", path]).stdout)
    ok(info["lost"]["no ring"] == sum(reported.values()), "and so does the file", (info["lost"], reported))


def snapshots(folder):
    """Each snapshot stands alone."""
    process = recorder.start(["--backend=bpf", "--flight", "-o", folder + "/flight.fxt"],
                             prefix=Machine(folder, present=str(LAST)).prefix())
    counts = []
    for _ in range(2):
        path = run([FXTREC, "snapshot"]).stdout.strip()
        counts.append(json.loads(run([FXTREC, "info", "--json", path]).stdout)["lost"].get("no ring", 0))
    recorder.end(process)
    ok(0 < counts[0] <= counts[1], "a snapshot has what CPUs without rings did until then", counts)


def refused(folder):
    text = open("/proc/meminfo", encoding="ascii").read()
    little = re.sub(r"(MemAvailable:\s*)\d+", r"\g<1>12000", text).strip()
    for backend in ("bpf", "auto"):
        done = run(Machine(folder, meminfo=little).prefix() +
                   [FXTREC, "record", "--backend=" + backend, "-d", "0.1", "-o", folder + "/no.fxt"])
        ok(done.returncode == 1 and done.stderr.count("\n") == 1 and "more than half of the available memory" in
           done.stderr and "a smaller -b" in done.stderr, f"{backend}: rings that take most of the memory", done.stderr)
    done = run(Machine(folder, possible="0-8192", present="0-8192").prefix() +
               [FXTREC, "record", "-d", "0.1", "-o", folder + "/no.fxt"])
    ok(done.returncode == 1 and "a CPU's id is above 8191" in done.stderr, "a CPU that no recording can have",
       done.stderr)


with tempfile.TemporaryDirectory() as where:
    few(where)
    if LAST:
        last(where)
        snapshots(where)
    else:
        tap.skip("CPUs that come later", "this machine has one CPU")
    refused(where)
tap.done()
