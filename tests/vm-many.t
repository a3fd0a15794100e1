#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF beside ftrace: on 64 CPUs, with CPUs kept free, under a scheduler of sched_ext, without PREEMPT_DYNAMIC."""
import glob
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import tap
import vm

SECONDS = int(os.environ.get("SECONDS") or 60)
# Hundreds of CPUs that take turns on one thread starve each other: that is no lockup.
PATIENT = "nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
# By the way: the kernel, lines of its configuration, the options of vm-run, and the seconds of load.
WAYS = {
    "cpus": ("6.1", ["CONFIG_PREEMPT_DYNAMIC=y"], ["-c", "64", "-m", "5G", "-a", PATIENT], SECONDS),
    "nohz": ("6.1", ["CONFIG_NO_HZ_FULL=y"], ["-a", "nohz_full=1-3 isolcpus=1-3"], SECONDS // 3),
    "scx": ("sid", ["CONFIG_SCHED_CLASS_EXT=y"], [], SECONDS // 3),
    "static": ("6.1-rt", ["CONFIG_PREEMPT_RT=y", "# CONFIG_PREEMPT_DYNAMIC is not set"], [], SECONDS // 3),
}
LEAST = 5000


def configuration(kernel):
    """Of Debian's package, in either place where it has it."""
    tree = os.path.join(tap.TOP, "build", "kernels", kernel)
    found = glob.glob(tree + "/boot/config-*") + glob.glob(tree + "/usr/lib/modules/*/config")
    with open(found[0], encoding="utf-8") as f:
        return f.read().splitlines()


def judged(way, folder):
    kernel, lines, options, seconds = WAYS[way]
    configured = configuration(kernel)
    # Where nothing is said of an option, this architecture or version hasn't got it: then it is off, too.
    missing = [line for line in lines if line not in configured and not
               (line.startswith("# ") and not any(c.startswith(line.split()[1] + "=") for c in configured))]
    tap.ok(not missing, f"{way}: the kernel is configured so", missing)
    if not vm.boot(kernel, folder, "many_guest.py", [seconds, way], 1800, options):
        return
    for backend in ("kmod", "bpf"):
        path, what = os.path.join(folder, backend + ".fxt"), f"{way}, {backend}"
        r = judge.load(path)
        judge.judge_oracle(r, os.path.join(folder, "ftrace.txt"), what, LEAST)
        judge.judge_itself(r, path, what)
    with open(os.path.join(folder, "figures.json"), encoding="ascii") as f:
        figures = json.load(f)
    for backend in ("kmod", "bpf"):
        of = figures[backend]
        tap.note(f"{way}, {kernel}, {figures['cpus']} CPUs, {backend}: start {of['start']:.2f} s, {of['memory']} MiB, "
                 f"end {of['end']:.2f} s")


for each in (os.environ.get("WAYS") or " ".join(WAYS)).split():
    with tempfile.TemporaryDirectory() as where:
        judged(each, where)
tap.done()
