# SPDX-License-Identifier: GPL-2.0-only
"""Inside a guest: a hostile user of the device while tracing runs at full rate: hostile.py OUT SECONDS CALLS."""
import os
import random
import re
import sys

import inside
import recorder
from inside import MODULE, leaks, result, sh
from tap import BUILD, FXTREC

HOSTILE = os.path.join(BUILD, "tests", "hostile")


def attack(seconds, calls, seed):
    with recorder.busy(["nice", "taskset", "-c", "1", *recorder.PIPE]):
        return sh(f"{HOSTILE} {seconds} {calls} {seed}")


out, seconds, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
result(sh(f"insmod {MODULE}").returncode == 0, "the module loads")
done = attack(seconds, calls, seed)
print(done.stdout, flush=True)
result(done.returncode == 0, f"hostile calls (seed {seed}) find nothing: {done.stdout.strip()}",
       done.stdout)
counts = re.search(r"(\d+) calls.* (\d+) armed, (\d+) started, (\d+) mapped, (\d+) pages", done.stdout)
result(counts and int(counts[1]) >= calls and min(map(int, counts.groups())) > calls // 10000,
       "there were as many calls as asked for, and they got in", done.stdout)
after = sh(f"{FXTREC} record --backend=kmod -d 1 -o /tmp/after.fxt && {FXTREC} check /tmp/after.fxt")
result(after.returncode == 0, "a recording works afterwards", after.stdout)
result(sh("rmmod fxtrec").returncode == 0, "the module unloads")
leaks()
inside.finish(out)
