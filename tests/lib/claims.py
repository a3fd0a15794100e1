# SPDX-License-Identifier: GPL-2.0-only
"""What a recording claims that threads did, and whether a whole one of the same time agrees."""
import bisect
import json
from collections import defaultdict

import tap

STATES = "SELECT ts, dur, state, tid FROM thread_state JOIN thread USING (utid) WHERE tid != 0 ORDER BY tid, ts"


def states(path):
    """By thread id: from when to when it was in which state, where that is known."""
    done = tap.run([tap.FXTREC, "query", "--json", path, STATES])
    if done.returncode:
        raise RuntimeError(done.stderr)
    of = defaultdict(list)
    for row in json.loads(done.stdout):
        if row["state"] != "unknown" and row["dur"]:
            of[row["tid"]].append((row["ts"], row["ts"] + row["dur"], row["state"]))
    return of


def false_claims(part, whole, near=0):
    """
    Of a state the whole may know less: what came before it is in none of its parts.
    near: ns that the two's times of one moment may be apart.
    """
    wrong = []
    for tid, claims in part.items():
        truth = whole.get(tid, [])
        for begin, end, state in claims:
            at = max(bisect.bisect_right(truth, (begin, 1 << 63, "")) - 1, 0)
            while at < len(truth) and truth[at][0] < end:
                since, until, other = truth[at]
                if min(until, end) - max(since, begin) > near and other != state:
                    wrong.append(f"thread {tid}: {state} from {begin} to {end}, {other} from {since} to {until}")
                at += 1
    return wrong
