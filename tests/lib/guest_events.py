# SPDX-License-Identifier: GPL-2.0-only
"""Events beside scheduling inside a virtual machine, by module and eBPF at once: guest_events.py OUT ROUNDS"""
import glob
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import deny
import events
import ftrace
import inside
import recorder
from inside import MODULE, references, result, sh
from tap import BUILD, FXTREC

OUT, ROUNDS = sys.argv[1], sys.argv[2]
PROGRAMS = os.path.join(BUILD, "tests")
# Some hundred, each of which is asked for through QEMU.
FILES = "/usr/share/perl5"


def record(backend, path, arguments):
    return recorder.start(["--backend=" + backend, "-o", path, *arguments])


def end(process, name):
    said = recorder.end(process)
    print(said, flush=True)
    result(process.returncode == 0, f"{name}: a recording with events ends well", said)
    return said


def frequencies_switch():
    """Every CPU's, up and down."""
    for khz in (1000000, 3000000) * 10:
        for path in glob.glob("/sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq"):
            with open(path, "w", encoding="ascii") as f:
                f.write(str(khz))


def oracle(name, wanted, others):
    """Events by both, and ftrace: the comparing is done outside."""
    instance = ftrace.Instance(60000, others=others)
    try:
        with instance:
            recorders = [(backend, record(backend, f"{OUT}/{name}-{backend}.fxt",
                                          ["-b", "16M", "-e", wanted]))
                         for backend in ("kmod", "bpf")]
            sh(f"{HERE}/load_events.sh {PROGRAMS} {ROUNDS} {FILES}; ping -c 3 -i 0.2 127.0.0.1")
            frequencies_switch()
            for backend, process in reversed(recorders):
                said = end(process, backend)
                result(recorder.all_recorded(said, backend) or recorder.only_unrecorded(said),
                       f"{name}, {backend}: nothing lost", said)
        result(instance.lost() == 0, "ftrace lost nothing")
        instance.save(f"{OUT}/{name}.txt")
    finally:
        instance.enable(False)
        instance.remove()
    result(references() == 0, "no reference to the module stays behind", references())


def denied():
    """What perf is kept from, the module can't record: it says how much, whatever else it records."""
    path = f"{OUT}/denied.fxt"
    with deny.Program("sched", "sched_process_fork"):
        process = record("kmod", path, ["-e", "sched:sched_process_fork,raw_syscalls:sys_enter"])
        sh(f"{PROGRAMS}/forks 100")
        said = end(process, "denied")
    lost = re.search(r"lost (\d+) events \(nested", said)
    recorded = sh(f"{FXTREC} dump {path}").stdout.count('name="sched_process_fork"')
    result(lost and 100 <= int(lost[1]) < 1000 and recorded == 0,
           "tracepoints that another's program keeps from us are told of as lost", (said, recorded))


def added():
    """What "perf probe" adds to the kernel is a tracepoint for the module; eBPF says that it is none for it."""
    path = f"{OUT}/added.fxt"
    ftrace.kprobe("p:mine/opened do_sys_openat2 file=+0(%si):ustring")
    record = f"{FXTREC} record -e mine:opened -o {path} --backend"
    sh(f"{record}=kmod -- cat /etc/hostname")
    files = re.findall(r'name="opened" {.*file="(.*)"}', sh(f"{FXTREC} dump {path}").stdout)
    result(files.count("/etc/hostname") == 1, "a probe that was added is recorded by the module", files)
    refused = sh(f"{record}=bpf -d 0.1")
    result(refused.returncode == 1 and "mine:opened" in refused.stdout and "the module can" in refused.stdout,
           "eBPF refuses it", refused.stdout)
    ftrace.kprobe("-:mine/opened")


def doubted():
    """
    The frequencies above make the kernel doubt its time-stamp counter; for a moment it
    keeps time by that still, which is made to last here.
    """
    clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    path = f"{OUT}/doubted"
    with open(path + ".tsc", "w", encoding="ascii") as f:
        f.write("tsc\n")
    said = sh(f"mount --bind {path}.tsc {clock} && {FXTREC} record --backend=kmod -d 0.2 -o {path}.fxt; "
              f"umount {clock}").stdout
    result("clock mono:" in said, "a kernel that begins to doubt its counter is recorded by another clock", said)


def runqueues():
    """Three threads that never sleep on one CPU: its mean, once a second, is three."""
    path = f"{OUT}/counters.fxt"
    spinners = [subprocess.Popen(["taskset", "-c", "1", "sh", "-c", "while :; do :; done"]) for _ in range(3)]
    sh(f"{FXTREC} record --backend=kmod --counters -d 4.5 -o {path}")
    for spinner in spinners:
        spinner.kill()
        spinner.wait()
    means = {cpu: [float(n) for n in re.findall(rf'name="cpu {cpu} runnable" .*threads=([\d.]+)',
                                                sh(f"{FXTREC} dump {path}").stdout)] for cpu in (1, 2)}
    # The kernel accounts a wait when it ends, in the next second maybe, and may have too much for a second
    # (Documentation/fxt-on-linux.rst), never for each.
    result(len(means[1]) >= 3 and 2 < sum(means[1]) / len(means[1]) and min(means[1]) < 4.5 and len(means[2]) >= 3 and 0 <= min(means[2]) < 1.5,
           "runnable threads of each CPU", means)


def stacks():
    """Both at once: the comparing is done outside."""
    recorders = [(backend, record(backend, f"{OUT}/stacks-{backend}.fxt", ["-b", "16M", "--stacks=all"]))
                 for backend in ("kmod", "bpf")]
    sh(f"{PROGRAMS}/sleeps 30 10; ls -lR {FILES} >/dev/null; perf bench sched pipe -l 2000; sync")
    time.sleep(1)
    for backend, process in reversed(recorders):
        said = end(process, f"stacks, {backend}")
        result(recorder.all_recorded(said, backend), f"stacks, {backend}: nothing lost", said)


def lossy():
    """Rings that are too small for a recorder that sleeps: what is lost is told, and pairs stay pairs."""
    for backend in ("kmod", "bpf"):
        process = record(backend, f"{OUT}/lossy-{backend}.fxt", ["-b", "64K", "-e", "irq,syscalls"])
        process.send_signal(signal.SIGSTOP)
        sh("find /sys/devices >/dev/null")
        process.send_signal(signal.SIGCONT)
        time.sleep(1)
        sh("find /sys/devices >/dev/null")
        said = end(process, f"{backend}, small rings")
        result("other events" in said, f"{backend}: lost events are told of", said)


def flight():
    """A flight recorder overwrites events as well."""
    for backend in ("kmod", "bpf"):
        path = f"{OUT}/flight-{backend}.fxt"
        process = record(backend, path, ["--flight", "-b", "256K", "-e", "all"])
        for _ in range(3):
            sh("perf bench sched pipe -l 3000")
            process.send_signal(signal.SIGUSR1)
            time.sleep(1)
        end(process, f"{backend}, flight")


result(sh(f"insmod {MODULE}").returncode == 0, "the module loads")
result(sh(f"insmod {os.path.dirname(MODULE)}/frequency/frequency.ko").returncode == 0, "there are frequencies")
oracle("groups", "irq,power,syscalls", events.FTRACE)
for number, (group, tracepoints) in enumerate(events.TRACEPOINTS.items()):
    oracle(f"tracepoints-{number}", group, tuple(tracepoints))
denied()
added()
doubted()
runqueues()
stacks()
lossy()
flight()
result(sh("rmmod fxtrec").returncode == 0, "the module unloads")
inside.leaks()
inside.finish(OUT)
