#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Interrupts, idle states and system calls by eBPF on this machine; ftrace over the same time is the oracle."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import events
import judge
import recorder
import tap
from judge_events import judge_events, judge_tracepoints
from session import session

PROGRAMS = os.path.join(tap.TOP, "build", "tests")

with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "events")
    said = session(out, 200000, ["-a", "--backend=bpf", "-b", "64M", "-e", "irq,power,syscalls", "--",
                                 os.path.join(HERE, "lib", "load_events.sh"), PROGRAMS, "3"],
                   others=events.FTRACE)
    tap.note(said)
    tap.ok("nothing lost" in said, "nothing lost", said)
    recording = judge.load(out + ".fxt")
    judge_events(recording, out + ".fxt", out + ".txt", "natively", 20000,
                 quirks=True,
                 compat=subprocess.run([PROGRAMS + "/compat", "1"], check=False).returncode == 0)
    for group, tracepoints in events.TRACEPOINTS.items():
        out = os.path.join(folder, group)
        said = session(out, 200000, ["-a", "--backend=bpf", "-b", "64M", "-e", group, "--",
                                     os.path.join(HERE, "lib", "load_events.sh"), PROGRAMS, "2"],
                       others=tuple(tracepoints))
        tap.ok("nothing lost" in said or recorder.only_unrecorded(said), f"{group}, natively: nothing lost", said)
        recording = judge.load(out + ".fxt")
        seen = {e.tid for e in recording.tracepoints}
        judge_tracepoints(recording, out + ".fxt", out + ".txt", f"{group}, natively", group, 50,
                          judge.hidden_natively(recording, out + ".txt", seen))
    plain = os.path.join(folder, "plain.fxt")
    tap.run([tap.FXTREC, "record", "--backend=bpf", "--no-marks", "-o", plain, "-d", "0.3"])
    recording = judge.load(plain)
    tap.ok(not recording.durations and not recording.counters,
           "what was not asked for is not recorded", recording.durations[:3])
tap.done()
