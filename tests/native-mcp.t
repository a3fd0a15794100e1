#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec mcp --allow-record: recordings of this machine into new files, which the other tools read."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap
from mcp import Client, output_of
from tap import FXTREC, ok


def records(folder):
    client = Client(folder, "--allow-record", "--timeout=10m")
    text, failed = client.call("record", duration="200ms", file="-made.fxt")
    ok(not failed and text.startswith("$ fxtrec record --duration=200ms --output=./-made.fxt\n"), "a recording: its command", text)
    text, failed = client.call("info", file="-made.fxt")
    ok(not failed and "context-switch" in output_of(text), "info reads it", text)
    text, failed = client.call("record", duration="200ms", file="-made.fxt")
    ok(failed and text == '"-made.fxt": File exists', "a recording doesn't replace it", text)
    text, failed = client.call("record", duration="500ms", file="one.fxt", tid=os.getpid())
    ok(not failed and text.startswith(f"$ fxtrec record --duration=500ms --output=one.fxt --tid={os.getpid()}\n"),
       "a recording of a thread", text)
    text, failed = client.call("record", duration="1s", file="none.fxt", pid="4194303")
    ok(failed and "no process 4194303" in text and not os.path.exists(os.path.join(folder, "none.fxt")), "one that fails says why", text)
    text, failed = client.call("record", duration="1s", file="none.fxt", comm="a,[")
    ok(failed and "--comm=a,[" in text and not os.path.exists(os.path.join(folder, "none.fxt")), "so does one of wrong names", text)
    status = client.end()
    ok(status == (0, b"", b""), "the end", status)


if "without json-c" in tap.run([FXTREC, "mcp"], stdin=subprocess.DEVNULL).stderr:
    tap.skip("all", "this build has no json-c")
else:
    with tempfile.TemporaryDirectory() as folder:
        records(os.path.realpath(folder))
tap.done()
