# SPDX-License-Identifier: GPL-2.0-only
"""Every allocation of open, configure, mmap, start, read and write fails in turn, where the kernel can do that."""
import fcntl
import mmap
import os
import re

from abi import AREA, CONFIGURE, CONSUMER, DATA, DEVICE, START, config
from inside import sh

KNOB = "/proc/thread-self/fail-nth"
DEBUG = "/sys/kernel/debug/"
# Of rings: each of their pages is an allocation.
SMALL = 1 << 18


def steps():
    """Of one recording: (name, call with the descriptor); the first gives it."""
    return (("open", lambda fd: os.open(DEVICE, os.O_RDWR)),
            ("configure", lambda fd: fcntl.ioctl(fd, CONFIGURE, config(data=SMALL))),
            ("mmap", lambda fd: mmap.mmap(fd, AREA - DATA + SMALL, mmap.MAP_SHARED, mmap.PROT_READ)),
            ("mmap of the consumer page",
             lambda fd: mmap.mmap(fd, mmap.PAGESIZE, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, offset=CONSUMER)),
            ("start", lambda fd: fcntl.ioctl(fd, START)),
            ("read", lambda fd: os.pread(fd, 65536, 0)),
            ("write", lambda fd: os.write(fd, b"a mark " * 100)))


def one(step, nth, knob):
    """A recording in which the nth allocation of a step fails; whether it was reached, and the step failed."""
    fd, kept = None, []
    try:
        for name, call in steps():
            if name == step:
                return injected(call, fd, nth, knob, kept)
            kept.append(call(fd))
            fd = kept[0]
    finally:
        for thing in reversed(kept):
            if isinstance(thing, mmap.mmap):
                thing.close()
        if kept:
            os.close(kept[0])
    return False, False


def injected(call, fd, nth, knob, kept):
    refused = False
    os.pwrite(knob, b"%d" % nth, 0)
    try:
        kept.append(call(fd))
    except OSError:
        refused = True
    left = int(os.pread(knob, 32, 0))
    os.pwrite(knob, b"0", 0)
    return left == 0, refused


def check(result):
    if not os.path.exists(KNOB):
        return result(True, "fail-nth: left out, as this kernel injects no faults")
    sh(f"for f in failslab fail_page_alloc; do echo 0 > {DEBUG}$f/verbose; echo N > {DEBUG}$f/ignore-gfp-wait; done; "
       f"echo N > {DEBUG}fail_page_alloc/ignore-gfp-highmem; echo 0 > {DEBUG}fail_page_alloc/min-order; "
       f"echo N > {DEBUG}failslab/cache-filter; dmesg -n 1; dmesg -C")
    knob = os.open(KNOB, os.O_RDWR)
    total = failed = 0
    for step, _ in steps():
        for nth in range(1, 2000):
            reached, refused = one(step, nth, knob)
            if not reached:
                break
            total += 1
            failed += refused
    os.close(knob)
    said = sh("dmesg").stdout
    # A failed allocation's own trace is no fault of ours; KASAN's, lockdep's and the like are.
    faults = re.findall(r".*(?:KASAN|UBSAN|BUG:|WARNING:|Oops|refcount|leaked|suspicious|circular).*", said)
    sh("dmesg -C; dmesg -n 7")
    result(total > 20 and failed, f"fail-nth: {total} allocations failed, one at a time, {failed} calls refused", total)
    result(not faults, "and the kernel has nothing to say of it but that", faults[:5])
    again = one("none", 0, -1)
    return result(again == (False, False), "and a recording works afterwards")
