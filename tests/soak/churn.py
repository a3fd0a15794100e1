#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A flight recorder beside short processes and control groups that come and go: at each tenth of them its memory, descriptors,
threads and the size of a snapshot.  It fails where the last half grows by more than a tenth and a MiB.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import filters
import recorder
import tap

FORKS = os.path.join(tap.BUILD, "tests", "forks")
# Processes that live for longer than it takes to be described, each in a group of its own.
LIVING = 40


def anonymous_kib(pid):
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("RssAnon"))


class Groups:
    """Groups that come and go; every so many, one with a process that is described."""

    def __init__(self, root, count):
        self.folder, self.count, self.made = os.path.join(root, f"fxtrec-churn-{os.getpid()}"), count, 0
        os.mkdir(self.folder)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        living = []
        while self.made < self.count:
            name = os.path.join(self.folder, f"group-{self.made}")
            os.mkdir(name)
            if self.made % 10:
                os.rmdir(name)
            else:
                living.append((subprocess.Popen(["sh", "-c", f"echo $$ > {name}/cgroup.procs; exec sleep 2"]), name))
            while len(living) > LIVING or (self.made == self.count - 1 and living):
                process, at = living.pop(0)
                process.wait()
                os.rmdir(at)
            self.made += 1
        os.rmdir(self.folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=1000000)
    parser.add_argument("--groups", type=int, default=100000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        process = recorder.start(["--backend=bpf", "--flight=5s", "--keep=1", "-b", "4M", "-o", os.path.join(folder, "x.fxt")])
        groups, rows = Groups(filters.cgroup_root(), options.groups), []
        for tenth in range(1, 11):
            subprocess.run([FORKS, str(options.processes // 10)], check=True, stdout=subprocess.DEVNULL)
            while groups.made < options.groups * tenth // 10:
                time.sleep(0.05)
            done = tap.run([tap.FXTREC, "snapshot", str(process.pid)], timeout=120)
            size = os.path.getsize(done.stdout.strip()) >> 10
            rows.append((anonymous_kib(process.pid), len(os.listdir(f"/proc/{process.pid}/fd")),
                         len(os.listdir(f"/proc/{process.pid}/task")), size))
            print(f"{tenth}0 %: {rows[-1][0]} KiB of memory, {rows[-1][1]} descriptors, {rows[-1][2]} threads, "
                  f"a snapshot of {size} KiB", flush=True)
        groups.thread.join()
        print(recorder.end(process))
    grown = [name for i, name in enumerate(("memory", "descriptors", "threads"))
             if rows[9][i] > 1.1 * rows[4][i] + (1024 if name == "memory" else 2)]
    print("GROWS:", ", ".join(grown)) if grown else print("a plateau")
    sys.exit(bool(grown))


main()
