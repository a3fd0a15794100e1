#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What fxtrec doctor finds: the situations that this machine can be put in; tests/vm-doctor.t has the others."""
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import ftrace
import judge
import tap
from tap import FXTREC, ok, run

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
BOUNDED = ["setpriv", "--bounding-set=-sys_admin,-perfmon,-bpf,-sys_module",
           "--inh-caps=-sys_admin,-perfmon,-bpf,-sys_module"]
LOADS = os.path.exists("/proc/modules")


def doctor(how=(), tool=FXTREC):
    """Its exit status and findings by name, where it is called as how says."""
    done = run([*how, tool, "doctor", "--json"])
    try:
        said = json.loads(done.stdout)
    except ValueError:
        ok(False, "doctor --json prints JSON", done.stdout + done.stderr)
        return done.returncode, {"findings": {}}
    said["findings"] = {f["name"]: f for f in said["findings"]}
    return done.returncode, said


def mounted(script):
    """A command in a mount namespace, after a script there; files that stand for the kernel's lie in /mnt."""
    return ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs none /mnt && {{ {script}; }} && exec \"$@\"", "-"]


# LeakSanitizer reads /proc, and fails at the end without it: then no status is judged.
NO_PROC = "mount -t tmpfs none /proc"


def finds(name, said, finding, state, text, remedy, works):
    status, told = said
    f = told["findings"].get(finding, {"state": "", "text": "", "remedy": ""})
    ok(f["state"] == state and text in f["text"] and (remedy in (f["remedy"] or "") if remedy else not f["remedy"]),
       f"{name}: {finding} is \"{state}\", says why and what to type", f)
    ok(status == (0 if works else 1) and told.get("works") == works,
       f"{name}: {'a' if works else 'no'} recording works, by its exit status", (status, told))


def well():
    said = doctor()
    finds("all well", said, "eBPF", "ok", "takes the programs", "", True)
    text = run([FXTREC, "doctor"])
    lines = text.stdout.splitlines()
    ok(text.returncode == 0 and lines[-1].startswith("a recording works: by ") and
       all(any(line.split(None, 1)[1].startswith(name) for line in lines[:-2]) for name in said[1]["findings"]),
       "all well: the text has a line for each finding, and the verdict", text.stdout)
    bad = [f for f in said[1]["findings"].values() if f["state"] == "no"]
    ok(not bad, "all well: nothing is in the way", bad)


