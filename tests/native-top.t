#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec top of this machine: what it says of each second is what the report of the recording says of it."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from laps import differing, report_of
from terminal import Terminal

LAPS = tap.amount("LAPS", 3, 20)
SECOND_NS = 1_000_000_000


def live(folder):
    path = os.path.join(folder, "kept.fxt")
    # Threads come and go.
    load = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    done = tap.run([tap.FXTREC, "top", "--batch", "--json", f"-n{LAPS}", "-o", path, "--backend=bpf"])
    load.kill()
    load.wait()
    if not tap.ok(done.returncode == 0 and not done.stderr, "top --batch of this machine", done.stderr):
        return
    laps = [json.loads(line) for line in done.stdout.splitlines()]
    tap.ok(len(laps) == LAPS, f"{LAPS} laps", f"{len(laps)}")
    exact(laps, path)
    done = tap.run([tap.FXTREC, "check", path])
    tap.ok(done.returncode == 0, "what is kept is a whole recording", done.stdout + done.stderr)


def exact(laps, path):
    gaps = [(a["to_ns"], b["from_ns"]) for a, b in zip(laps, laps[1:]) if a["to_ns"] != b["from_ns"]]
    tap.ok(laps and not gaps and all(lap["to_ns"] - lap["from_ns"] == SECOND_NS for lap in laps),
           "a second each, one behind the other", gaps)
    me = [row for lap in laps for row in lap["threads"] if row["run_ns"] > 0]
    tap.ok(me and sum(cpu["busy_ns"] for lap in laps for cpu in lap["cpus"]) > 0, "threads ran")
    reports = [report_of(path, lap, SECOND_NS) for lap in laps]
    for lap, report, following in zip(laps, reports, [*reports[1:], None]):
        # eBPF doesn't run in threads of process 1 on some machines (Documentation/testing.rst).
        # A thread may have another name, and a process be described, by the end of the recording.
        ignored = ("comm", "process", "cgroup", "container", "pid", "wakers")
        # At the end of a second each CPU may have taken a hidden switch: one thread didn't run, and another did.
        why = differing(lap, report, not report["lost"], ("version", "clock", "from_ns", "to_ns", "lost"), ignored,
                        doubts=2 * os.cpu_count(), hidden={1}, following=following, lists=True)
        tap.ok(not why, "the report of the same time says the same", why)


def stopped(folder):
    """A recorder that doesn't run for a while writes one CPU's events long behind another's."""
    path = os.path.join(folder, "stopped.fxt")
    load = subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do /bin/true; done"])
    said_to = os.path.join(folder, "stopped.json")
    with open(said_to, "w", encoding="utf-8") as out:
        top = subprocess.Popen([tap.FXTREC, "top", "--batch", "--json", f"-n{LAPS + 1}", "-o", path, "--backend=bpf"],
                               stdout=out, stderr=subprocess.PIPE, text=True)
    while top.poll() is None and not os.path.getsize(said_to):
        time.sleep(0.05)
    recorder = int(open(f"/proc/{top.pid}/task/{top.pid}/children", encoding="ascii").read())
    with contextlib.suppress(ProcessLookupError):
        while top.poll() is None:
            time.sleep(0.15)
            os.kill(recorder, signal.SIGSTOP)
            time.sleep(0.7)
            os.kill(recorder, signal.SIGCONT)
    said_then = top.communicate(timeout=600)[1]
    load.kill()
    load.wait()
    if tap.ok(top.returncode == 0 and not said_then, "no event is late where the recorder was", said_then):
        exact([json.loads(line) for line in open(said_to, encoding="utf-8")], path)


