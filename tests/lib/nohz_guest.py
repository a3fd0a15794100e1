# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace where CPUs are kept free, in a guest: nohz_guest.py OUT SECONDS."""
import contextlib
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import both
import inside
from inside import result, sh
from tap import BUILD

OUT, SECONDS = sys.argv[1], int(sys.argv[2])
CPU = "/sys/devices/system/cpu"
# Each with a thread for itself, which never sleeps; CPU 1 is free but for the recorders.
SPINNING = (2, 3)
QUIET_S = 5


@contextlib.contextmanager
def spinning():
    processes = [subprocess.Popen(["taskset", "-c", str(cpu), os.path.join(BUILD, "tests", "spins")]) for cpu in SPINNING]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def ticks():
    """Interrupts of each CPU's own timer."""
    with open("/proc/interrupts", encoding="ascii") as f:
        return next([int(n) for n in line.split()[1:1 + os.cpu_count()]] for line in f if line.split()[0] == "LOC:")


def load():
    before = ticks()
    time.sleep(QUIET_S)
    came = [after - of for of, after in zip(before, ticks())]
    result(all(came[0] > 10 * came[cpu] for cpu in SPINNING),
           "while both record, a thread that has its CPU for itself has no tick", came)
    both.loads(SECONDS, 800, "taskset -c 0-3")
    sh("for i in $(seq 20); do for cpu in 1 2 3; do taskset -c $cpu sleep 0.001; done; done")


for name in ("nohz_full", "isolated"):
    result(both.content(f"{CPU}/{name}") == "1-3", f"{name}= is in effect", both.content(f"{CPU}/{name}"))
both.record(OUT, load, 20000, spinning, ("taskset", "-c", "1"))
inside.finish(OUT)
