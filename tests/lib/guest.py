# SPDX-License-Identifier: GPL-2.0-only
"""What runs inside a virtual machine, module included: guest.py OUT SHARE PARTS (vm.PARTS), at 1/SHARE of the load."""
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import abi
import delays
import dying
import filters
import ftrace
import handlers
import inside
import overflow
import recorder
import sleepers
from inside import DEVICE, FORKS, MODULE, RELEASE, programs, references, result, sh
from tap import FXTREC

OUT = sys.argv[1]
SHARE = int(sys.argv[2])
PARTS = sys.argv[3]
SWITCHES = 400000 // SHARE


def loading():
    done = sh(f"insmod {MODULE}")
    result(done.returncode == 0, "the module loads", done.stdout)
    mode = os.stat(DEVICE).st_mode & 0o777
    result(mode == 0o600, "its device is its owner's alone", oct(mode))
    with open("/sys/kernel/tracing/events/sched/sched_switch/enable") as f:
        result(f.read().strip() == "0", "no tracepoint is enabled without a recording")


def oracle_with_both():
    """Module and eBPF at once, and ftrace: the comparing is done outside."""
    instance = ftrace.Instance(40000)
    said = {}
    try:
        with instance:
            recorders = {}
            for backend in ("kmod", "bpf"):
                recorders[backend] = recorder.start(["-a", "--backend=" + backend, "-o", f"{OUT}/{backend}.fxt"])
            sh(f"{HERE}/load.sh {SWITCHES}; {FORKS} 50")
            for backend, process in reversed(recorders.items()):
                said[backend] = recorder.end(process)
        result(instance.lost() == 0, "ftrace lost nothing")
        instance.save(f"{OUT}/ftrace.txt")
    finally:
        instance.enable(False)
        instance.remove()
    for backend, text in said.items():
        result(recorder.all_recorded(text, backend), f"{backend}: nothing lost", text)
        print(text, flush=True)
    result(references() == 0, "no reference to the module stays behind", references())


def held():
    """What another may do while a recording runs."""
    path = f"{OUT}/held.fxt"
    process = recorder.start(["--backend=kmod", "-o", path])
    second = sh(f"{FXTREC} record --backend=kmod -o /tmp/second.fxt -d 1")
    result(second.returncode == 1 and f"in use by {process.pid} fxtrec" in second.stdout,
           "a second recorder is told which process holds the device", second.stdout)
    unload = sh("rmmod fxtrec")
    result(unload.returncode != 0, "the module can't be unloaded while its rings are mapped")
    marks = sh(f"echo 'a mark by write' > {DEVICE}; {FXTREC} mark 'a mark by tool'; "
               "echo 'a line of the log' > /dev/kmsg")
    result(marks.returncode == 0, "marks are taken", marks.stdout)
    # The project may lie where nobody else can go.
    sh(f"install -m 755 {FXTREC} /tmp/fxtrec")
    other = sh("setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/fxtrec record -d 1 "
               "-o /tmp/other.fxt")
    result(other.returncode == 1 and len(other.stdout.splitlines()) == 1 and
           "root" in other.stdout, "without privilege: one line, exit 1", other.stdout)
    recorder.end(process)
    late = sh(f"{FXTREC} mark late")
    result(late.returncode == 1 and "no recording runs" in late.stdout,
           "a mark without a recording is refused", late.stdout)


def killed():
    """kill -9 leaves nothing behind, and the next recording works at once."""
    for backend in ("kmod", "bpf"):
        path = f"{OUT}/killed-{backend}.fxt"
        process = recorder.start(["--backend=" + backend, "-o", path])
        sh("perf bench sched pipe -l 2000")
        process.kill()
        process.wait()
        done = sh(f"{FXTREC} record --backend={backend} -o {OUT}/next.fxt -d 0.5")
        result(done.returncode == 0, f"{backend}: a recording works at once after kill -9",
               done.stdout)
        time.sleep(1)
        result(programs() == 0 and references() == 0,
               f"{backend}: kill -9 leaves no program, map or reference behind",
               f"{programs()} {references()}")


def clocks():
    for clock in ("mono", "boot", "tsc"):
        done = sh(f"{FXTREC} record --backend=kmod --clock={clock} -o {OUT}/clock-{clock}.fxt -d 0.5")
        result(done.returncode == 0 and f"clock {clock}:" in done.stdout,
               f"the module records on clock {clock}", done.stdout)


def hotplug():
    """A CPU that goes and comes back while it is recorded."""
    done = sh(f"{FXTREC} record --backend=kmod -o {OUT}/hotplug.fxt -- sh -c '"
              "echo 0 > /sys/devices/system/cpu/cpu3/online; sleep 0.3; "
              "echo 1 > /sys/devices/system/cpu/cpu3/online; "
              "taskset -c 3 perf bench sched pipe -l 500'")
    result(done.returncode == 0 and "nothing lost" in done.stdout,
           "a CPU goes offline and comes back", done.stdout)


def unloading():
    done = sh("rmmod fxtrec")
    result(done.returncode == 0 and references() is None, "the module unloads", done.stdout)
    result(not os.path.exists(DEVICE) and not os.path.exists(os.path.dirname(abi.DEBUG_STATS)),
           "and its device and its folder in debugfs are gone")
    done = sh(f"{FXTREC} record -o {OUT}/auto.fxt -d 0.5")
    result(done.returncode == 0 and "by the module" in done.stdout,
           "record loads the module that lies beside the tool", done.stdout)
    sh("rmmod fxtrec")


def recordings():
    """What users and other programs do while it records."""
    held()
    killed()
    overflow.provoke(f"{OUT}/overflow", "kmod", 4000)
    filters.ended(f"{OUT}/ended", "kmod", result)
    for backend in ("kmod", "bpf"):
        result(*dying.named(f"{OUT}/dying-{backend}.fxt", backend))
        sleepers.check(result, OUT, backend)
    clocks()
    hotplug()


def device():
    """The device's calls, filters and delays."""
    abi.check(result, max(10 // SHARE, 3), max(300 // SHARE, 40))
    if RELEASE.endswith("-kasan"):
        handlers.outlive(result)
    filters.provoke(f"{OUT}/filter", filters.GUEST)
    delays.exact(f"{OUT}/exact", "kmod", "perf bench sched messaging -g 2 -l 1000000", 3)
    delays.caught(f"{OUT}/caught", "kmod", 2)
    result(*delays.renamed(f"{OUT}/renamed", "kmod"))


loading()
oracle_with_both()
if PARTS != "oracle":
    recordings()
if PARTS == "all":
    device()
unloading()
inside.leaks()
inside.finish(OUT)
