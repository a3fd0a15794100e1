# SPDX-License-Identifier: GPL-2.0-only
"""In a guest whose power fails: power.py OUT cut | power.py OUT after"""
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import recorder
from inside import MODULE, result, sh, finish

OUT, PART = sys.argv[1:3]
DISK = "/tmp/disk"
BACKENDS = ("kmod", "bpf")


def mount():
    os.makedirs(DISK)
    sh("modprobe virtio_blk; modprobe ext4")
    return sh(f"mount -t ext4 /dev/vda {DISK}")


class Syncs(threading.Thread):
    """How long the disk takes for a sync meanwhile, of few bytes and beside what the recorders write."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest, self.began = 0, time.monotonic_ns()

    def run(self):
        fd = os.open(f"{DISK}/syncs", os.O_WRONLY | os.O_CREAT)
        while True:
            self.began = time.monotonic_ns()
            os.pwrite(fd, bytes(4096), 0)
            os.fdatasync(fd)
            self.longest = self.so_far()
            time.sleep(0.1)

    def so_far(self):
        return max(self.longest, time.monotonic_ns() - self.began)


def cut():
    """Records until the machine is gone: no sync, no unmount, not one byte more."""
    sh("modprobe virtio_blk; modprobe ext4; mkfs.ext4 -q /dev/vda")
    mount()
    sh(f"insmod {MODULE}")
    for backend in BACKENDS:
        recorder.start(["-a", "--backend=" + backend, "-o", f"{DISK}/{backend}.fxt"])
    syncs = Syncs()
    syncs.start()
    subprocess.Popen([HERE + "/load.sh", "4000000"], stdout=subprocess.DEVNULL)
    time.sleep(8)
    with open("/proc/sys/kernel/sysrq", "w") as f:
        f.write("1")
    # Behind what is cached here, and not waited for on the host's disk: its power doesn't fail.
    note = os.open(OUT + "/cut", os.O_WRONLY | os.O_CREAT | os.O_DIRECT)
    trigger = os.open("/proc/sysrq-trigger", os.O_WRONLY)
    longest = syncs.so_far()
    os.write(note, b"%d %d" % (time.clock_gettime_ns(time.CLOCK_MONOTONIC), longest))
    os.write(trigger, b"b")
    time.sleep(60)


def after():
    """What the disk has, once its journal has been replayed."""
    mounted = mount()
    result(mounted.returncode == 0, "the disk mounts again", mounted.stdout)
    for backend in BACKENDS:
        copied = sh(f"cp {DISK}/{backend}.fxt {OUT}/")
        result(copied.returncode == 0, f"{backend}: the file is there", copied.stdout)
    sh(f"umount {DISK}")
    finish(OUT)


{"cut": cut, "after": after}[PART]()
