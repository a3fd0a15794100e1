# SPDX-License-Identifier: GPL-2.0-only
"""In a guest that counts instructions: what recording each group adds.  events.py OUT LOOPS REPEATS"""
import json
import os
import socket
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))
from cached import keep
from disk import DISK, make as make_disk
from icount import busy, window
from place import FXTREC, machine
from tracers import Fxtrec


def syscalls(loops):
    return window(["perf", "bench", "syscall", "basic", "-l", str(loops)], loops)


def datagrams(loops):
    """Each to itself: a softirq receives it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        before = busy()
        for _ in range(loops):
            s.sendto(b"x", s.getsockname())
            s.recv(1)
        return busy() - before


def naps(loops):
    before = busy()
    for _ in range(loops):
        time.sleep(0.0005)
    return busy() - before


# What asks for it, the events of a round, and the load: instructions of so many rounds.
GROUPS = {
    "syscalls": (["-e", "syscalls"], 2, syscalls),
    "tracepoint": (["-e", "raw_syscalls:sys_enter"], 1, syscalls),
    "irq": (["-e", "irq"], 2, datagrams),
    "power": (["-e", "power"], 2, naps),
    # A nap is a switch to idle, of a sleeper, and one back.
    "stack": (["--stacks=all"], 1, naps),
    "no-stack": (["--stacks"], 2, naps),
}


def recorded(backend, load, loops, repeats, wanted=()):
    tracer = Fxtrec(backend, f"{DISK}/{backend}.fxt", asleep=True, buffer="64M", more=wanted)
    tracer.start()
    # The first warms up.
    runs = [load(loops) for _ in range(repeats + 1)][1:]
    facts = tracer.stop()
    if facts["lost"]:
        raise RuntimeError(f"{backend} {wanted}: lost events: {facts['said']}")
    return runs


def main():
    out, loops, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    probes = {}
    make_disk()
    keep(["perf", "sh", FXTREC])
    for backend in ("kmod", "bpf"):
        for group, (wanted, each, load) in GROUPS.items():
            probes[f"{group} {backend}"] = {
                "plain": recorded(backend, load, loops, repeats),
                "runs": recorded(backend, load, loops, repeats, wanted),
                "events": each * loops,
            }
            print(group, backend, probes[f"{group} {backend}"], flush=True)
    with open(out, "w") as f:
        json.dump({"machine": machine(), "loops": loops, "probes": probes}, f, indent=1)


if __name__ == "__main__":
    main()
