# SPDX-License-Identifier: GPL-2.0-only
"""States of threads in the times that another tool has of their waits."""
import bisect
import collections
import json

import tap

ASLEEP = ("S", "D")


def states(path, what):
    """By thread: (start, end, state, a column of thread_state such as syscall or object), in time order."""
    found = collections.defaultdict(list)
    for row in json.loads(tap.said("query", "--json", path, f"""SELECT tid, ts, dur, state, {what} AS what FROM thread_state
                                                              JOIN thread USING (utid) WHERE dur NOT NULL ORDER BY ts""")):
        found[row["tid"]].append((row["ts"], row["ts"] + row["dur"], row["state"], row["what"]))
    return found


def within(states_of, start, end):
    """ns of that time asleep, by the column's value, and ns awake: stopped, waiting for a CPU, running."""
    asleep, awake = collections.Counter(), 0
    for since, until, state, what in states_of[max(0, bisect.bisect_left(states_of, (start,)) - 1):]:
        if since >= end:
            break
        ns = max(0, min(until, end) - max(since, start))
        if state in ASLEEP:
            asleep[what] += ns
        else:
            awake += ns
    return asleep, awake
