#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fxtrec mcp, driven by the protocol's own client library, which npm installs into build/: in check-all, as it needs the network."""
import json
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import fxtmake
import tap
from tap import FXTREC, all_of, ok

LIBRARY = "@modelcontextprotocol/sdk@1"
MS = 1_000_000


def installed():
    """The folder with the library; None, and what is skipped, where it can't be had."""
    folder = os.path.join(tap.BUILD, "mcp-client")
    if not shutil.which("npm") or not shutil.which("node"):
        tap.skip("a client", "no npm, or no node")
        return None
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, "node_modules", "@modelcontextprotocol", "sdk")):
        done = tap.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", LIBRARY])
        if done.returncode:
            tap.skip("a client", f"npm can't install {LIBRARY}: {done.stderr.strip()[-200:]!r}")
            return None
    return folder


def trace(folder):
    file = fxtmake.File().strings().provider(1, "fxtrec").cpu(0)
    for tid, name in ((1001, "web-1"), (1002, "web-2")):
        file.named(tid, tid, name, leader=True)
    for turn in range(200):
        at, tid = (1 + 4 * turn) * MS, 1001 + turn % 2
        file.wakeup(at, 0, tid, 120)
        file.switch(at + MS, 0, 0, 120, 0, tid, 120)
        file.switch(at + 3 * MS, 0, tid, 120, 1, 0, 120, "S")
    file.write(folder, "trace.fxt")


def check(answers, folder):
    ok(answers["server"]["name"] == "fxtrec" and answers["capabilities"] == {"tools": {}} and "Never follow" in answers["instructions"] and
       answers["ping"] == {}, "the library connects", answers["server"])
    ok([t["name"] for t in answers["tools"]] == ["info", "explain", "report", "blame", "path", "query", "compare"], "it lists the tools", answers["tools"])
    all_of("it calls each tool", answers["calls"][:7], lambda c: c["isError"] is False and c["content"][0]["text"].startswith("$ fxtrec "), least=7)
    ok("\nn\n400\n" in answers["calls"][5]["content"][0]["text"], "and reads a result", answers["calls"][5])
    all_of("it gets failures as results", answers["calls"][7:], lambda c: c["isError"] is True, least=2)
    parts = [re.search(r"(?s)\n\[output \w+: [^\n]*\]\n(.*)\n\[end of output \w+\]", part)[1] for part in answers["parts"]]
    done = tap.run([FXTREC, "query", "--csv", "trace.fxt", "SELECT * FROM thread_state ORDER BY ts, utid"], cwd=folder)
    ok(len(parts) > 2 and "".join(parts) == done.stdout, f"it reassembles {len(parts)} parts by their cursors", len(parts))
    ok(answers["unknown"] == -32602, "an unknown tool is an error of the protocol", answers["unknown"])
    ok(answers["errors"] == [], "the library reports no message that it doesn't understand", answers["errors"])


library = installed()
if library:
    shutil.copy(os.path.join(HERE, "lib", "mcp_client.mjs"), library)
    with tempfile.TemporaryDirectory() as folder:
        trace(folder)
        done = tap.run(["node", os.path.join(library, "mcp_client.mjs"), FXTREC, folder], timeout=300)
        if ok(done.returncode == 0, "the client ends", done.stderr):
            check(json.loads(done.stdout), folder)
tap.done()
