#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Module and eBPF on Debian's kernel 6.1, in a virtual machine."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
import vm

vm.test("6.1", share=tap.amount("SHARE", 32, 1), parts=tap.amount("PARTS", "oracle", "all"))
