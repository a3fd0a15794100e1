#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""eBPF records this machine under load; ftrace over the same time is the oracle."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import judge
import tap
from session import session

SWITCHES = tap.amount("SWITCHES", 250000, 1000000)

with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "native")
    # Rings for a machine that does other things, too: losses have a test of their own.
    said = session(out, 400000,
                   ["-a", "--backend=bpf", "-b", "64M", "--", os.path.join(HERE, "lib", "load.sh"),
                    str(SWITCHES * 2)])
    tap.note(said)
    tap.ok("nothing lost" in said, "natively: nothing lost", said)
    recording = judge.load(out + ".fxt")
    judge.judge_oracle(recording, out + ".txt", "natively", SWITCHES, quirks=True)
    judge.judge_itself(recording, out + ".fxt", "natively", judge.process_one(recording))
tap.done()
