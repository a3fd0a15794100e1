# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of processes that pass bytes to and fro, each pair on a CPU of its own, all at once."""
import os
import subprocess

from place import BUILD

PINGPONG = os.path.join(BUILD, "bench", "pingpong")


def pairs(cpus, times):
    """
    Nanoseconds until the last pair is done: in a guest that counts, instructions
    of all CPUs.  With the FIFO policy, so that a wakeup never preempts: a round
    trip is two switches and two wakings, whatever a tracer adds.
    """
    return int(subprocess.run(["chrt", "-f", "1", PINGPONG, str(times), str(cpus)], check=True,
                              text=True, stdout=subprocess.PIPE).stdout)
