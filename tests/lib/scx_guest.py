# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace under a scheduler of sched_ext, in a guest: scx_guest.py OUT SECONDS."""
import contextlib
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ftrace
import inside
import recorder
from inside import MODULE, result, sh
from tap import BUILD

OUT, SECONDS = sys.argv[1], int(sys.argv[2])
SCX = "/sys/kernel/sched_ext"


def content(path):
    try:
        with open(path, encoding="ascii") as f:
            return f.read().strip()
    except OSError as error:
        return str(error)


@contextlib.contextmanager
def scheduler():
    said = sh(f"bpftool struct_ops register {BUILD}/tests/scx.bpf.o").stdout
    try:
        yield
    finally:
        state = content(SCX + "/state"), content(SCX + "/root/ops")
        result(state == ("enabled", "fxt_queue"), "a scheduler of sched_ext was loaded all the time", (state, said))
        sh("bpftool struct_ops unregister name fxt_queue")


def load():
    until = time.monotonic() + SECONDS
    while True:
        sh(f"{HERE}/load.sh 8000", 900)
        if time.monotonic() >= until:
            break


def record():
    processes, said = {}, {}
    instance = ftrace.Instance(40000)
    try:
        with instance, scheduler():
            for backend in ("kmod", "bpf"):
                processes[backend] = recorder.start(["--backend=" + backend, "--no-marks", "-o", f"{OUT}/{backend}.fxt"])
            load()
            for backend in ("bpf", "kmod"):
                said[backend] = recorder.end(processes[backend])
        result(instance.lost() == 0, "ftrace lost nothing", instance.lost())
        instance.save(f"{OUT}/ftrace.txt")
    finally:
        instance.enable(False)
        instance.remove()
    for backend, text in said.items():
        result(recorder.all_recorded(text, backend), f"{backend}: nothing lost", text)


done = sh(f"insmod {MODULE}")
result(done.returncode == 0, "the module loads", done.stdout)
record()
sh("rmmod fxtrec")
inside.finish(OUT)