def kernel():
    """Files of the kernel that this one lacks, or has otherwise."""
    said = doctor(mounted("mount -t tmpfs none /sys/kernel/btf"))
    finds("no BTF", said, "BTF", "no", "vmlinux is missing", "CONFIG_DEBUG_INFO_BTF=y",
          said[1].get("backend") == "kmod")
    ok(("apt install fxtrec-dkms" in said[1]["findings"]["BTF"]["remedy"]) == LOADS,
       "no BTF: the module is a remedy where the kernel loads any", said[1]["findings"]["BTF"])
    if said[1].get("backend") != "kmod":
        finds("no BTF", said, "eBPF", "no", "no BTF", "", False)
    locked = mounted("mkdir -p /mnt/s; echo 'none [integrity] confidentiality' >/mnt/s/lockdown; "
                     "mount --bind /mnt/s /sys/kernel/security")
    finds("lockdown", doctor(locked), "lockdown", "note" if LOADS else "ok", "only signed modules",
          "mokutil --import" if LOADS else "", True)
    bare = mounted("umount /sys/kernel/security 2>/dev/null; mount -t tmpfs none /sys/firmware; "
                   "mkdir -p /sys/firmware/efi/efivars; mount --bind /sys/kernel /sys/firmware/efi/efivars")
    for finding, what in (("lockdown", "securityfs"), ("Secure Boot", "efivarfs")):
        if what == "efivarfs" or os.path.isdir("/sys/kernel/security"):
            finds(f"no {what}", doctor(bare), finding, "note", "isn't mounted", f"mount -t {what} {what} /sys/", True)
    slow = mounted("echo hpet >/mnt/c; mount --bind /mnt/c "
                   "/sys/devices/system/clocksource/clocksource0/current_clocksource")
    finds("another clock", doctor(slow), "clock", "note", "hpet", "available_clocksource", True)
    small = mounted("echo 'MemAvailable: 4096 kB' >/mnt/m; mount --bind /mnt/m /proc/meminfo")
    status, said = doctor(small)
    remedy = said["findings"]["memory"]["remedy"]
    ok(status == 1 and said["findings"]["memory"]["state"] == "no" and remedy.startswith("fxtrec record -b "),
       "little memory: it says which -b to type", said["findings"]["memory"])
    done = run([*small, FXTREC, *remedy.split()[1:], "--backend=bpf", "--no-marks", "-d", "0.1", "-o", "/mnt/x.fxt"])
    ok(done.returncode == 0, "little memory: and that works", done.stderr)
    said = doctor(mounted("mount -t tmpfs none /sys"))
    for finding, state in (("BTF", "no"), ("memory", "no"), ("eBPF", "no"), ("lockdown", "note"), ("clock", "note"),
                           ("tracefs", "note"), ("other tracers", "note")):
        finds("no /sys", said, finding, state, "unknown: /sys isn't mounted", "mount -t sysfs", False)
    text = run([*mounted("mount -t tmpfs none /sys"), FXTREC, "doctor"]).stdout
    ok(text.endswith("\nno recording would work: the CPUs can't be counted\n"), "no /sys: nor is memory blamed", text)
    said = doctor(mounted(NO_PROC))
    if tap.SANITIZED:
        said = (0, said[1])
    for finding in ("container", "perf_event_paranoid", "memory"):
        finds("no /proc", said, finding, "note", "unknown: /proc isn't mounted", "mount -t proc", True)
    f = said[1]["findings"]["privilege"]
    ok(f["state"] == "ok", "no /proc: privilege is known all the same", f)
    finds("no tracefs", doctor(mounted("umount " + ftrace.TRACEFS)), "tracefs", "note", "nothing is mounted",
          "mount -t tracefs", True)


