# SPDX-License-Identifier: GPL-2.0-only
"""Inside a guest: what a recording must survive, for a time: stress.py OUT SECONDS."""
import os
import random
import signal
import subprocess
import sys
import threading
import time

import failnth
import inside
import judge
import recorder
from inside import FORKS, MODULE, leaks, programs, references, result, sh
from tap import FXTREC

OUT, SECONDS = sys.argv[1], float(sys.argv[2])
FILE = "/tmp/stress.fxt"
CPU = "/sys/devices/system/cpu/cpu{}/online"
seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
random.seed(seed)
print(f"seed {seed}", flush=True)


class Load:
    """Switches, wakeups, forks and renames, as long as it stands."""

    def __enter__(self):
        self.jobs = [subprocess.Popen(["sh", "-c", f"while :; do {command}; done"], start_new_session=True,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                     for command in ("nice perf bench sched pipe -l 2000", f"nice {FORKS} 20; sleep 0.1")]

    def __exit__(self, *_):
        for job in self.jobs:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()


def backend():
    return random.choice(("kmod", "kmod", "bpf"))


def record(*options, which=None):
    return [FXTREC, "record", "--backend=" + (which or backend()), "-b", random.choice(("64k:8", "1M")),
            "-o", FILE, *options]


def valid(killed=False):
    return judge.valid(FILE, killed)[0]


def unloading(stop, counts):
    """Tries to unload the module all the while, and loads it again."""
    while not stop.is_set():
        if sh("rmmod fxtrec").returncode == 0:
            counts["unloaded"] += 1
            sh(f"insmod {MODULE}")
        else:
            counts["refused"] += 1
        time.sleep(random.random())


def start_and_stop(seconds):
    stop, counts = threading.Event(), {"unloaded": 0, "refused": 0}
    other = threading.Thread(target=unloading, args=(stop, counts))
    rounds, bad, end = 0, [], time.monotonic() + seconds
    with Load():
        other.start()
        while time.monotonic() < end:
            done = subprocess.run(record("-d", f"{random.uniform(0.01, 0.5):.3f}"), text=True,
                                  stderr=subprocess.PIPE, timeout=600)
            rounds += 1
            # Between the look for the device and its opening, it may be gone.
            gone = done.returncode == 1 and ("/dev/fxtrec" in done.stderr or "busy" in done.stderr)
            if not gone and (done.returncode or not valid()):
                bad.append(done.stderr)
        stop.set()
        other.join()
    result(rounds and not bad, f"{rounds} recordings while the module was unloaded {counts['unloaded']} "
           f"times and {counts['refused']} times not", bad[:5])
    result(rounds < 10 or counts["refused"] and counts["unloaded"],
           "some attempts met a recording, and some none", counts)
    if references() is None:
        sh(f"insmod {MODULE}")


def kills(seconds):
    rounds, bad, end = 0, [], time.monotonic() + seconds
    with Load():
        while time.monotonic() < end:
            process = subprocess.Popen(record(), stderr=subprocess.DEVNULL)
            time.sleep(random.choice((0.05, 0.3, 1)) * random.random())
            process.kill()
            process.wait()
            rounds += 1
            if os.path.getsize(FILE) and not valid(killed=True):
                bad.append(sh(f"{FXTREC} check {FILE}").stdout[-300:])
    time.sleep(2)
    result(rounds and not bad, f"{rounds} recorders killed: each file reads", bad[:5])
    result(programs() == 0 and references() == 0, "and nothing of them is left", f"{programs()} {references()}")


def hotplug(seconds):
    """CPUs go and come while they are recorded."""
    rounds, bad, switched, end = 0, [], 0, time.monotonic() + seconds
    with Load():
        while time.monotonic() < end:
            process = recorder.start(record("-b", "4M")[2:])
            for _ in range(random.randrange(1, 6)):
                cpu = random.randrange(1, os.cpu_count())
                for state in "01":
                    time.sleep(random.random() * 0.3)
                    with open(CPU.format(cpu), "w") as f:
                        f.write(state)
                    switched += 1
            said = recorder.end(process, 120)
            rounds += 1
            if process.returncode or not valid():
                bad.append(said + sh(f"{FXTREC} check {FILE}").stdout[-300:])
    result(rounds and not bad, f"{rounds} recordings over {switched} CPUs that went or came", bad[:5])


def limits():
    """A file that can't grow: one line says so, and what is there reads."""
    sh("mkdir /tmp/small && mount -t tmpfs -o size=64k tmpfs /tmp/small")
    with Load():
        for name, command, words in (
                ("a full disk", f"{FXTREC} record --backend=kmod -d 60 -o /tmp/small/x.fxt", "No space left"),
                ("a file size limit", f"ulimit -f 200; {FXTREC} record --backend=kmod -d 60 -o /tmp/limit.fxt",
                 "File too large"),
                ("a closed pipe", f"bash -o pipefail -c '{FXTREC} record --backend=kmod -d 60 -o - | head -c 1000 "
                 "> /dev/null'", "Broken pipe")):
            done = sh(command)
            result(done.returncode == 1 and words in done.stdout, f"{name} ends the recording, and it says so",
                   done.stdout)
        for path in ("/tmp/small/x.fxt", "/tmp/limit.fxt"):
            result(sh(f"{FXTREC} check {path}").returncode == 0, f"{path} reads", sh(f"{FXTREC} check {path}").stdout)
        slow = "import sys,time\nwhile sys.stdin.buffer.read(20000): time.sleep(0.05)"
        done = sh(f"{FXTREC} record --backend=kmod -b 64k:8 -d 5 -o - | tee /tmp/slow.fxt | {sys.executable} -c '{slow}'")
        result(sh(f"{FXTREC} check /tmp/slow.fxt").returncode == 0, "a slow reader gets a whole file", done.stdout)
        done = sh(f"{FXTREC} record --backend=kmod -o {FILE} -- sh -c 'sleep 1; date -s @1000000000; sleep 1; "
                  "date -s @1700000000'")
        result(done.returncode == 0 and valid(), "the clock is set back, and forth", done.stdout)
    sh("umount /tmp/small")


def frozen():
    """
    Suspend's first step, which the test facility ends after five seconds: all tasks
    are frozen, the recorder too.  The guest's root can't live through the others.
    """
    if not os.path.exists("/sys/power/pm_test"):
        print("this kernel can't test suspending", flush=True)
        return
    for which in ("kmod", "bpf"):
        with Load():
            process = recorder.start(["--backend=" + which, "-o", FILE])
            done = sh("echo freezer > /sys/power/pm_test && echo mem > /sys/power/state", 120)
            time.sleep(1)
            said = recorder.end(process)
        result(done.returncode == 0 and process.returncode == 0 and "nothing lost" in said and valid(),
               f"tasks are frozen and thawed while the {which} backend records", done.stdout + said)
    sh("echo none > /sys/power/pm_test")


result(sh(f"insmod {MODULE}").returncode == 0, "the module loads")
failnth.check(result)
limits()
frozen()
start_and_stop(SECONDS / 3)
kills(SECONDS / 3)
hotplug(SECONDS / 3)
result(sh("rmmod fxtrec").returncode == 0, "the module unloads")
leaks()
inside.finish(OUT)
