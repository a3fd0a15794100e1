# SPDX-License-Identifier: GPL-2.0-only
"""What a flight recorder takes on a machine of many CPUs: cpus_measure.py OUT REPEATS [full], in a guest; measure() anywhere."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), part)
                for part in ("lib", "../lib")]
from place import FXTREC, MODULE, machine
import recorder

LOAD = ["perf", "bench", "sched", "messaging", "-g", "4", "-l", "200"]
# Of each CPU: more than its ring of 4 MiB holds.
FILLING = ["perf", "bench", "sched", "pipe", "-l", "30000"]


def fill():
    """Fills the rings of all CPUs."""
    loads = [subprocess.Popen(["taskset", "-c", str(cpu), *FILLING], stdout=subprocess.DEVNULL)
             for cpu in sorted(os.sched_getaffinity(0))]
    if any(load.wait() for load in loads):
        raise RuntimeError("no load")


def available():
    with open("/proc/meminfo") as f:
        return int(re.search(r"MemAvailable: *(\d+)", f.read())[1]) << 10


def snapshot():
    began = time.monotonic()
    path = subprocess.run([FXTREC, "snapshot"], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    took = time.monotonic() - began
    size = os.path.getsize(path)
    os.unlink(path)
    return took, size


def measure(backend, repeats, prefix=(), full=False):
    """Medians of: memory that it takes, seconds until it records, and until a snapshot is on the disk; its bytes."""
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            free, began = available(), time.monotonic()
            process = recorder.start(["--flight", "--backend=" + backend, "-o", folder + "/flight.fxt"], prefix=prefix)
            run = {"start": time.monotonic() - began, "memory": free - available()}
            if full:
                fill()
            else:
                subprocess.run(LOAD, stdout=subprocess.DEVNULL, check=True)
            run["snapshot"], run["bytes"] = snapshot()
            recorder.end(process)
            runs.append(run)
    return {key: sorted(run[key] for run in runs)[len(runs) // 2] for key in runs[0]}


def main():
    out, repeats = sys.argv[1], int(sys.argv[2])
    subprocess.run(["insmod", MODULE], check=True)
    full = sys.argv[3:] == ["full"]
    results = {backend: measure(backend, repeats, full=full) for backend in ("kmod", "bpf")}
    with open("/sys/devices/system/cpu/possible") as possible, open("/sys/devices/system/cpu/present") as present:
        cpus = [f.read().strip() for f in (possible, present)]
    with open(out, "w") as f:
        json.dump({"machine": machine(), "cpus": cpus, "results": results}, f)


if __name__ == "__main__":
    main()
