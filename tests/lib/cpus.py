# SPDX-License-Identifier: GPL-2.0-only
"""What runs inside a virtual machine with few of its possible CPUs present: cpus.py OUT."""
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ftrace
import inside
import recorder
from inside import MODULE, result, sh
from tap import FXTREC

OUT = sys.argv[1]
CPU = "/sys/devices/system/cpu"
# Of two CPUs, with what else a recorder takes; the rings of all possible ones take 256.
RINGS_MIB = 64


def available():
    with open("/proc/meminfo") as f:
        return int(re.search(r"MemAvailable: *(\d+)", f.read())[1]) >> 10


def state(cpu, on):
    with open(f"{CPU}/cpu{cpu}/online", "w") as f:
        f.write("1" if on else "0")


def plugged(number, cpu):
    """Asks the host for a CPU, and has it run."""
    with open(f"{OUT}/plug-{number}", "w") as f:
        f.write("")
    for _ in range(600):
        if os.path.exists(f"{CPU}/cpu{cpu}/online"):
            break
        time.sleep(0.1)
    state(cpu, True)


def load(cpu):
    sh(f"taskset -c {cpu} perf bench sched pipe -l 2000")


def events(instance, cpu):
    """How many events ftrace has of a CPU."""
    with open(f"{instance.path}/per_cpu/cpu{cpu}/stats") as f:
        return int(re.search(r"entries: (\d+)", f.read())[1])


def late(backend, number, cpu):
    """A CPU that comes while others are recorded: what it does is counted as lost."""
    path = f"{OUT}/late-{backend}.fxt"
    free = available()
    process = recorder.start(["--backend=" + backend, "-o", path])
    taken = free - available()
    result(taken < RINGS_MIB, f"{backend}: rings of the present CPUs", f"{taken} MiB")
    instance = ftrace.Instance(4000)
    try:
        with instance:
            plugged(number, cpu)
            load(cpu)
            state(cpu, False)
            said = recorder.end(process)
        seen = events(instance, cpu)
    finally:
        instance.remove()
    reported = re.search(rf"cpu {cpu} lost (\d+) scheduling events \(no ring", said)
    result(reported and int(reported[1]) == seen > 4000,
           f"{backend}: each event of a CPU that came later is counted", f"{seen} by ftrace; {said}")
    return int(reported[1]) if reported else 0


def absent(backend, cpu):
    """A CPU that is present and offline when the recording begins."""
    process = recorder.start(["--backend=" + backend, "-o", f"{OUT}/absent-{backend}.fxt"])
    state(cpu, True)
    load(cpu)
    state(cpu, False)
    said = recorder.end(process)
    result("nothing lost" in said, f"{backend}: a CPU that comes online has its rings", said)


def descriptors():
    """Tracepoints that take more descriptors than the hard limit, which root may raise."""
    done = sh("prlimit --nofile=64:64 " + FXTREC + " record --backend=bpf -e 'sched:*' -o /tmp/many.fxt -- "
              "sh -c 'ulimit -Hn'")
    result(done.returncode == 0 and done.stdout.split()[0] == "64",
           "bpf: more tracepoints than the hard limit of descriptors allows", done.stdout)


with open(CPU + "/possible") as possible, open(CPU + "/present") as present:
    machine = (possible.read().strip(), present.read().strip())
result(machine == ("0-63", "0-1"), "2 of 64 possible CPUs are present", machine)
sh(f"insmod {MODULE}")
lost = {"kmod": late("kmod", 1, 2), "bpf": late("bpf", 2, 3)}
for each in lost:
    absent(each, 3)
descriptors()
with open(f"{OUT}/lost", "w") as f:
    f.write(f"{lost['kmod']} {lost['bpf']}")
inside.finish(OUT)
