#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A recorder that stands still loses events: exactly those that it says, where it says."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import overflow
import tap

with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "overflow")
    overflow.provoke(out, "bpf", quirks=True)
    overflow.judge(out, "natively", quirks=True)
tap.done()
