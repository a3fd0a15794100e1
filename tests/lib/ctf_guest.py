# SPDX-License-Identifier: GPL-2.0-only
"""What runs inside a virtual machine for vm-ctf.t: ctf_guest.py OUT LTTNG, five recorders of one load at once."""
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ftrace
import inside
import recorder
from inside import RELEASE, result, sh

OUT, LTTNG = sys.argv[1:]
SCHED = ",".join(ftrace.EVENTS)
PERF = ",".join("sched:" + name for name in ftrace.EVENTS)
MODULES = f"/lib/modules/{RELEASE}"


def modules():
    """LTTng's modules, beside the kernel's own."""
    done = sh(f"mkdir -p /tmp/m/up /tmp/m/work && mount -t overlay overlay {MODULES} "
              f"-o lowerdir={MODULES},upperdir=/tmp/m/up,workdir=/tmp/m/work && mkdir {MODULES}/extra && "
              f"cp {LTTNG}/*.ko {MODULES}/extra && depmod -a && lttng-sessiond --daemonize")
    result(done.returncode == 0, "LTTng's daemon runs", done.stdout)


def session(name, events, *channel):
    for command in (f"create {name} --output=/tmp/{name}", f"enable-channel -k -s {name} c {' '.join(channel)}", *events,
                    f"start {name}"):
        done = sh("lttng " + command)
        result(done.returncode == 0, f"lttng {command}", done.stdout)


def mark(name):
    """A program of this name runs on each CPU."""
    shutil.copy("/bin/true", f"/tmp/{name}")
    for cpu in range(os.cpu_count()):
        sh(f"taskset -c {cpu} /tmp/{name}")


def load():
    mark("ctf-begin")
    sh("perf bench sched pipe -l 1500")
    # One rotation in the midst.
    done = sh("lttng rotate whole")
    result(done.returncode == 0, "the session is rotated", done.stdout)
    sh("perf bench sched messaging -g 1 -l 20; ls -R /etc >/dev/null")
    mark("ctf-end")


modules()
instance = ftrace.Instance(20000)
with instance:
    ours = recorder.start(["-a", "--backend=bpf", "-o", f"{OUT}/own.fxt"])
    for name in ("control", "ack"):
        os.mkfifo("/tmp/" + name)
    perf = subprocess.Popen(["perf", "record", "-q", "-a", "-k", "mono", "-m", "4M", "-e", PERF, "-o", f"{OUT}/perf.data",
                             "-D", "-1", "--control", "fifo:/tmp/control,/tmp/ack"])
    with open("/tmp/control", "w", encoding="ascii") as control, open("/tmp/ack", encoding="ascii") as ack:
        print("enable", file=control, flush=True)
        result("ack" in ack.readline(), "perf records")
    cmd = subprocess.Popen(["trace-cmd", "record", "-q", "-C", "mono", "-B", "fxtrec-cmd", "-b", "20000", "-o", f"{OUT}/trace.dat",
                            *(word for name in ftrace.EVENTS for word in ("-e", "sched:" + name))],
                           cwd="/tmp", stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    session("whole", (f"enable-event -k -s whole -c c {SCHED},irq_handler_entry,irq_handler_exit,irq_softirq_entry,"
                      "irq_softirq_exit", "enable-event -k -s whole -c c --syscall openat,read,close"),
            "--subbuf-size=4M", "--num-subbuf=4")
    session("part", (f"enable-event -k -s part -c c {SCHED}",), "--subbuf-size=4k", "--num-subbuf=2")
    time.sleep(2)
    load()
    for name in ("whole", "part"):
        done = sh(f"lttng stop {name}; lttng destroy {name}")
        print(done.stdout, flush=True)
        shutil.copytree(f"/tmp/{name}", f"{OUT}/{name}")
        with open(f"{OUT}/{name}.said", "w", encoding="utf-8") as f:
            f.write(done.stdout)
    for process in (perf, cmd):
        process.send_signal(2)
        result(process.wait(60) in (0, -2), f"{process.args[0]} ends")
    said = recorder.end(ours)
result(recorder.all_recorded(said, "bpf"), "nothing of ours is lost", said)
result(instance.lost() == 0, "ftrace lost nothing")
instance.save(f"{OUT}/ftrace.txt")
instance.remove()
sh("killall lttng-sessiond")
inside.finish(OUT)
