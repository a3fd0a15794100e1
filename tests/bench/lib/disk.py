# SPDX-License-Identifier: GPL-2.0-only
"""A guest's disk, with the file system that most machines have."""
import os
import subprocess

DISK = "/tmp/disk"


def make():
    """Makes ext4 on the disk that vm-run -d gave, and mounts it at DISK."""
    for module in ("virtio_blk", "ext4"):
        subprocess.run(["modprobe", module], check=True)
    subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", "/dev/vda"],
                   check=True)
    os.makedirs(DISK)
    subprocess.run(["mount", "-t", "ext4", "/dev/vda", DISK], check=True)
