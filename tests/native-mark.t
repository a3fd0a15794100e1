#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The start and the end of a recording on the command line, the marks and the log's lines between them."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import judge
import recorder
import tap
from tap import FXTREC, ok, run


def whens(folder):
    """When a recording begins and ends: the file says how long it was."""
    path = os.path.join(folder, "when.fxt")
    base = [FXTREC, "record", "--backend=bpf", "-o", path]

    def recorded(arguments):
        began = time.monotonic_ns()
        done = run(base + arguments)
        ok(done.returncode == 0, "record " + " ".join(arguments)[:60], done.stderr)
        r = judge.load(path)
        first = min([r.clocks[0][0], *(of[0][0] for of in r.events.values() if of)])
        return (r.monotonic(first) - began) / 1e9, os.path.getsize(path)

    began, _ = recorded(["--delay=1", "--", "sleep", "3"])
    ok(began >= 1, "a delay is not recorded", began)
    # All this has to be within the delay.
    for delay in (6, 30, 150):
        began = time.monotonic()
        process = subprocess.Popen([*base, "-b", "512k", f"--delay={delay}", "-d", "0.3"], stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        with open("/dev/kmsg", "w") as log:
            log.write("fxtrec waits to begin")
        # Of one thread more than are kept, and of others more than there is room for.
        with recorder.program("renames") as noise:
            time.sleep(0.5)
            noise.stdin.close()
            renames = int(noise.stdout.readline().split()[0])
            run([os.path.join(tap.TOP, "build", "tests", "forks"), "2000"])
        took = time.monotonic() - began
        said = process.communicate(timeout=600)[1]
        if took < delay:
            break
    # Another test's thread may do so at the same time, but hardly as often.
    lost = re.search(r"nothing lost(?: but (\d+) renames)?$", said, re.M)
    ok(process.returncode == 0 and lost and int(lost[1] or 0) < renames // 2, "nor is what is lost within it",
       (took, renames, said))
    ok("waits to begin" not in run([FXTREC, "dump", path]).stdout, "nor the log's lines of then")
    # How much others do between two looks at the size is no matter of its own.
    _, size = recorded(["--size-limit=200K", "-d", "600", "--only-command", "--", "sh", "-c",
                        "while :; do /bin/true; done"])
    ok(200 << 10 <= size < 3 << 20, "--size-limit ends it", size)
    done = run(base + ["--delay=30", "--", "true"])
    ok(done.returncode == 1 and "before the recording began" in done.stderr,
       "a COMMAND that ends within the delay", done.stderr)


def marking():
    """The programs that take marks, by id: those of every recording that runs, whoever's test it is."""
    said = run(["/usr/sbin/bpftool", "-j", "prog", "list"]).stdout
    return {program["id"] for program in json.loads(said) if program.get("name") == "fxtrec_mark"}


def marked(text):
    """Whether a mark was taken, and by which programs it may have been."""
    there = marking()
    taken = run([FXTREC, "mark", text]).returncode == 0
    return taken, there | marking()


def marks_early(path):
    """A recorder, and the marks that it and no other recording took from its first moment on."""
    early = []
    with concurrent.futures.ThreadPoolExecutor() as pool:
        starting = pool.submit(recorder.start, ["--backend=bpf", "-o", path])
        # Until it is ready, a mark is refused or recorded.
        while not starting.done():
            text = f"early {time.monotonic_ns()}"
            early.append((text, *marked(text)))
    process = starting.result()
    own = {int(number) for kind, number in recorder.bpf_objects(process) if kind == "prog"}
    ok(own & marking(), "a recorder has a program that takes marks", (own, marking()))
    texts = [text for text, taken, programs in early if taken and programs <= own]
    tap.note(f"{len(early)} marks while it starts, of which it alone took {len(texts)}")
    return process, texts


def unmarked():
    """A mark that no recording takes, at a moment when none runs."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        before = marking()
        said = run([FXTREC, "mark", "nobody listens"])
        if not before and not marking():
            ok(said.returncode == 1 and "no recording runs" in said.stderr, "a mark without a recording", said.stderr)
            return
        time.sleep(0.1)
    tap.skip("a mark without a recording", "another recording runs on this machine")


def marks(folder):
    path = os.path.join(folder, "marks.fxt")
    process, early = marks_early(path)
    texts = ["here it begins", "naïve ☃ mark", "x" * 1000]
    for text in texts:
        ok(run([FXTREC, "mark", text]).returncode == 0, f"a mark: {text[:16]}")
    texts += early
    with open("/dev/kmsg", "w") as kmsg:
        kmsg.write("fxtrec-test: a line of the kernel's log\n")
    said = recorder.end(process)
    ok(process.returncode == 0, "SIGTERM ends a recording", said)
    r = judge.load(path)
    logs = [text for _, _, text in r.messages]
    events = [name for _, _, category, name, _ in r.instants if category == "mark"]
    ok([t for t in texts if t not in logs or t not in events] == [],
       "each mark is a log record and an event", (logs, events))
    ok(any("a line of the kernel's log" in name for _, _, category, name, _ in r.instants
           if category == "kernel log"), "so is a line of the kernel's log")
    judge.judge_itself(r, path, "marks", judge.process_one(r))
    unmarked()


with tempfile.TemporaryDirectory() as temporary:
    whens(temporary)
    marks(temporary)
tap.done()
