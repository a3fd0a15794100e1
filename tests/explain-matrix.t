#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""All findings of explain in synthetic traces: each cause alone, and two causes in each late request."""
import itertools
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap
from lateness import CAUSES, LATE, Trace, explain, top
from programs import QUIET, Machine
from tap import ok

# The share of the lateness that may be another finding's.
SEED = tap.amount("SEED", 1, 1)
FALSE, NEAR, QUIET_SHARE = 0.05, 0.05, 0.05
# By the rules, these are one finding: the same threads, or one program among many with less than half of the waits.
JOINED = (("pool of two", "pool of three"), ("a free CPU", "hog"), ("a free CPU, and a batch", "batch"),
          ("crowd of programs", "hog"), ("crowd of programs", "batch"))
PAIRED = [name for name, cause in CAUSES.items() if len(cause) == 2]


def shares(answer):
    found = {}
    for f in answer["findings"]:
        found[f["finding"]] = found.get(f["finding"], 0) + f["share"]
    return found


def single(folder, name):
    finding, meet, *options = CAUSES[name]
    t = Trace(**(options[0] if options else {}))
    answer = explain(t.requests(lambda at: meet(t, at, LATE)).write(folder, "single.fxt"), "--comm=server")
    found = shares(answer)
    false = {key: share for key, share in found.items() if key != finding and abs(share) > FALSE}
    ok(top(answer)[0] == finding and abs(found[finding] - 1) <= NEAR and not false and answer["answer"] == "slow-units",
       f"{name}: {finding}", (found, answer.get("text"), answer.get("error")))
    return abs(found.get(finding, 0) - 1), len(false)


def pair(folder, first, second):
    """The first cause takes 12 ms, the second one 8 ms."""
    t = Trace()
    parts = [(0.6, *CAUSES[first]), (0.4, *CAUSES[second])]

    def meet(at):
        for share, _, cause in parts:
            at = cause(t, at, int(LATE * share)) + 500
        return at
    answer = explain(t.requests(meet).write(folder, "pair.fxt"), "--comm=server")
    found, known = shares(answer), {}
    for share, finding, _ in parts:
        # Half a millisecond of work follows each cause.
        known[finding] = known.get(finding, 0) + share * LATE / (LATE + 1000)
    known["own-work"] = known.get("own-work", 0) + 1000 / (LATE + 1000)
    error = max(abs(found.get(finding, 0) - share) for finding, share in known.items())
    false = {key: share for key, share in found.items() if key not in known and abs(share) > FALSE}
    return error, (first, second, known, found, false) if error > NEAR or false else None


def formats(folder, name):
    """Files of other formats have the same finding."""
    finding, meet, *options = CAUSES[name]
    t = Trace(**(options[0] if options else {}))
    path = t.requests(lambda at: meet(t, at, LATE)).write(folder, "formats.fxt")
    for suffix in ("txt", "pftrace", "json"):
        other = os.path.join(folder, "formats." + suffix)
        done = tap.run([tap.FXTREC, "convert", path, "-o", other])
        answer = explain(other, "--comm=server")
        found = top(answer)
        ok(done.returncode == 0 and found[0] == finding and abs(found[1] - 1) <= NEAR, f"{name}, converted to {suffix}: {finding}",
           (found, answer.get("text"), done.stderr))


def quiet(folder, program):
    """Nothing is wrong with a program: no thread of it has a finding."""
    m = Machine(getattr(program, "cpus", 2))
    program(m, random.Random(SEED))
    path = m.write(folder, "quiet.fxt", 2_000_000)
    names = {re.sub(r"\d+$", "*", t.name) for t in m.threads}
    answers = {name: explain(path, *([f"--comm={name}"] if name else [])) for name in (None, *names)}
    wrong = [(name, a.get("text"), f["finding"], f["text"], f["share"]) for name, a in answers.items() for f in a["findings"]
             if abs(f["share"]) > QUIET_SHARE] + [(name, a["error"]) for name, a in answers.items() if "error" in a]
    ok(not wrong, f"quiet: {program.__name__}", wrong)


with tempfile.TemporaryDirectory() as folder:
    tap.note(f"singles: {[single(folder, name) for name in CAUSES]}")
    for name in ("hog", "lock", "convoy", "sibling's latch", "pool of two", "moves", "steal", "late timer", "kworker"):
        formats(folder, name)
    for program in QUIET:
        quiet(folder, program)
    pairs = [names for names in itertools.combinations(PAIRED, 2) if names not in JOINED]
    pairs = pairs[::tap.amount("EVERY", 16, 1)]
    results = [pair(folder, *names) for names in pairs]
    wrong = [why for _, why in results if why]
    ok(not wrong, f"two causes at a time: both have their shares, within {NEAR}, and nothing else has {FALSE}",
       (len(wrong), len(pairs), wrong[:5]))
    tap.note(f"{len(pairs)} pairs, largest deviation {max(error for error, _ in results):.3f}")
tap.done()
