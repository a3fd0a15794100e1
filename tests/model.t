#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The ring's algorithm in every order that a weakly ordered processor allows: tests/model/ring.pml."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

MODEL = os.path.join(tap.TOP, "tests", "model", "ring.pml")


def tried(*defines):
    """(states, the assertion that was violated, or None)"""
    with tempfile.TemporaryDirectory() as folder:
        for command in (["spin", *("-D" + d for d in defines), "-a", MODEL],
                        ["gcc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"]):
            done = tap.run(command, cwd=folder)
            if done.returncode:
                raise RuntimeError(done.stdout + done.stderr)
        out = tap.run(["./pan", "-m100000", "-w24"], cwd=folder, timeout=600).stdout
        states = re.search(r"(\d+) states, stored\n", out)
        violated = re.search(r"assertion violated (.*) \(at depth", out)
        whole = "errors: 0" in out and "max search depth too small" not in out
        if not states or not (whole or violated):
            raise RuntimeError(out)
        return int(states[1]), violated and violated[1]


for mode in ((), ("NESTED",), ("DRAIN",), ("DRAIN", "NESTED")):
    name = {0: "overwritten", 1: "drained"}["DRAIN" in mode] + (", writers nest" if "NESTED" in mode else "")
    states, violated = tried(*mode)
    tap.note(f"{name}: {states} states")
    tap.ok(not violated, f"{name}: a reader gets what was written, in any order of stores", violated)
    needed = ("NO_RELEASE", "NO_ACQUIRE") + (("NO_CONTROL", "NO_TAIL_RELEASE") if "DRAIN" in mode else
                                              ("NO_BARRIER", "NO_FENCE"))
    for without in needed:
        tap.ok(tried(*mode, without)[1], f"{name}: not with {without}")
tap.done()
