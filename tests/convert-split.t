#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""convert --split: each part stands alone, and together they are what was split."""
import json
import os
import subprocess
import sys
import tempfile
from itertools import zip_longest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap
from fxt import Loss
from packets import unpacked
from tap import FXTREC, ok, run


def parts(folder, start):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(start))


def info(path):
    return json.loads(run([FXTREC, "info", "--json", path]).stdout)


def packets(path):
    with open(path, "rb") as f:
        return subprocess.run(["protoc", "--decode=pf.Trace", "-I",
                               os.path.join(tap.TOP, "user", "convert", "perfetto"), "perfetto.proto"],
                              input=unpacked(f.read()), stdout=subprocess.PIPE, timeout=600).stdout.decode()


def split(folder, whole, limit, name, least):
    target = os.path.join(folder, name)
    done = run([FXTREC, "convert", "--split=" + limit, whole.path, "-o", target])
    files = parts(folder, name.split(".")[0] + ".")
    ok(done.returncode == 0 and len(files) >= least, f"--split={limit}: {least} files or more", (done.stderr, files))
    return files


def alone(files, said):
    """What each part has to tell by itself; their durations and sizes."""
    for path in files:
        name = os.path.basename(path)
        judge.judge_valid(path, name)
        facts = info(path)
        # The recorder's own events come first; on a busy machine the others may be behind that part.
        ok((facts["scheduling_events"] or path == files[0]) and not facts["threads_unnamed"] and
           all(facts[key] == said[key] for key in ("host", "command", "backend", "clock", "processors")),
           f"{name}: names, and which provider recorded what", facts)


def joined(folder, whole, files):
    path = os.path.join(folder, "joined.fxt")
    run([FXTREC, "convert", *files, "-o", path])
    together = judge.load(path)
    # A loss isn't among the events of a file that was converted: they are counted.
    apart = [(cpu, i, pair) for cpu, events in whole.events.items()
             for i, pair in enumerate(zip_longest((e for e in events if not isinstance(e[1], Loss)),
                                                  together.events.get(cpu, []))) if pair[0] != pair[1]]
    ok(not apart and info(path)["lost"] == info(whole.path)["lost"] and sum(map(len, whole.events.values())) > 10000, "put together they are the same events",
       (len(apart), apart[:5], {cpu: len(e) for cpu, e in together.events.items()}))
    run([FXTREC, "convert", whole.path, "-o", path])
    ok(set(together.names) == set(judge.load(path).names), "and the same threads")


def sizes(folder, whole):
    """No file is larger than was said, and all but the last are nearly as large, however a format keeps its records."""
    for name, limit, least in (("s1.fxt", 1 << 20, 0.99), ("s2.fxt", 100 << 10, 0.9), ("s3.txt", 1 << 20, 0.98), ("s4.html", 1 << 20, 0.98),
                               ("s5.json", 1 << 20, 0.98), ("s6.pftrace", 32 << 10, 0.8), ("s7.pftrace", 64 << 10, 0.8)):
        files = split(folder, whole, f"{limit >> 10}K", name, 2)
        found = [os.path.getsize(f) for f in files]
        ok(all(size <= limit for size in found) and all(size >= least * limit for size in found[:-1]),
           f"{name}: files of at most {limit} bytes, and no less than they need to be", found)
        for path in files:
            os.unlink(path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "whole.fxt")
        run([FXTREC, "record", "--backend=bpf", "--no-marks", "-o", path, "--",
             "perf", "bench", "sched", "pipe", "-l", "20000"],
            check=True)
        whole = judge.load(path)
        whole.path = path
        said = info(path)
        # Ten parts; none where nothing happened for so long, as on a machine that stood still.
        limit = max(1, said["duration_ns"] // 10_000_000)
        times = [whole.monotonic(ticks) for events in whole.events.values() for ticks, _ in events]
        first = min(times)
        least = len({(ns - first) // (limit * 1_000_000) for ns in times}) - 1
        files = split(folder, whole, f"{limit}ms", "time.fxt", least)
        alone(files, said)
        ok(all(info(f)["duration_ns"] <= limit * 1_000_000 for f in files[:-1]),
           "no part is longer than it may be", (limit, [info(f)["duration_ns"] for f in files]))
        joined(folder, whole, files)
        files = split(folder, whole, "1M", "size.fxt", 3)
        alone(files, said)
        joined(folder, whole, files)
        sizes(folder, whole)
        in_packets = split(folder, whole, f"{limit}ms", "packets.pftrace", least)
        for path in in_packets:
            text = packets(path)
            ok(all(word in text for word in ("clock_snapshot", "system_info", "cpu_info", "cmdline")) and
               ("ftrace_events" in text or path == in_packets[0]),
               f"{os.path.basename(path)}: clocks, machine, names and events", text[:500])
    tap.done()


main()
