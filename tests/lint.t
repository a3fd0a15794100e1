#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No finding of make lint-tree; of make lint in "make check-all"."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

target = tap.amount("LINT", "lint-tree", "lint")
done = tap.run(["make", "--no-print-directory", "-C", tap.TOP, target], timeout=3600)
tap.note(done.stdout)
tap.ok(done.returncode == 0, f"make {target}", done.stdout[-4000:] + done.stderr[-4000:])
tap.done()
