# SPDX-License-Identifier: GPL-2.0-only
"""The module as one source, as DKMS's package builds it: a third of the time."""
import os

import tap


def write(folder):
    """A folder, which is created, that kbuild takes for the module's: its all.c includes all others."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "all.c"), "w", encoding="ascii") as f:
        f.writelines(f'#include "{name}"\n' for name in sorted(os.listdir(os.path.join(tap.TOP, "kmod"))) if name.endswith(".c"))
