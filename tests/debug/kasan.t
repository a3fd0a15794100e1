#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF on a kernel with KASAN, UBSAN, lockdep, kmemleak, and no warning allowed."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import vm

vm.test("kasan", share=10, reasons=True)
