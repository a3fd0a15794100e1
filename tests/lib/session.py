# SPDX-License-Identifier: GPL-2.0-only
"""One recording without marks under ftrace's eyes, here or in a guest: session.py OUT KILOBYTES RECORD-ARGUMENTS..."""
import subprocess
import sys

from ftrace import Instance
from tap import FXTREC, note


# How many times as large ftrace's buffers are where others do so much meanwhile that they don't suffice.
LARGER = (1, 3, 9)


def once(out, kilobytes, arguments, timeout, others):
    """What the recorder said, and how many events ftrace lost."""
    instance = Instance(kilobytes, others=others)
    try:
        with instance:
            done = subprocess.run([FXTREC, "record", "--no-marks", "-o", out + ".fxt"] + arguments,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, timeout=timeout)
        lost = instance.lost()
        if not lost:
            instance.save(out + ".txt")
    finally:
        instance.enable(False)
        instance.remove()
    if done.returncode:
        raise RuntimeError(f"fxtrec record ended with {done.returncode}: {done.stderr}")
    return done.stderr, lost


def session(out, kilobytes, arguments, timeout=1200, others=()):
    """
    Leaves OUT.fxt and OUT.txt, ftrace's text over a longer time; returns what
    fxtrec said.
    """
    for times in LARGER:
        said, lost = once(out, times * kilobytes, arguments, timeout, others)
        if not lost:
            return said
        note(f"ftrace lost {lost} events, with buffers of {times * kilobytes} kB")
    raise RuntimeError(f"ftrace lost {lost} events: its buffer is too small")


if __name__ == "__main__":
    print(session(sys.argv[1], int(sys.argv[2]), sys.argv[3:]), end="")
