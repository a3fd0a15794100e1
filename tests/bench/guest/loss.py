# SPDX-License-Identifier: GPL-2.0-only
"""In a guest: what each recorder loses under a sustained load.  loss.py OUT SECONDS"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib"))
from load import sustain
from place import machine
from tracers import Fxtrec, Perf, TraceCmd

TRACERS = {"fxtrec-kmod": lambda: Fxtrec("kmod", "/tmp/kmod.fxt"),
           "fxtrec-bpf": lambda: Fxtrec("bpf", "/tmp/bpf.fxt"),
           "perf": lambda: Perf("/tmp/perf.data"),
           "trace-cmd": lambda: TraceCmd("/tmp/trace.dat")}


def main():
    out, seconds = sys.argv[1], int(sys.argv[2])
    results = {name: sustain(make(), seconds) for name, make in TRACERS.items()}
    with open(out, "w") as f:
        json.dump({"machine": machine(), "results": results}, f)


if __name__ == "__main__":
    main()
