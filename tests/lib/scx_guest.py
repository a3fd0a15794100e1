# SPDX-License-Identifier: GPL-2.0-only
"""A recording by both producers and ftrace under a scheduler of sched_ext, in a guest: scx_guest.py OUT SECONDS."""
import contextlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import both
import inside
from inside import result, sh
from tap import BUILD

OUT, SECONDS = sys.argv[1], int(sys.argv[2])
SCX = "/sys/kernel/sched_ext"


@contextlib.contextmanager
def scheduler():
    said = sh(f"bpftool struct_ops register {BUILD}/tests/scx.bpf.o").stdout
    try:
        yield
    finally:
        state = both.content(SCX + "/state"), both.content(SCX + "/root/ops")
        result(state == ("enabled", "fxt_queue"), "a scheduler of sched_ext was loaded all the time", (state, said))
        sh("bpftool struct_ops unregister name fxt_queue")


both.record(OUT, lambda: both.loads(SECONDS, 8000), 40000, scheduler)
inside.finish(OUT)
