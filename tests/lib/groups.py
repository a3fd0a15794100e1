# SPDX-License-Identifier: GPL-2.0-only
"""Control groups that a test makes, of either version."""
import contextlib
import os
import time


def root_of(controller):
    """Where control groups are made: of version 2, or of that controller; None where there are none."""
    for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
        try:
            with open(os.path.join(root, "cgroup.controllers")) as f:
                if not controller or controller in f.read().split():
                    return root
        except OSError:
            pass
    root = os.path.join("/sys/fs/cgroup", controller or "unified")
    return root if os.path.exists(os.path.join(root, "cgroup.procs")) else None


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def limit(path, quota, period):
    """So many microseconds of CPU time in each period of so many."""
    one = os.path.join(path, "cpu.max")
    if os.path.exists(one):
        write(one, f"{quota} {period}")
    else:
        write(os.path.join(path, "cpu.cfs_period_us"), str(period))
        write(os.path.join(path, "cpu.cfs_quota_us"), str(quota))


def prefer(path):
    """Its processes run before those of others, as far as its limit lets them."""
    one = os.path.join(path, "cpu.weight")
    if os.path.exists(one):
        write(one, "10000")
    else:
        write(os.path.join(path, "cpu.shares"), "262144")


def inside(path):
    """What starts a command there."""
    return ["sh", "-c", f'echo $$ >{path}/cgroup.procs && exec "$@"', "sh"]


def throttled(path):
    """In how many periods it had none left."""
    with open(os.path.join(path, "cpu.stat")) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("nr_throttled "))


def delegate(path, controller):
    """Has the groups below a group have the controller, too: those of version 1 always have."""
    one = os.path.join(path, "cgroup.subtree_control")
    if os.path.exists(one):
        write(one, "+" + controller)


@contextlib.contextmanager
def made(controller, names):
    """The paths of groups of those names, which are gone then."""
    root = root_of(controller)
    paths = [os.path.join(root, name) for name in names]
    try:
        for path in paths:
            os.mkdir(path)
        if controller and os.path.exists(os.path.join(root, "cgroup.subtree_control")):
            write(os.path.join(root, "cgroup.subtree_control"), "+" + controller)
        yield paths
    finally:
        for path in reversed(paths):
            for _ in range(100):
                try:
                    os.rmdir(path)
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.05)


@contextlib.contextmanager
def small(name, kib):
    """Words that start a command in a group with that much memory; none where there are no groups of memory."""
    if not root_of("memory"):
        yield []
        return
    with made("memory", [f"{name}-{os.getpid()}"]) as (path,):
        one = os.path.join(path, "memory.max")
        write(one if os.path.exists(one) else os.path.join(path, "memory.limit_in_bytes"), str(kib << 10))
        yield inside(path)
