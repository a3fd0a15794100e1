#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""trace.dat of versions 6 and 7, packed or not: event by event as trace-cmd report prints them."""
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import foreign
import tap
import tracedat

SUBSYSTEMS = ("sched", "irq", "raw_syscalls", "power", "task")
EVENTS = ("sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup_new", "sched/sched_migrate_task",
          "sched/sched_stat_runtime", "sched/sched_process_exec", "irq", "raw_syscalls", "power/cpu_idle", "task")
LOAD = ["sh", "-c", "perf bench sched pipe -l 200; ls / /proc; grep . /proc/interrupts"]


def reported(path):
    done = tap.run(["trace-cmd", "report", "-t", "-N", "-i", path])
    return foreign.report(done.stdout), sum(map(int, re.findall(r"\[(\d+) EVENTS DROPPED\]", done.stdout)))


def judge(what, path, folder, name):
    foreign.judge(what, foreign.convert(path, folder, name), reported(path)[0])


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


def judge_damage(data, folder):
    """A cut file, another magic, version or endianness: one line each."""
    bad = os.path.join(folder, "bad")
    for size in (16, 100, 5000, len(data) // 3):
        write(bad, data[:size])
        tap.fails(["report", bad], 1, bad + ": ", f"cut to {size} bytes: one line")
    write(bad, b"\x17\x08\x44tracinG" + data[10:])
    tap.fails(["report", bad], 1, "not a trace of a known format", "another magic: one line")
    write(bad, data[:10] + b"5" + data[11:])
    tap.fails(["report", bad], 1, "other than 6 and 7", "another version: one line")
    write(bad, data[:12] + b"\1" + data[13:])
    tap.fails(["report", bad], 1, "other endianness", "another endianness: one line")


with tempfile.TemporaryDirectory() as folder:
    with tracedat.recording(EVENTS) as pages:
        tap.run(LOAD)
        data = tracedat.trace_dat(pages(), SUBSYSTEMS)
    six = write(os.path.join(folder, "six.dat"), data)
    judge("version 6", six, folder, "six")
    for packing in ("none", "zstd"):
        seven = os.path.join(folder, packing + ".dat")
        done = tap.run(["trace-cmd", "convert", "--file-version", "7", "--compression", packing, "-i", six, "-o", seven])
        tap.note(done.stderr)
        judge(f"version 7, {packing}", seven, folder, packing)
    with open(six, "rb") as f:
        done = tap.run(["sh", "-c", f"cat | {tap.FXTREC} report -"], stdin=f)
    tap.ok(done.returncode == 0 and "sched-pipe" in done.stdout, "a report of a pipe", done.stderr)
    with tracedat.recording(("sched/sched_switch", "sched/sched_waking"), 4) as pages:
        tap.run(["perf", "bench", "sched", "pipe", "-l", "2000"])
        data_lost = tracedat.trace_dat(pages(), SUBSYSTEMS)
    path = write(os.path.join(folder, "lost.dat"), data_lost)
    out = os.path.join(folder, "lost.fxt")
    done = tap.run([tap.FXTREC, "convert", path, "-o", out])
    said = re.search(r"^lost +(\d+)", tap.run([tap.FXTREC, "info", out]).stdout, re.M)
    lost = reported(path)[1]
    tap.ok(done.returncode == 0 and said and int(said[1]) == lost, "losses are those that trace-cmd reports",
           f"{said and said[1]} {lost} {done.stderr}")
    judge_damage(data, folder)
tap.done()
