# SPDX-License-Identifier: GPL-2.0-only
"""What tests that run inside a virtual machine share: result(), sh(), and what a kernel tells of itself."""
import json
import os
import subprocess
import sys
import time

from tap import BUILD

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASE = os.uname().release
MODULE = os.path.join(BUILD, RELEASE, "fxtrec.ko")
FORKS = os.path.join(BUILD, "tests", "forks")
DEVICE = "/dev/fxtrec"
KMEMLEAK = "/sys/kernel/debug/kmemleak"

results = []


def result(condition, name, why=""):
    results.append((bool(condition), name, str(why)))
    print(f"{'ok' if condition else 'not ok'} - {name}", flush=True)
    if not condition:
        print(why, flush=True)


def sh(command):
    """Its end; what waits for ever ends with the guest (vm.TIMEOUT), however slow that is."""
    return subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def references():
    """Users of the module, by the kernel's own count."""
    with open("/proc/modules") as f:
        return next((int(line.split()[2]) for line in f if line.startswith("fxtrec ")), None)


def programs():
    return int(sh("ls -l /proc/*/fd 2>/dev/null | grep -c bpf-").stdout)


def leaks():
    """Where the kernel looks for memory that nobody points at any more: twice, as it wants it."""
    if not os.path.exists(KMEMLEAK):
        return
    for _ in range(2):
        with open(KMEMLEAK, "w") as f:
            f.write("scan")
        time.sleep(6)
    with open(KMEMLEAK) as f:
        found = [block for block in f.read().split("unreferenced object") if "fxt" in block]
    result(not found, "kmemleak: none of the module's memory is lost", found[:3])


def finish(out):
    with open(os.path.join(out, "results"), "w") as f:
        json.dump(results, f)
    sys.exit(0)
