# SPDX-License-Identifier: GPL-2.0-only
"""The judgements that the tests of stacks share, as TAP."""
import re
from collections import defaultdict

import judge
import packets
from fxt import Switch
from tap import note, ok

# As text, and as a word wherever it begins: the kernel's text and modules, its stacks and its data.
IN_TEXT = re.compile(rb"ffff[89a-f][0-9a-f]{11}")
IN_BYTES = re.compile(rb"(?s)...[\x80-\xef]\xff\xff\xff\xff")

# As a varint: small negative numbers, as a deadline thread's priority, have ones in the middle, too.
IN_VARINT = re.compile(rb"[\x80-\xff]{2}(?!\xff{7})[\x80-\xff]{4}[\xe0-\xff]\xff\xff\x01")


def from_function(event):
    """The functions of a stack, without those that sleep for others."""
    frames = event.args["stack"].split(" < ")
    return frames[frames.index(event.args["function"]):]


def streams(recording):
    """Those of each CPU."""
    found = defaultdict(list)
    for e in sorted(recording.tracepoints, key=lambda e: e.ticks):
        found["stack", e.cpu].append((recording.monotonic(e.ticks), (e.tid, *sorted(e.args.items()))))
    return found


def judge_bytes(path, what):
    with open(path, "rb") as f:
        data = f.read()
    found = [m.start() for m in IN_TEXT.finditer(data)] + [m.start() for m in IN_BYTES.finditer(data)]
    found += [i for i in range(0, len(data) - 7, 8)
              if data[i + 6:i + 8] == b"\xff\xff" and data[i:i + 8] != b"\xff" * 8 and
              # The weight of a deadline thread, -1, lies above an argument's header.
              (data[i + 4:i + 8] != b"\xff" * 4 or data[i + 3] & 0x80)]
    ok(not found, f"{what}: no kernel address in it", found[:3])


def judge_packets(path, what):
    """The same of Perfetto's packets: numbers have any place and length there."""
    with open(path, "rb") as f:
        parts = list(packets.texts(f.read()))
    found = [m for part in parts for pattern in (IN_TEXT, IN_VARINT) for m in pattern.findall(part)]
    ok(len(parts) > 10 and not found, f"{what}: no kernel address in it", (len(parts), found[:3]))


def judge_whole(path, what, least=10):
    """A file that stands alone: valid, more than so many stacks with their names, no address."""
    judge.judge_valid(path, what)
    judge_bytes(path, what)
    # Reading it fails where a string is missing.
    stacks = judge.load(path).tracepoints
    nameless = [e for e in stacks if "?" in e.args["stack"] or not e.args["function"]]
    ok(len(stacks) > least and not nameless, f"{what}: {len(stacks)} stacks, all with names", nameless[:2])


def judge_each(recording, path, what, states):
    """
    Each switch to a sleep of these states has one stack, before it and after the CPU's last switch; no other is.
    Stacks are recorded before switches are and until they no longer are, so only a CPU's first has another's before it.
    """
    stacks, problems, compared = defaultdict(list), [], 0
    for e in sorted(recording.tracepoints, key=lambda e: e.ticks):
        stacks[e.cpu].append(e)
    for cpu, events in recording.events.items():
        before, left = None, stacks[cpu]
        for ticks, e in events:
            if not isinstance(e, Switch):
                continue
            own = []
            while left and left[0].ticks <= ticks:
                own.append(left.pop(0))
            wanted = [e.prev] if e.state in states else []
            if before and ([s.tid for s in own] != wanted or own and own[0].ticks < before):
                problems.append((cpu, ticks, e, own))
            compared += len(wanted)
            before = ticks
    note(f"{what}: {compared} sleeps compared")
    ok(not problems and compared >= 5, f"{what}: each sleep has its one stack, and nothing else has",
       problems[:3])
    judge_whole(path, what)