def privilege(folder):
    tool = shutil.copy(FXTREC, os.path.join(folder, "fxtrec"))
    os.chmod(tool, 0o755)
    said = doctor(NOBODY, tool)
    finds("no privilege", said, "privilege", "no", "no CAP_PERFMON and no CAP_BPF",
          f"setcap cap_bpf,cap_perfmon+ep {tool}", False)
    ok(said[1]["findings"]["eBPF"]["state"] == "no", "no privilege: nor does eBPF work", said)
    done = run([*NOBODY, tool, "record", "-d", "0.1", "-o", os.path.join(folder, "x.fxt")])
    ok(done.returncode == 1 and done.stderr.endswith('("fxtrec doctor" tells more)\n') and done.stderr.count("\n") == 1,
       "no privilege: record names the doctor", done.stderr)
    said = doctor([*NOBODY, "unshare", "--user", "--map-root-user", "--pid", "--fork"], tool)
    finds("container", said, "container", "no", "a user namespace", "run fxtrec on the host", False)
    finds("container", said, "eBPF", "no", "not permitted", "run fxtrec on the host", False)
    # Docker's root, as long as nobody asks for more: neither sudo nor setcap gets it what it may not have.
    for how in (BOUNDED, [*BOUNDED, *NOBODY]):
        said = doctor(how, tool)
        finds("container without capabilities", said, "privilege", "no", "root itself may not have them",
              "run fxtrec on the host", False)
        finds("container without capabilities", said, "eBPF", "no", "not permitted", "run fxtrec on the host", False)
    said = doctor(["setpriv", "--bounding-set=-sys_module", "--inh-caps=-sys_module"], tool)
    finds("no module may be loaded", said, "privilege", "note" if LOADS else "ok",
          "no CAP_SYS_MODULE" if LOADS else "for eBPF", "run fxtrec on the host" if LOADS else "", True)
    said = doctor(["unshare", "--pid", "--fork", "--mount-proc"], tool)
    finds("container of the host's users", said, "container", "note", "a PID namespace", "--pid=host", True)
    for how, named in ((["unshare", "--pid", "--fork", "--mount-proc"], True), (mounted(NO_PROC), False)):
        done = run([*how, tool, "record", "--backend=bpf", "-d", "0.1", "-o", os.path.join(folder, "apart.fxt")])
        ok((done.returncode == 0 or (tap.SANITIZED and not named)) and ("in a PID namespace: no process" in done.stderr) == named and
           ("/proc isn't mounted" in done.stderr) != named, f"a recording {'in a PID namespace' if named else 'without /proc'}: "
           "what it lacks is said", done.stderr)
        r = judge.load(os.path.join(folder, "apart.fxt"))
        own = {tid for _, tid, category, _, _ in r.instants if category == "fxtrec"}
        ok(len(own) == 1 and (min(own) >= 1 << 22) == named and "fxtrec" in [name for _, name in r.names.get(min(own), [])],
           "and the recorder's own events are on no other process", own)
        os.unlink(os.path.join(folder, "apart.fxt"))
    apart = ["unshare", "--time", "--monotonic", "-5", "--fork"]
    finds("a time namespace", doctor(apart, tool), "clock", "no", "a time namespace", "nsenter --time", False)
    done = run([*apart, tool, "record", "-d", "0.1", "-o", os.path.join(folder, "x.fxt")])
    ok(done.returncode == 1 and "nsenter --time" in done.stderr and done.stderr.count("\n") == 1 and
       not os.path.exists(os.path.join(folder, "x.fxt")), "a time namespace: record says so, too", done.stderr)
    run(["setcap", "cap_bpf,cap_perfmon+ep", tool], check=True)
    said = doctor(NOBODY, tool)
    # A kernel that loads no modules needs no privilege to load one.
    finds("capabilities of the file", said, "privilege", "note" if LOADS else "ok",
          "no CAP_SYS_MODULE" if LOADS else "for eBPF", "modprobe fxtrec" if LOADS else "", True)
    finds("capabilities of the file", said, "tracefs", "note", "can't be read", "sudo fxtrec doctor", True)
    finds("capabilities of the file", said, "other tracers", "note", "unknown", "", True)
    done = run([*NOBODY, tool, "record", "--no-marks", "-d", "0.1", "-o", "/dev/null"])
    ok(done.returncode == 0 and (LOADS or "this kernel loads no modules" in done.stderr and "dkms" not in done.stderr),
       "capabilities of the file: record names no package that can't help", done.stderr)


def tracer():
    """By files of its own: another's tracing would change the kernel's meanwhile."""
    def files(on, event, name):
        return mounted("cd /sys/kernel/tracing; " + "".join(
            f"echo {text} >/mnt/{file}; mount --bind /mnt/{file} {file}; "
            for file, text in (("tracing_on", on), ("set_event", event), ("current_tracer", name))) + "cd /mnt")
    finds("another tracer", doctor(files(1, "sched:sched_switch", "nop")), "other tracers", "note", "sched:sched_switch",
          "events/enable", True)
    finds("a tracer of functions", doctor(files(1, "", "function")), "other tracers", "note", '"function"',
          "current_tracer", True)
    finds("a tracer that is off", doctor(files(0, "sched:sched_switch", "function")), "other tracers", "ok", "none", "",
          True)


if os.geteuid():
    tap.skip("doctor", "needs root, to have something to take away")
else:
    ftrace.mount()
    well()
    kernel()
    with tempfile.TemporaryDirectory() as temporary:
        os.chmod(temporary, 0o755)
        privilege(temporary)
    tracer()
tap.done()
