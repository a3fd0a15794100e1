#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""States that are listed when a recording begins, on this machine: threads that first run late are known before that."""
import glob
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import recorder
import sleepers
import tap


def rotation(folder):
    """Files of a rotation, and the first one that has an event of the process in D, which is woken while a later one is written."""
    os.mkdir(folder)
    path = os.path.join(folder, "r")
    with sleepers.Sleepers() as some:
        process = recorder.start(["--backend=bpf", "--no-marks", "--rotate=200ms", "-o", path + ".fxt"])
        recorder.files_begin(path, 3)
        some.wake()
        recorder.end(process)
    files = sorted(glob.glob(path + ".*.fxt"))
    woken = next(name for name in files if sleepers.queried(
        name, f"SELECT utid FROM thread_state JOIN thread USING (utid) WHERE tid = {some.of['D'].pid}"))
    return some, files, woken


def rotated(folder):
    # It may be woken after a file's first event, and before the listing.
    for i in range(10):
        some, files, woken = rotation(os.path.join(folder, str(i)))
        if woken != files[0] and str(some.of["D"].pid) in sleepers.listings(woken)[1]:
            break
    found = [sleepers.listings(name) for name in files]
    tap.all_of(f"each of {len(files)} files of a rotation has a listing", found,
               lambda listing: len(listing[0]) == 1 and str(some.silent.pid) in listing[1])
    wrong = sleepers.known_before(woken, some.of["D"], "D")
    tap.ok(not wrong, "a thread before its first event, by a later file alone", wrong)


def snapshot(folder):
    """Threads without an event in a snapshot have names and states; no other has."""
    path = os.path.join(folder, "flight")
    with sleepers.Sleepers() as some:
        process = recorder.start(["--backend=bpf", "--no-marks", "--flight", "-o", path + ".fxt"])
        process.send_signal(signal.SIGUSR1)
        recorder.becomes(lambda: glob.glob(path + ".*.fxt"))
        recorder.end(process)
    name, = glob.glob(path + ".*.fxt")
    for letter, sleeper in some.of.items():
        text = tap.run([tap.FXTREC, "report", f"-t{sleeper.pid}", name]).stdout
        does = {"S": "slept", "T": "was stopped", "D": "was blocked"}[letter]
        tap.ok(f"1 {does} throughout" in text, f"a snapshot: a thread in {letter} throughout", text)
    states = sleepers.listings(name)[1]
    heard = {row["tid"] for row in sleepers.queried(
        name, "SELECT DISTINCT tid FROM thread JOIN thread_state USING (utid) WHERE state IN ('Running', 'R')")}
    tap.ok(heard and not heard & {int(tid) for tid, state in states.items() if state not in ("running", "R")},
           "a snapshot: states of no other", (heard, states))
    valid = tap.run([tap.FXTREC, "check", name])
    tap.ok(valid.returncode == 0, "the snapshot is valid", valid.stdout)


def main():
    if os.geteuid():
        tap.skip_all("needs root")
    with tempfile.TemporaryDirectory() as folder:
        sleepers.check(tap.ok, folder, "bpf")
        rotated(folder)
        snapshot(folder)
    tap.done()


main()
