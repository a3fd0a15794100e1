# SPDX-License-Identifier: GPL-2.0-only
"""What runs inside a virtual machine, with the module and by eBPF: native-reasons.t and native-edges.t: reasons_guest.py OUT."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import inside
from inside import MODULE, result, sh

OUT = sys.argv[1]

done = sh(f"insmod {MODULE}")
result(done.returncode == 0, "the module loads", done.stdout)
sh("ip link set lo up; modprobe fuse")
os.environ.update(REASONS_FOLDER="/tmp", ROUNDS="5", FUTEXES="2000")
for backend in ("kmod", "bpf"):
    os.environ["REASONS_BACKEND"] = backend
    for test in ("native-reasons.t", "native-edges.t", "native-shared.t"):
        done = sh(f"{sys.executable} {os.path.join(HERE, '..', test)}")
        lines = done.stdout.splitlines()
        for line in lines:
            if line.startswith(("ok ", "not ok ")):
                result(line.startswith("ok"), f"{backend}: {line.split(' - ', 1)[-1]}", done.stdout[-5000:])
        result(any(line.startswith("1..") for line in lines), f"{backend}: all of {test} ran", done.stdout[-3000:])
        with open(os.path.join(OUT, "notes"), "a") as f:
            f.writelines(f"{os.uname().release}, {backend}: {line[2:]}\n" for line in lines if line.startswith("# "))
sh("rmmod fxtrec")
inside.leaks()
inside.finish(OUT)
