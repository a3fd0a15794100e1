#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The unit tests as arm64's programs, by qemu-aarch64, or in a guest."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap

ROOT = os.path.join(tap.TOP, "build", "arm64-root")
# A leak is looked for by a debugger, which qemu-aarch64 has none of; the tests of this machine look for it.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
# What asks /proc for its memory, where qemu-aarch64's would be, or AddressSanitizer to guard a spill's addresses.
IN_GUEST = ("test_culprits", "test_spill")
KERNEL = os.environ.get("KERNELS", "6.12").split()[-1] + "-arm64"

programs = sorted(glob.glob(os.path.join(tap.BUILD, "arm64", "tests", "unit", "test_*")))
programs = [p for p in programs if os.access(p, os.X_OK) and not p.endswith((".d", ".o"))]
tap.ok(len(programs) == len(glob.glob(os.path.join(tap.TOP, "tests", "unit", "test_*.c"))), "all of them are built", programs)
for program in programs:
    way = ["qemu-aarch64", "-L", ROOT]
    if os.path.basename(program) in IN_GUEST:
        way = [os.path.join(tap.TOP, "scripts", "vm-run"), "-k", KERNEL, "-m", "3G", "-t", "1000", "--"]
    done = tap.run([*way, program], env=ENVIRONMENT, timeout=1200)
    tap.ok(done.returncode == 0, os.path.basename(program), (done.stdout + done.stderr)[-3000:])
tap.done()
