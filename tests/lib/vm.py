# SPDX-License-Identifier: GPL-2.0-only
"""The module's tests on one kernel, in a virtual machine of four CPUs."""
import json
import os
import subprocess
import sys
import tempfile

import delays
import filters
import judge
import oracle
import overflow
from fxt import Switch
from tap import BUILD, FXTREC, TOP, done, note, ok

LIB = os.path.dirname(os.path.abspath(__file__))
SWITCHES = 200000
# Beyond what the slowest guest takes on a busy machine: for those that hang.
TIMEOUT = 2700


def run_script(kernel, out, script="guest.py", arguments=(), timeout=TIMEOUT, options=()):
    """Runs a script of this folder, which leaves its results in OUT."""
    # A guest of another architecture has a root file system and a build of its own.
    other = kernel.endswith("-arm64")
    build = os.path.join(BUILD, "arm64") if other else BUILD
    fxtrec = os.path.join(build, "fxtrec") if other else FXTREC
    command = [os.path.join(TOP, "scripts", "vm-run"), "-k", kernel, "-c", "4", "-m", "3G",
               "-t", str(timeout), "-o", out, *options, "--",
               "env", "BUILD=" + build, "FXTREC=" + fxtrec, "python3" if other else sys.executable,
               os.path.join(LIB, script), "/out", *map(str, arguments)]
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def judge_run(run, out, what):
    """Its results become tests, and the kernel's log has to be clean."""
    results = os.path.join(out, "results")
    if not ok(run.returncode == 0 and os.path.exists(results),
              f"{what}: the virtual machine ran, and its kernel's log is clean",
              f"exit status {run.returncode}\n{run.stdout[-4000:]}"):
        return False
    with open(results) as f:
        for condition, name, why in json.load(f):
            ok(condition, f"{what}: {name}", why)
    return True


def boot(kernel, out, *script, **options):
    """Both, of one virtual machine."""
    return judge_run(run_script(kernel, out, *script, **options), out, kernel)


def judge_both(out, what, least):
    """What both.py recorded in a guest, against ftrace's and by itself."""
    for backend in ("kmod", "bpf"):
        path, each = os.path.join(out, backend + ".fxt"), f"{what}, {backend}"
        r = judge.load(path)
        judge.judge_oracle(r, os.path.join(out, "ftrace.txt"), each, least)
        judge.judge_itself(r, path, each)


def one_sequence(kernel, kmod, bpf, least):
    """Where both producers recorded, they recorded the same."""
    problems, compared, unrecorded = [], 0, oracle.Unrecorded(bpf)
    for cpu, events in sorted(bpf.events.items()):
        ours = oracle.settled(events)
        theirs = oracle.settled([(kmod.monotonic(ticks), e) for ticks, e in kmod.events[cpu]])
        try:
            theirs, start = oracle.align(ours, theirs, bpf.monotonic), 0
        except oracle.Difference as difference:
            problems.append(f"cpu {cpu}: {difference}")
            continue
        pairs = []
        for event in ours:
            start += unrecorded.skip(event[1], theirs, start)
            pairs += zip([event], theirs[start:start + 1])
            start += 1
        compared += len(pairs)
        problems += [f"cpu {cpu}: {a} {b}" for a, b in pairs if not oracle.same(a[1], b[1])][:3]
        if len(pairs) != len(ours):
            problems.append(f"cpu {cpu}: {len(ours)} by eBPF, {len(pairs)} by the module")
    note(f"{kernel}: {compared} events of both producers compared")
    ok(not problems and compared > least,
       f"{kernel}: module and eBPF record the same sequence", "\n".join(problems))


def marks(kernel, r):
    wanted = {"a mark by write": "mark", "a mark by tool": "mark", "a line of the log": "kernel log"}
    logs = {text for _, _, text in r.messages}
    shown = {name: category for _, _, category, name, _ in r.instants}
    for text, category in wanted.items():
        ok(any(text in log for log in logs) and
           any(text in name and shown[name] == category for name in shown),
           f"{kernel}: {text!r} is a log record and an event", sorted(shown))


def hotplug(kernel, path):
    """
    The kernel traces nothing on a CPU that is offline, so the last switch there,
    from its stopper to idle, is missing: that break alone may be.
    """
    r = judge.load(path)
    broken = [b for b in oracle.chain_breaks(r)
              if not (b[0] == 3 and b[3] == 0 and r.names[b[2]][-1][1] == "migration/3")]
    ok(not broken, f"{kernel}: the chain of switches holds over a CPU's absence", broken[:5])
    after = [e for _, e in r.events[3] if isinstance(e, Switch)]
    ok(len(after) > 500, f"{kernel}: a CPU that came back is recorded again", len(after))
    judge.judge_valid(path, f"{kernel}, hotplug")


# Parts of a guest's test: all; without the device's calls, filters and delays; loading and the oracle alone.
PARTS = ("all", "short", "oracle")


def judge_recordings(kernel, out):
    marks(kernel, judge.load(os.path.join(out, "held.fxt")))
    overflow.judge(os.path.join(out, "overflow"), f"{kernel}, module")
    for name in ("killed-kmod", "killed-bpf", "clock-mono", "clock-boot", "clock-tsc"):
        judge.judge_valid(os.path.join(out, name + ".fxt"), f"{kernel}, {name}", name.startswith("killed"))
    hotplug(kernel, os.path.join(out, "hotplug.fxt"))


def judge_device(kernel, out):
    filters.judge(os.path.join(out, "filter"), kernel, near=filters.GUEST_NEAR_NS)
    delays.judge_exact(os.path.join(out, "exact"), f"{kernel}, module", delays.GUEST_NEAR_NS)
    delays.judge_caught(os.path.join(out, "caught"), f"{kernel}, module", delays.GUEST_NEAR_NS)


def judge_kernel(kernel, share=1, parts="all"):
    """At 1/share of the load, for a kernel that is slow or one of many; parts are one of PARTS."""
    # There a thread that renames itself can be switched away between the tracepoint and the deed.
    oracle.RENAME_NS = 300000000 if kernel.endswith("-rt") else 1000000
    with tempfile.TemporaryDirectory() as out:
        if boot(kernel, out, arguments=[share, parts]):
            recordings = {}
            for backend in ("kmod", "bpf"):
                path = os.path.join(out, backend + ".fxt")
                r = recordings[backend] = judge.load(path)
                what = f"{kernel}, {backend}"
                judge.judge_oracle(r, os.path.join(out, "ftrace.txt"), what, SWITCHES // share)
                judge.judge_itself(r, path, what)
            one_sequence(kernel, recordings["kmod"], recordings["bpf"], SWITCHES // share)
            if parts != "oracle":
                judge_recordings(kernel, out)
            if parts == "all":
                judge_device(kernel, out)


def judge_reasons(kernel):
    """The reasons of sleeps: native-reasons.t and native-edges.t, by both producers."""
    with tempfile.TemporaryDirectory() as out:
        if boot(kernel, out, "reasons_guest.py", options=["-c", "2"]):
            with open(os.path.join(out, "notes")) as f:
                note(f.read())


def test(kernel, share=1, parts="all", reasons=False):
    judge_kernel(kernel, share, parts)
    if reasons:
        judge_reasons(kernel)
    done()
