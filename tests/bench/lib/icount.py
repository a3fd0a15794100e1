# SPDX-License-Identifier: GPL-2.0-only
"""Instructions in a guest that counts them: its clock goes on by 1 ns with each, and jumps while idle."""
import re
import subprocess
import time


def busy():
    """Instructions that the guest has executed, on all its CPUs."""
    with open("/proc/timer_list") as f:
        idle = re.findall(r"\.(?:idle|iowait)_sleeptime\s*:\s*(\d+)", f.read())
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - sum(map(int, idle))


def instructions(command):
    """What executing the command takes, from fork to its end."""
    before = busy()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return busy() - before


def window(command, loops):
    """What "perf bench sched pipe" itself measures: all that ran while its processes passed words."""
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          text=True).stdout
    return round(float(re.search(r"([\d.]+) usecs/op", said)[1]) * 1000 * loops)
