# SPDX-License-Identifier: GPL-2.0-only
"""Runs a script of bench/guest in a guest, and takes the JSON that it leaves."""
import json
import os
import subprocess
import sys
import tempfile

from place import BENCH, RESULTS, TOP, first, text

KERNEL = os.environ.get("KERNEL") or "6.1"
ARM64 = KERNEL.endswith("-arm64")
# A counting guest's time flies while it waits for the host's disk: that is no hung task.
COUNTING = ["-i", "-d", "8G", "-a", "sysctl.kernel.hung_task_timeout_secs=0"]


def environment(backport):
    """With the backports' QEMU first on the path, where it is asked for."""
    if not backport:
        return dict(os.environ)
    subprocess.run([os.path.join(BENCH, "qemu-get")], check=True, stdout=sys.stderr)
    return dict(os.environ, PATH=os.path.join(RESULTS, "qemu", "bin") + ":" + os.environ["PATH"])


def qemu(environ):
    return first(r"version (\S+)", text(["qemu-system-x86_64", "--version"], environ))


def guest(script, arguments, cpus=1, memory="3G", counting=True, backport=False, timeout=3600, options=()):
    environ = environment(backport)
    os.makedirs(RESULTS, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=RESULTS) as out:
        command = [os.path.join(TOP, "scripts", "vm-run"), "-k", KERNEL, "-c", str(cpus),
                   "-m", memory, "-t", str(timeout), "-o", out]
        command += (COUNTING if counting else []) + [*options, "--"]
        command += ["env", "BUILD=" + os.path.join(TOP, "build", "arm64"), "python3"] if ARM64 else [sys.executable]
        command += [os.path.join(BENCH, "guest", script), "/out/result.json"]
        subprocess.run(command + [str(a) for a in arguments], stdout=sys.stderr, check=True,
                       env=environ)
        with open(os.path.join(out, "result.json")) as f:
            data = json.load(f)
    data["machine"]["qemu"] = qemu(environ) + (", instructions counted" if counting else "")
    return data
