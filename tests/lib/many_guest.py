# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace on a machine out of the ordinary, in a guest: many_guest.py OUT SECONDS WAY."""
import contextlib
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ftrace
import inside
import recorder
from inside import MODULE, result, sh
from tap import BUILD

OUT, SECONDS, WAY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
CPU = "/sys/devices/system/cpu"
SCX = "/sys/kernel/sched_ext"
CPUS = os.cpu_count()
# Of the ways in which a guest is out of the ordinary: which of its CPUs are nohz_full= and isolcpus=.
ALONE = range(1, CPUS) if WAY == "nohz" else ()


def content(path):
    with open(path, encoding="ascii") as f:
        return f.read().strip()


def available():
    return int(re.search(r"MemAvailable: *(\d+)", content("/proc/meminfo"))[1]) >> 10


@contextlib.contextmanager
def scheduler():
    """One of sched_ext is loaded meanwhile, where that is the way."""
    if WAY == "scx":
        sh(f"bpftool struct_ops register {BUILD}/tests/scx.bpf.o")
    try:
        yield
    finally:
        if WAY == "scx":
            result((content(SCX + "/state"), content(SCX + "/root/ops")) == ("enabled", "fxt_queue"),
                   "a scheduler of sched_ext was loaded all the time", content(SCX + "/state"))
            sh("bpftool struct_ops unregister name fxt_queue")


def load():
    """What load.sh does, again and again; threads visit each CPU, and CPUs that are kept free have a thread for their own."""
    until = time.monotonic() + SECONDS
    spinning = [subprocess.Popen(["taskset", "-c", str(cpu), "sh", "-c", "while :; do :; done"]) for cpu in ALONE[1:]]
    turns = 0
    while time.monotonic() < until or not turns:
        sh(f"{HERE}/load.sh 8000", 900)
        for cpu in range(CPUS):
            sh(f"taskset -c {cpu} taskset -c {(cpu + 1) % CPUS} sleep 0.001")
        turns += 1
    for process in spinning:
        process.kill()
        process.wait()


def measured(figures, name, call):
    began = time.monotonic()
    got = call()
    figures[name] = time.monotonic() - began
    return got


def record():
    """By both at once, and by ftrace; what each took."""
    figures = {"kmod": {}, "bpf": {}}
    processes, said = {}, {}
    instance = ftrace.Instance(6000 if CPUS > 16 else 40000)
    try:
        with instance, scheduler():
            for backend, of in figures.items():
                free = available()
                processes[backend] = measured(of, "start", lambda b=backend: recorder.start(
                    ["--backend=" + b, "--no-marks", "-o", f"{OUT}/{b}.fxt"], seconds=300))
                of["memory"] = free - available()
            load()
            for backend, of in reversed(figures.items()):
                said[backend] = measured(of, "end", lambda b=backend: recorder.end(processes[b], 300))
        result(instance.lost() == 0, "ftrace lost nothing", instance.lost())
        instance.save(f"{OUT}/ftrace.txt")
    finally:
        instance.enable(False)
        instance.remove()
    for backend, text in said.items():
        result(recorder.all_recorded(text, backend), f"{backend}: nothing lost", text)
        print(text, figures[backend], flush=True)
    return figures


done = sh(f"insmod {MODULE}")
result(done.returncode == 0, "the module loads", done.stdout)
if WAY == "nohz":
    for name in ("nohz_full", "isolated"):
        result(content(f"{CPU}/{name}") == f"1-{CPUS - 1}", f"{name}= is in effect", content(f"{CPU}/{name}"))
with open(f"{OUT}/figures.json", "w", encoding="ascii") as f:
    json.dump({"cpus": CPUS, **record()}, f)
sh("rmmod fxtrec")
inside.finish(OUT)
