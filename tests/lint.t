#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No finding of make lint-tree; of make lint in "make check-all".  A finding makes it fail."""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap

target = tap.amount("LINT", "lint-tree", "lint")
done = tap.run(["make", "--no-print-directory", "-C", tap.TOP, target], timeout=3600)
tap.note(done.stdout)
tap.ok(done.returncode == 0, f"make {target}", done.stdout[-4000:] + done.stderr[-4000:])
with tempfile.TemporaryDirectory() as folder:
    copy = shutil.copytree(tap.TOP, os.path.join(folder, "copy"), ignore=shutil.ignore_patterns("build", ".git"), symlinks=True)
    with open(os.path.join(copy, "user", "store", "map.c"), "a", encoding="utf-8") as f:
        f.write("/* Asks the reader, who knows. */\n")
    done = tap.run(["make", "--no-print-directory", "-C", copy, "lint-tree"], timeout=3600)
    tap.ok(done.returncode and "user/store/map.c" in done.stdout, "a finding makes it fail", done.stdout[-4000:] + done.stderr[-4000:])
tap.done()
