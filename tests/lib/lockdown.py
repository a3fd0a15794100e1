# SPDX-License-Identifier: GPL-2.0-only
"""In a guest that is locked down, as Secure Boot has it, and loads no module without a signature: lockdown.py OUT"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inside import finish, result, sh
from tap import FXTREC

OUT = sys.argv[1]

sh("mount -t securityfs securityfs /sys/kernel/security")
with open("/sys/kernel/security/lockdown") as f:
    result("[integrity]" in f.read(), "the kernel is locked down")
done = sh(f"{FXTREC} record --backend=kmod -d 1 -o /tmp/kmod.fxt")
result(done.returncode == 1 and len(done.stdout.splitlines()) == 1 and "locked down" in done.stdout,
       "the module is refused in one line that says why", done.stdout)
done = sh(f"{FXTREC} record -a -d 2 -o {OUT}/lockdown.fxt")
result(done.returncode == 0 and "falling back to eBPF" in done.stdout
       and "locked down" in done.stdout and "by eBPF" in done.stdout,
       "eBPF records instead, and why is said", done.stdout)
print(done.stdout, flush=True)
finish(OUT)
