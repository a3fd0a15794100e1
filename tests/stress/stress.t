#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Stress on the kernels that $STRESS_KERNELS names, for $STRESS_SECONDS each."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import vm
from tap import done

SECONDS = int(os.environ.get("STRESS_SECONDS", "300"))

for kernel in os.environ.get("STRESS_KERNELS", "6.12 kasan").split():
    with tempfile.TemporaryDirectory() as out:
        vm.boot(kernel, out, "stress.py", [SECONDS], timeout=3 * SECONDS + 900)
done()
