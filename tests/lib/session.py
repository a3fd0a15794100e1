# SPDX-License-Identifier: GPL-2.0-only
"""One recording without marks under ftrace's eyes, here or in a guest: session.py OUT KILOBYTES RECORD-ARGUMENTS..."""
import subprocess
import sys

from ftrace import Instance
from tap import FXTREC


def session(out, kilobytes, arguments, timeout=400, others=()):
    """
    Leaves OUT.fxt and OUT.txt, ftrace's text over a longer time; returns what
    fxtrec said.
    """
    instance = Instance(kilobytes, others=others)
    try:
        with instance:
            done = subprocess.run([FXTREC, "record", "--no-marks", "-o", out + ".fxt"] + arguments,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, timeout=timeout)
        lost = instance.lost()
        if lost:
            raise RuntimeError(f"ftrace lost {lost} events: its buffer is too small")
        instance.save(out + ".txt")
    finally:
        instance.enable(False)
        instance.remove()
    if done.returncode:
        raise RuntimeError(f"fxtrec record ended with {done.returncode}: {done.stderr}")
    return done.stderr


if __name__ == "__main__":
    print(session(sys.argv[1], int(sys.argv[2]), sys.argv[3:]), end="")
