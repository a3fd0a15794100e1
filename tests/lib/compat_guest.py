# SPDX-License-Identifier: GPL-2.0-only
"""System calls of a 32-bit program in a guest of arm64, by both producers and ftrace: compat_guest.py OUT"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ftrace
import inside
import recorder
from inside import MODULE, result, sh
from tap import BUILD

OUT = sys.argv[1]
BACKENDS = ("kmod", "bpf")

result(sh(f"insmod {MODULE}").returncode == 0, "the module loads")
instance = ftrace.Instance(20000, others=("raw_syscalls/sys_enter", "raw_syscalls/sys_exit"))
try:
    with instance:
        processes = [recorder.start(["--backend=" + backend, "-e", "syscalls", "-o", f"{OUT}/{backend}.fxt"])
                     for backend in BACKENDS]
        done = sh(f"{BUILD}/tests/compat32")
        result(done.returncode == 0, "a program of 32 bits runs", done.stdout)
        for backend, process in zip(BACKENDS, processes):
            said = recorder.end(process)
            result(recorder.all_recorded(said, backend), f"{backend}: nothing lost", said)
    result(instance.lost() == 0, "ftrace lost nothing", instance.lost())
    instance.save(f"{OUT}/ftrace.txt")
finally:
    instance.enable(False)
    instance.remove()
inside.finish(OUT)
