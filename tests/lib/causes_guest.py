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
for backend in ("kmod", "bpf"):
    os.environ.update(MODES=MODES, CAUSES_FOLDER="/tmp", CAUSES_BACKEND=backend)
    done = sh(f"{sys.executable} {os.path.join(HERE, '..', 'native-causes.t')}")
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith(("ok ", "not ok ")):
            name = f"{backend}: {line.split(' - ', 1)[-1]}"
            result(line.startswith("ok") and "# SKIP" not in line.upper(), name, done.stdout[-3000:])
    result(any(line.startswith("1..") for line in lines), f"{backend}: all modes ran", done.stdout[-3000:])
    print("\n".join(line for line in lines if line.startswith("# ")), flush=True)
sh("rmmod fxtrec")
inside.finish(OUT)
