#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every command under valgrind: no wrong access, nothing unset used, no memory or descriptor left."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap

CORPUS = os.path.join(tap.TOP, "tests", "fuzz", "corpus")
SUPPRESSIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libbpf.supp")
FAULT = 99


def clean(name, *arguments, status=0):
    done = tap.run(["valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=definite,indirect",
                    "--errors-for-leak-kinds=definite,indirect", f"--error-exitcode={FAULT}",
                    "--track-origins=yes", f"--suppressions={SUPPRESSIONS}", tap.FXTREC, *arguments], timeout=600)
    tap.ok(done.returncode == status, f"{name}: clean", 
           f"status {done.returncode}\n" + "\n".join(
               line for line in done.stderr.splitlines() if "unhandled eBPF" not in line)[:3000])


with tempfile.TemporaryDirectory() as folder:
    def out(name):
        return os.path.join(folder, name)

    first = os.path.join(CORPUS, "fxt", "recording.fxt")
    clean("--help", "--help")
    clean("an unknown command", "unknown", status=2)
    for command in (["info"], ["info", "--json"], ["dump"], ["dump", "--raw"], ["dump", "--types"]):
        clean(" ".join(command), *command, first)
    for source in sorted(os.listdir(CORPUS)):
        for suffix in ("fxt", "txt", "html", "json", "pftrace", "fxt.gz", "fxt.zst"):
            clean(f"{source} to {suffix}", "convert",
                  os.path.join(CORPUS, source, os.listdir(os.path.join(CORPUS, source))[0]),
                  "-o", out("to." + suffix))
    with open(out("new.txt"), "w") as f:
        f.write("srv-10 [000] ..... 100.000001: task_newtask: pid=11 comm=srv clone_flags=3d0f00 oom_score_adj=0\n")
    clean("a new thread in ftrace's text", "convert", out("new.txt"), "-o", out("new.fxt"))
    with open(first, "rb") as f, open(out("damaged.fxt"), "wb") as g:
        data = bytearray(f.read())
        for at in range(800, len(data), 1201):
            data[at] ^= 0x5a
        g.write(data[:-3])
    for command in (["report", "--json"], ["blame"], ["page", "-o", out("page.html")]):
        clean(command[0], *command, first)
    clean("check of a damaged file", "check", out("damaged.fxt"), status=1)
    if os.geteuid():
        tap.skip("record", "needs root")
    else:
        clean("record", "record", "--backend=bpf", "-d", "0.5", "-o", out("record.fxt"))
        clean("check", "check", out("record.fxt"))
        clean("record to a full disk", "record", "--backend=bpf", "-d", "0.5", "-o", "/dev/full", status=1)
        clean("record of a command to JSON", "record", "--backend=bpf", "-o", out("record.json"), "--", "true")
    clean("mark without a recording", "mark", "nobody listens", status=1)
tap.done()
