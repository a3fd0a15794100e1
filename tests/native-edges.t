#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reasons of sleeps whose futexes and descriptors resist a look at them (tests/lib/edges.c): no fault is taken, nothing sticks."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fuse
import reasons
import tap

BACKEND = os.environ.get("REASONS_BACKEND", "auto")
FUTEXES = tap.amount("FUTEXES", 20000, 1000000)
NOBODY = 0x3fffff
CHASED = 1000
WAIT, WAIT_BITSET, TIMEOUT = 0, 9, 1 << 19
# What the victim is of at some moment; the calls of another descriptor have none of another kind.
REPLACED = {"pipe", "unix", "eventfd", "-"}


def mounted(folder):
    """A file system that counts reads, or None."""
    try:
        return fuse.Mount(os.path.join(folder, "fuse"))
    except OSError as error:
        tap.skip("memory of a FUSE file", error)
        return None


def judge(path, said, mount):
    log, recording = reasons.Log(said), reasons.Recording(path)
    tap.ok(log.ended, "the program ends", said[-300:])
    words = dict(line.split() for line in said.splitlines() if line.startswith(("withheld ", "rewritten ")))
    tap.ok(words.get("withheld") != "1", "nobody wants the page that its owner never provides", words)
    if words.get("withheld") == "-1":
        tap.skip("withheld memory", "no userfaultfd")
    if mount:
        tap.ok(not mount.waited_for(fuse.READ), "nobody reads the file that is mapped after a futex")
    process = set(log.by_tid)
    found = reasons.sleeps(recording, process)
    waits = [(entry.kind, s) for s in found for entry in log.at(s)]
    killed = [s for kind, s in waits if kind == "killed"]
    waits = [(kind, s) for kind, s in waits if kind != "killed"]
    kinds = {kind for kind, _ in waits}
    tap.ok({"none", "unmapped", "missing", "nobody"} | ({"fuse"} if mount else set()) <= kinds, "waits at all edges are recorded", kinds)
    tap.all_of("none of them has a holder", [w for w in waits if w[0] != "nobody"], lambda w: "holder" not in w[1].why)
    tap.all_of("each has the futex", waits, lambda w: reasons.object_of(w[1].why)[0] == "futex")
    tap.all_of("a thread that is killed in a wait doesn't wait for its object any more", killed,
               lambda s: "holder" not in s.why and (reasons.object_of(s.why)[0] == "-" or reasons.by_kernel_lock(s)), least=bool(mount))
    # Threads that the log doesn't have, by the process's names.
    others = {tid for tid in recording.scheduled() if recording.names.get(tid, [(0, "")])[-1][1] == "edges"} - process
    found = reasons.sleeps(recording, others)
    rewritten(path, found, int(words["rewritten"]))
    reads = [s for s in found if reasons.call_of(s.why) == "read" and not reasons.by_kernel_lock(s)]
    objects = {reasons.object_of(s.why)[0] for s in reads}
    tap.ok(len(reads) > 20 and objects <= REPLACED, "descriptors that are replaced meanwhile are of their kinds", (len(reads), objects))
    futexes = {s.why["futex"] for s in found if "futex" in s.why}
    tap.ok(len(futexes) > FUTEXES // 10, "many different futexes", len(futexes))
    tap.note(f"{len(found)} sleeps of {len(others)} threads; {len(futexes)} futexes; {len(reads)} reads of {sorted(objects)}")
    done = tap.run([tap.FXTREC, "query", path, f"select count(*) as found from thread_state where holder_tid = {NOBODY}"])
    tap.ok(done.returncode == 0 and done.stdout.split()[-1] == "0", "an owner that is nobody is no holder", done.stdout + done.stderr)


def rewritten(path, found, address):
    """
    Waits for a word that changes all the time, as the words beside it do: each sleep has the futex, and whatever was read
    as a holder is none.
    """
    waits = [s for s in found if s.why.get("futex") == address]
    operations = {s.why["reason"] >> 24 & 0x7f for s in waits}
    tap.ok(len(waits) >= CHASED and operations == {WAIT, WAIT_BITSET}, "waits for a word that is rewritten", (len(waits), operations))
    tap.all_of("they have a timeout", waits, lambda s: s.why["reason"] & TIMEOUT)
    read = [s for s in waits if "holder" in s.why]
    tap.ok(read and all(s.why["holder"] < 1 << 22 for s in read), "a value that is no thread's id is no holder", [s.why for s in read][:5])
    tap.note(f"{len(waits)} waits for a word that is rewritten: {len(read)} read a thread id")
    sql = f"SELECT count(*) AS waits, count(holder_tid) AS held FROM thread_state WHERE object = 'futex {address:#x}'"
    found = json.loads(tap.said("query", "--json", path, sql))
    tap.ok(found[0]["waits"] >= CHASED and not found[0]["held"], "no random word is a holder", (found, len(read)))


def main():
    if os.geteuid():
        tap.skip("all", "only root records")
        tap.done()
    with tempfile.TemporaryDirectory(dir=os.environ.get("REASONS_FOLDER", os.path.join(tap.TOP, "build"))) as folder:
        mount = mounted(folder)
        path = os.path.join(folder, "edges.fxt")
        done = tap.run([tap.FXTREC, "record", "--no-marks", "-b16M", "--addresses", "--backend", BACKEND, "-o", path, "--",
                        os.path.join(tap.BUILD, "tests", "edges"), str(FUTEXES), mount.file if mount else "/none"],
                       stdin=subprocess.DEVNULL)
        if tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, "recorded", done.stdout[-1000:] + done.stderr):
            judge(path, done.stdout, mount)
        if mount:
            mount.end()
    tap.done()


main()
