# SPDX-License-Identifier: GPL-2.0-only
"""What a flight recorder takes by the number of CPUs: in guests, and here with a sysfs that says so."""
import os
import sys
import tempfile

import place
from table import machine, number, table
from vm import guest

sys.path.append(os.path.join(place.BENCH, "guest"))

TITLE = "CPUs"
# By the name of the row: QEMU's -smp, its memory, and the present ones of so many possible.
MACHINES = {
    "2 of 64 possible": ("2,maxcpus=64", "2G", 2, 64),
    "64": ("64", "4G", 64, 64),
    "256": ("255", "6G", 256, 256),
}
# Hundreds of CPUs that take turns on one thread starve each other: that is no lockup.
PATIENT = ["-a", "nowatchdog rcupdate.rcu_cpu_stall_suppress=1"]
LABELS = {"kmod": "module, guest", "bpf": "eBPF, guest", "native": "eBPF, this machine"}


def native(present, possible, repeats):
    """With more CPUs made up: their rings stay empty."""
    from cpus_measure import measure

    with tempfile.TemporaryDirectory() as folder:
        script = "set -e; "
        for name, count in (("present", present), ("possible", possible)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as f:
                f.write(f"0-{count - 1}\n")
            script += f"mount --bind {folder}/{name} /sys/devices/system/cpu/{name}; "
        return measure("bpf", repeats, ["unshare", "--mount", "sh", "-c", script + 'exec "$@"', "sh"])


def run(options):
    results = {}
    for name, (cpus, memory, present, possible) in MACHINES.items():
        results[name] = {"native": native(present, possible, options.repeats)}
        data = guest("cpus_measure.py", [1 if options.quick else 3], cpus=cpus, memory=memory, counting=False,
                     options=PATIENT)
        results[name].update(data["results"], cpus=data["cpus"], machine=data["machine"])
    return {"machine": place.machine(), "results": results}


def lines(data):
    rows = []
    for name, of in data["results"].items():
        for key, label in LABELS.items():
            r = of[key]
            rows.append([f"{name}: {label}", number(r["memory"] / 2 ** 20), number(r["start"], 2),
                         number(r["snapshot"], 2), number(r["bytes"] / 2 ** 20, 1)])
    guests = "; ".join(f"{name}: present {of['cpus'][1]} of {of['cpus'][0]}" for name, of in data["results"].items())
    return ["`record --flight` with the default buffers, 4 MiB a CPU.  A guest's CPUs take turns in one emulated "
            "processor, so its times are some 20 times this machine's.  Here, sysfs is made to name more CPUs than "
            "there are, and their rings are empty.  The memory is what is no longer available, give or take "
            f"some MiB of the rest of the machine's.  QEMU without x2APIC has 255 CPUs.  Guests: {guests}.",
            machine(data), ""] + \
        table(["a flight recorder", "MiB taken", "s to start", "s for a snapshot", "MiB written"], rows)


def summary(data):
    return [(f"MiB that a flight recorder takes, CPUs: {name}",
             {"module": number(of["kmod"]["memory"] / 2 ** 20), "eBPF": number(of["bpf"]["memory"] / 2 ** 20)}, "", None)
            for name, of in data["results"].items()]
