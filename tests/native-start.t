#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the start of a recording by eBPF takes: libraries, page faults and the verifier's visits, whatever the machine's speed."""
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from tap import FXTREC, ok, skip

BTF = "/sys/kernel/btf/vmlinux"
PAGE = resource.getpagesize()
# Instructions that the verifier of 6.18 visits: 20,000; other kernels prune a little otherwise.
VISITS = 30000


def faults(pid):
    """Minor page faults of a process."""
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rsplit(")", 1)[1].split()[7])


def started(folder):
    """A recorder with its probes attached: COMMAND waits for a line."""
    recorder = subprocess.Popen([FXTREC, "record", "--backend=bpf", "-o", f"{folder}/trace.fxt", "--",
                                 "sh", "-c", "echo started; read line"],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return recorder, recorder.stdout.readline() == "started\n"


def type_information(pid):
    """libbpf reads it and copies it; beside that, the tool has one copy."""
    pages = os.stat(BTF).st_size // PAGE
    took = faults(pid)
    ok(took < 4 * pages + 1500, "the start touches the kernel's type information once beside libbpf", (took, pages))


def verified(pid):
    """Instructions that the verifier visited, in all programs that the process has loaded; None: the kernel is silent."""
    found = {}
    for fd in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            with open(f"/proc/{pid}/fdinfo/{fd}") as f:
                info = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
        except OSError:
            continue
        if "prog_id" in info and "verified_insns" in info:
            found[info["prog_id"]] = int(info["verified_insns"])
    return sum(found.values()) or None


def programs(pid):
    visits = verified(pid)
    name = "the verifier visits each part that programs share once a program"
    if visits is None:
        skip(name, "this kernel doesn't count what its verifier visits")
    else:
        ok(visits < VISITS, name, visits)


def libraries(pid):
    """Beside the C library's: what reads eBPF objects, packs files, and parses tracepoints of -e."""
    with open(f"/proc/{pid}/maps") as f:
        mapped = {os.path.basename(line.split()[-1]).split(".")[0].split("-")[0] for line in f if ".so" in line}
    more = mapped - {"ld", "libc", "libm", "libbpf", "libelf", "libz", "libzstd", "libtraceevent"}
    ok(not more, "the recorder loads no library of other commands", sorted(more))


def start():
    with tempfile.TemporaryDirectory() as folder:
        recorder, runs = started(folder)
        if not ok(runs, "the recording starts", recorder.poll()):
            recorder.kill()
            recorder.wait()
            return
        if tap.SANITIZED:
            skip("what the start takes", "the sanitizers take more")
        else:
            type_information(recorder.pid)
            libraries(recorder.pid)
        programs(recorder.pid)
        recorder.communicate("\n")
        ok(recorder.returncode == 0, "and ends well", recorder.returncode)


if os.geteuid():
    skip("the start of a recording", "needs root")
elif not os.path.exists(BTF):
    skip("the start of a recording", "this kernel has no BTF")
else:
    start()
tap.done()