class Contention:
    """A program whose threads wait for one lock in turns."""

    def __init__(self, folder):
        self.program = subprocess.Popen([os.path.join(tap.BUILD, "tests", "locks"), "100000", "normal"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, cwd=folder)

    def __enter__(self):
        return self.program.pid

    def __exit__(self, *_):
        self.program.kill()
        self.program.wait()


def locks(folder):
    """The locks of each second: the report of the recording has the same."""
    path = os.path.join(folder, "locks.fxt")
    with Contention(folder) as pid:
        done = tap.run([tap.FXTREC, "top", "--batch", "--json", "--by=lock", f"-n{LAPS}", "-o", path, "--backend=bpf"])
    found, wrong = [], []
    for lap in map(json.loads, done.stdout.splitlines()):
        report = report_of(path, lap, SECOND_NS, "--by=lock")
        rows = [{row["object"]: {name: row[name] for name in row if name != "object_name"} for row in of["locks"] if row["pid"] == pid}
                for of in (lap, report)]
        found += rows[0].values()
        if rows[0] != rows[1]:
            wrong.append(rows)
    # Each thread holds the lock for 0.5 ms or 1 ms, and two threads wait for it.
    tap.ok(done.returncode == 0 and not wrong and len(found) >= LAPS - 1 and
           all(row["count"] and row["ns"] for row in found) and max(row["waiters_max"] for row in found) == 2 and
           sum(row["handoffs"] for row in found) > 0 and
           sum(row["held_ns"] for row in found) > 0.98 * sum(row["ns"] for row in found),
           "--by=lock has the lock that threads waited for, as the report", done.stderr or wrong or found)


def ended():
    """By a signal; the recorder doesn't outlive it."""
    top = subprocess.Popen([tap.FXTREC, "top", "--batch", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    line = top.stdout.readline()
    children = open(f"/proc/{top.pid}/task/{top.pid}/children", encoding="ascii").read().split()
    top.send_signal(signal.SIGTERM)
    _, said_then = top.communicate(timeout=600)
    tap.ok(line.startswith("{") and top.returncode == 0 and not said_then, "SIGTERM ends it",
           f"{top.returncode}: {said_then}")
    until = time.monotonic() + 300
    while any(os.path.exists(f"/proc/{child}") for child in children) and time.monotonic() < until:
        time.sleep(0.1)
    tap.ok(len(children) == 1 and not os.path.exists(f"/proc/{children[0]}"), "and its recorder")


def written(folder):
    """What w writes of the last seconds."""
    if "no screen" in tap.run([tap.FXTREC, "top"], stdin=subprocess.DEVNULL).stderr:
        tap.skip("w", "this build has no ncurses")
        return
    os.chdir(folder)
    terminal = Terminal([tap.FXTREC, "top", "--backend=bpf"], 24, 140)
    shown = terminal.wait("busy") and not time.sleep(1)
    with Contention(folder):
        terminal.press("L")
        tap.ok(terminal.wait("holders") and terminal.wait(" of locks") and terminal.wait("locks:"), "L shows the lock and its holders", terminal.text)
    terminal.press("w")
    tap.ok(shown and terminal.wait("wrote fxtrec-top-"), "w writes a file", terminal.text)
    terminal.press("q")
    tap.ok(terminal.end() == 0, "q ends it")
    files = [name for name in os.listdir(folder) if name.startswith("fxtrec-top-")]
    done = tap.run([tap.FXTREC, "check", *files])
    tap.ok(len(files) == 1 and done.returncode == 0, "the file is whole", f"{files}: {done.stdout} {done.stderr}")
    done = tap.run([tap.FXTREC, "report", "--json", *files])
    tap.ok(done.returncode == 0 and done.stderr.count("\n") == 1 and ": no end: " in done.stderr,
           "it has no end, as the recording goes on", done.stderr)
    report = json.loads(done.stdout)
    tap.ok(report["to_ns"] - report["from_ns"] > 500_000_000 and
           any(row["comm"] and row["run_ns"] for row in report["threads"]), "with names and times", report["threads"][:2])


def free_address(what):
    """Where it can listen; None, and what is skipped, where it is built without a server."""
    if "prometheus, as lib" in tap.run(["strings", "-n20", tap.FXTREC]).stdout:
        tap.skip(what, "this build has no libmicrohttpd")
        return None
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def series(address, seconds=120):
    """What it says, by series; nothing where it doesn't answer."""
    try:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=seconds) as answer:
            lines = answer.read().decode().splitlines()
    except OSError:
        return {}
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def scraped():
    """Sums over the laps; counters don't fall."""
    address = free_address("--prometheus")
    if not address:
        return
    top = subprocess.Popen([tap.FXTREC, "top", f"--prometheus={address}", "--interval=200ms", "--backend=bpf"],
                           stderr=subprocess.PIPE, text=True)
    found = []
    deadline = time.monotonic() + 300
    while len(found) < 2 and time.monotonic() < deadline:
        time.sleep(0.5)
        values = series(address)
        if 'fxtrec_cpu_seconds_total{cpu="0",state="busy"}' in values:
            found.append(values)
    try:
        urllib.request.urlopen(f"http://{address}/", timeout=120)
        status = 200
    except urllib.error.HTTPError as err:
        status = err.code
    tap.ok(status == 404, "only /metrics is there", status)
    tap.fails(["top", f"--prometheus={address}"], 1, "in use", "an address that is taken")
    top.send_signal(signal.SIGINT)
    _, said_then = top.communicate(timeout=600)
    tap.ok(top.returncode == 0 and not said_then, "--prometheus ends by a signal", said_then)
    if not tap.ok(len(found) == 2, "it answers a scraper", said_then):
        return
    tap.ok(any("off_cpu" in name and 'class="idle"' in name and value > 0 for name, value in found[1].items()),
           "it has the time of waits by class", [name for name in found[1] if "off_cpu" in name][:20])
    first, second = found
    fell = [name for name in first if second.get(name, -1) < first[name]]
    tap.ok(not fell, "counters don't fall", fell[:5])
    cpus = {name: sum(second[f'fxtrec_cpu_seconds_total{{cpu="{name}",state="{state}"}}']
                      for state in ("busy", "idle", "unknown")) for name in range(os.cpu_count())}
    tap.ok(len({round(seconds / 0.2, 6) for seconds in cpus.values()}) == 1 and
           all(abs(seconds / 0.2 - round(seconds / 0.2)) < 1e-6 for seconds in cpus.values()),
           "what CPUs did adds up to whole laps", cpus)
    runs = sum(value for name, value in second.items() if name.startswith("fxtrec_run_seconds_total"))
    busy = sum(value for name, value in second.items() if 'state="busy"' in name)
    tap.ok(runs > 0 and abs(runs - busy) < 1e-6, "threads ran for as long as CPUs were busy", (runs, busy))
    counts = [(name, value) for name, value in second.items() if "latency_seconds_count" in name]
    tap.ok(counts and all(second[name.replace("_count{", "_bucket{").replace("}", ',le="+Inf"}')] == value
                          for name, value in counts), "histograms are whole")


def awaited(address, wanted, seconds=300):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = series(address)
        if wanted(found):
            return found
        time.sleep(0.3)
    return {}


def many():
    """More threads than have a row each: those that have one keep it."""
    address = free_address("--prometheus of many threads")
    if not address:
        return
    steady = subprocess.Popen([sys.executable, "-c", "import time\nwhile True: time.sleep(0.01)"])
    top = subprocess.Popen([tap.FXTREC, "top", f"--prometheus={address}", "--interval=200ms", "--backend=bpf", "--by=thread"],
                           stderr=subprocess.DEVNULL)
    named = [f"python{sys.version_info[0]}.{sys.version_info[1]}", os.path.basename(sys.executable)]
    switches = [f'fxtrec_switches_total{{comm="{name}",tid="{steady.pid}"}}' for name in named]
    awaited(address, lambda found: any(found.get(name) for name in switches))
    subprocess.run([sys.executable, "-c", "import threading\nfor _ in range(4300):\n t = threading.Thread(target=int)\n"
                    " t.start()\n t.join()"], check=True)
    others = 'fxtrec_switches_total{comm="(others)"}'
    first = awaited(address, lambda found: found.get(others))
    second = awaited(address, lambda found: any(found.get(name, 0) > first.get(name, 0) for name in switches))
    top.send_signal(signal.SIGINT)
    top.wait(600)
    steady.kill()
    steady.wait()
    tap.ok(first and second, "a thread with a row keeps it when there are too many",
           [{name: found.get(name) for name in [others, *switches]} for found in (first, second)])


def main():
    folder = tempfile.mkdtemp()
    live(folder)
    locks(folder)
    stopped(folder)
    ended()
    written(folder)
    scraped()
    many()
    tap.fails(["top", "--batch", "-n1", "-b", "1"], 2, "sub-buffers", "what the recorder doesn't take is said")
    tap.fails(["top", "--batch", "-o", folder], 1, "directory", "a directory is no file")
    tap.done()


main()
