#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A mutex that two processes map at different addresses is one lock, and mutexes of two processes at one address are two."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from tap import FXTREC, ok, run

BACKEND = os.environ.get("REASONS_BACKEND", "auto")
ROUNDS = max(30, tap.amount("ROUNDS", 30, 200))


def printed(*command):
    return json.loads(run([FXTREC, *command]).stdout)


def recorded(folder, *options):
    """A recording of the program, its locks, and the file of the mutex; False where it failed."""
    path, file = os.path.join(folder, "shared.fxt"), os.path.join(folder, "mutex")
    done = run([FXTREC, "record", "--no-marks", "--backend", BACKEND, *options, "-o", path, "--",
                os.path.join(tap.BUILD, "tests", "mapped"), str(ROUNDS), file], cwd=folder)
    if done.returncode or "nothing lost" not in done.stderr:
        return path, done, None, ""
    rows = [r for r in printed("report", "--by=lock", "--json", path)["locks"] if r["process"] in (None, "mapped")]
    device, inode, offset = re.search(r"^file (\S+) (\d+) (\d+)$", done.stdout, re.M).groups()
    return path, done, rows, f"futex {device} inode {inode}+{offset}"


def judge(folder, *options):
    what = " ".join(["as recorded", *options])
    path, done, rows, file = recorded(folder, *options)
    if not ok(rows is not None, f"{what}: recorded", done.stdout + done.stderr):
        return
    addresses = {int(pid): address for pid, address in re.findall(r"^process (\d+) (\w+)$", done.stdout, re.M)}
    ok(len(set(addresses.values())) == 2, f"{what}: each process has the mutex at an address of its own", addresses)
    shared = [r for r in rows if r["object"] == file]
    ok(len(shared) == 1 and shared[0]["count"] > ROUNDS // 2 and shared[0]["process"] is None,
       f"{what}: the mutex is one lock, by its file and position", rows)
    slept = printed("query", "--json", path, "SELECT DISTINCT pid FROM thread_state JOIN thread USING (utid) JOIN process "
                    f"USING (upid) WHERE object = '{file}'")
    ok({r["pid"] for r in slept} == set(addresses) and {h["tid"] for r in shared for h in r["holders"]} == set(addresses),
       f"{what}: both processes wait for it, and hold it", (slept, shared))
    own = [r for r in rows if r not in shared]
    ok({r["pid"] for r in own} == set(addresses) and len(own) == 2 and all("inode" not in r["object"] for r in own),
       f"{what}: mutexes in memory of each process's own are two locks", own)
    ok("--addresses" not in options or {r["object"] for r in own} == {"futex 0x510000000000"}, f"{what}: with their address", own)


if os.geteuid():
    tap.skip("all", "only root records")
    tap.done()
with tempfile.TemporaryDirectory(dir=os.environ.get("REASONS_FOLDER", os.path.join(tap.TOP, "build"))) as folder:
    judge(folder)
    judge(folder, "--addresses")
tap.done()
