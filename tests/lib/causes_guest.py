# SPDX-License-Identifier: GPL-2.0-only
"""What runs inside a virtual machine that does nothing else: native-causes.t, with the module: causes_guest.py OUT MODES."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import inside
from inside import MODULE, result, sh

OUT, MODES = sys.argv[1:3]

done = sh(f"insmod {MODULE}")
result(done.returncode == 0, "the module loads", done.stdout)
sh("mount -t cgroup2 none /sys/fs/cgroup; ip link set lo up")
runs = [("kmod", "kmod", MODES), ("bpf", "bpf", MODES)]
# Since 6.18 the threads themselves tell of throttling, where no program can attach to functions.
if tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 18):
    runs.append(("bpf without kprobes", "bpf", "throttled nested crowded"))
for what, backend, modes in runs:
    if what.endswith("kprobes"):
        sh("mount -t tmpfs none /sys/bus/event_source/devices")
    os.environ.update(MODES=modes, CAUSES_FOLDER="/tmp", CAUSES_BACKEND=backend)
    done = sh(f"{sys.executable} {os.path.join(HERE, '..', 'native-causes.t')}")
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith(("ok ", "not ok ")):
            name = f"{what}: {line.split(' - ', 1)[-1]}"
            result(line.startswith("ok") and "# SKIP" not in line.upper(), name, done.stdout[-3000:])
    result(any(line.startswith("1..") for line in lines), f"{what}: all modes ran", done.stdout[-3000:])
    print("\n".join(line for line in lines if line.startswith("# ")), flush=True)
sh("rmmod fxtrec")
inside.finish(OUT)
