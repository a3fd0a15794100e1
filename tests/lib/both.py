# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace at once, in a guest, and what it took."""
import contextlib
import re
import time

import ftrace
import inside
import recorder
from inside import MODULE, result, sh

HERE = inside.HERE
BACKENDS = ("kmod", "bpf")
# A guest's CPUs take turns in one thread of the host's.
PATIENCE = 600


def content(path):
    try:
        with open(path, encoding="ascii") as f:
            return f.read().strip()
    except OSError as error:
        return str(error)


def available():
    """MiB."""
    return int(re.search(r"MemAvailable: *(\d+)", content("/proc/meminfo"))[1]) >> 10


def loads(seconds, switches, prefix=""):
    """What load.sh does, once and then for as long as that."""
    until = time.monotonic() + seconds
    while True:
        sh(f"{prefix} {HERE}/load.sh {switches}")
        if time.monotonic() >= until:
            break


def record(out, load, kilobytes, during=contextlib.nullcontext, prefix=()):
    """
    load() with the module loaded, recorded to OUT/BACKEND.fxt and by ftrace, with buffers of so many kilobytes a CPU, to
    OUT/ftrace.txt.  By backend: the seconds of the start, of the load and of the end, and the MiB that it took.
    """
    done = sh(f"insmod {MODULE}")
    result(done.returncode == 0, "the module loads", done.stdout)
    figures, processes, said = {}, {}, {}
    instance = ftrace.Instance(kilobytes)
    try:
        with instance, during():
            for backend in BACKENDS:
                free, began = available(), time.monotonic()
                processes[backend] = recorder.start(["--backend=" + backend, "--no-marks", "-o", f"{out}/{backend}.fxt"],
                                                    prefix, PATIENCE)
                figures[backend] = {"start": time.monotonic() - began, "memory": free - available()}
            began = time.monotonic()
            load()
            for backend in reversed(BACKENDS):
                figures[backend]["load"] = time.monotonic() - began
                ending = time.monotonic()
                said[backend] = recorder.end(processes[backend], PATIENCE)
                figures[backend]["end"] = time.monotonic() - ending
        result(instance.lost() == 0, "ftrace lost nothing", instance.lost())
        instance.save(f"{out}/ftrace.txt")
    finally:
        instance.enable(False)
        instance.remove()
    for backend, text in said.items():
        result(recorder.all_recorded(text, backend), f"{backend}: nothing lost", text)
    sh("rmmod fxtrec")
    return figures
