#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""make lint: no finding."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

done = tap.run(["make", "--no-print-directory", "-C", tap.TOP, "lint"], timeout=900)
tap.note(done.stdout)
tap.ok(done.returncode == 0, "make lint", done.stdout[-4000:] + done.stderr[-4000:])
tap.done()
