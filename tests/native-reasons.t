#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The reasons of sleeps are those that programs log themselves: calls, objects, and the holders of locks."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import reasons
import tap

BACKEND = os.environ.get("REASONS_BACKEND", "auto")
ROUNDS = tap.amount("ROUNDS", 10, 50)


def recorded(folder, program, *arguments):
    """A recording of a program, and its log; None where the machine can't run it."""
    path = os.path.join(folder, program + ".fxt")
    done = tap.run([tap.FXTREC, "record", "--no-marks", "-b16M", "--addresses", "--backend", BACKEND, "-o", path, "--",
                    os.path.join(tap.BUILD, "tests", program), *map(str, arguments)], cwd=folder)
    if not tap.ok(done.returncode == 0 and "nothing lost" in done.stderr, f"{program}: recorded", done.stdout[-1000:] + done.stderr):
        return None
    return path, done.stdout


def main():
    if os.geteuid():
        tap.skip("all", "only root records")
        tap.done()
    with tempfile.TemporaryDirectory(dir=os.environ.get("REASONS_FOLDER", os.path.join(tap.TOP, "build"))) as folder:
        for bits in ("", "32"):
            if bits and not os.path.exists(os.path.join(tap.BUILD, "tests", "waits32")):
                tap.skip("programs of 32 bits", "no C library for them")
                continue
            found = recorded(folder, "waits" + bits, max(1, ROUNDS // 4))
            if found:
                reasons.judge(*found, "waits" + bits, least=20 * (ROUNDS // 4))
            found = recorded(folder, "locks" + bits, ROUNDS)
            if found:
                verdict = reasons.judge(*found, "locks" + bits, least=20 * ROUNDS)
                reasons.judge_holders(verdict, "locks" + bits, least=10 * ROUNDS)
    tap.done()


main()
