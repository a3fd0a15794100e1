# SPDX-License-Identifier: GPL-2.0-only
"""Perfetto's packets as others write them, made by protoc; and what fxtrec makes of them and of other traces."""
import os
import re
import subprocess
import tempfile

import packets
import tap

FXTREC = os.environ.get("FXTREC", tap.FXTREC)
SCHEMA = os.path.join(tap.TOP, "user", "formats", "perfetto")
folder = tempfile.TemporaryDirectory()


def message(*fields):
    """Fields (number, value) of a message that our schema doesn't have."""
    data = b""
    for number, value in fields:
        value = value.encode() if isinstance(value, str) else value
        data += packets.number(number << 3 | (2 if isinstance(value, bytes) else 0))
        data += packets.number(len(value)) + value if isinstance(value, bytes) else \
            packets.number(value & (1 << 64) - 1)
    return data


def bundle(events, *more, beside=()):
    """A trace of a bundle of CPU 2 with events (time, thread, field, contents), and what is beside it in its packet."""
    events = [(2, message((1, time), (2, thread), (field, contents))) for time, thread, field, contents in events]
    return message((1, message((1, message((1, 2), *events, *more)), *beside)))


def decode(trace):
    """A trace of packets in protobuf's text form."""
    with open(trace, "rb") as f:
        return subprocess.run(["protoc", "--decode=pf.Trace", "-I", SCHEMA, "perfetto.proto"],
                              input=packets.unpacked(f.read()), check=True, capture_output=True,
                              timeout=600).stdout.decode()


def convert(text, name, out):
    """Converts a trace of that text and file name; the packets that it becomes, in protobuf's text form."""
    trace, out = os.path.join(folder.name, name), os.path.join(folder.name, out)
    with open(trace, "w", encoding="utf-8") as f:
        f.write(text)
    if os.path.exists(out):
        os.unlink(out)
    tap.run([FXTREC, "convert", trace, "-o", out], check=True)
    return decode(out)


def records(path):
    """Those of a file as text, without what says where they stand."""
    kept = []
    for line in tap.run([FXTREC, "dump", path]).stdout.splitlines():
        if re.search(r"- (magic|provider|initialization|string|thread):|provider-(info|section)", line):
            continue
        line = re.sub(r"^0x\w+ +\S+ ", "", line)
        kept.append(re.sub(r" (provider|\w+_name)=(\"[^\"]*\"|\S+)", "", line))
    return sorted(kept)


def encode(text, trace):
    """Writes a trace, in protobuf's text form or in bytes."""
    with open(trace, "wb") as f:
        if isinstance(text, bytes):
            f.write(text)
        elif not trace.endswith(".pftrace"):
            f.write(text.encode())
        else:
            subprocess.run(["protoc", "--encode=pf.Trace", "-I", SCHEMA, "perfetto.proto"], input=text.encode(),
                           stdout=f, check=True, timeout=600)


def converted(text, out, *more, name="a.pftrace"):
    """Converts a trace; the path of what it becomes, and what is reported of it."""
    trace, out = os.path.join(folder.name, name), os.path.join(folder.name, out)
    if os.path.exists(out):
        os.unlink(out)
    encode(text, trace)
    return out, tap.run([FXTREC, "convert", trace, "-o", out, *more])


def rewritten(text, name="a.pftrace"):
    """The packets that a trace's packets become, in protobuf's text form, and what is reported of them."""
    out, done = converted(text, "b.pftrace", name=name)
    return decode(out) if not done.returncode else "", done.stderr


def read(text, *more, name="a.pftrace"):
    """Records that a trace, in protobuf's text form or in bytes, becomes, and what is reported of them."""
    out, done = converted(text, "a.fxt", *more, name=name)
    if done.returncode:
        return [], done.stderr
    return records(out), done.stderr
