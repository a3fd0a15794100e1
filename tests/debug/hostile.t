#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A hostile user of the device, on kernels whose free pages are poisoned and not cleared when given out."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import vm
from tap import done

SECONDS = int(os.environ.get("HOSTILE_SECONDS", "600"))
CALLS = int(os.environ.get("HOSTILE_CALLS", "1000000"))

for kernel in os.environ.get("HOSTILE_KERNELS", "kasan").split():
    with tempfile.TemporaryDirectory() as out:
        # Page poison: memory that nobody has cleared is seen in a mapping.
        vm.boot(kernel, out, "hostile.py", [SECONDS, CALLS], timeout=vm.TIMEOUT + 7 * SECONDS,
                options=["-a", "page_poison=1 init_on_alloc=0 init_on_free=0"])
done()
