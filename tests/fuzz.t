#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each reader's fuzzer, from its corpus, for some seconds: nothing may break."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap

SECONDS = tap.amount("FUZZ_SECONDS", 2, 5)

for name in ("fxt", "ftrace", "html", "json", "perfetto", "perf", "tracecmd", "ctf"):
    corpus = os.path.join(HERE, "fuzz", "corpus", name)
    tap.ok(len(os.listdir(corpus)) > 0, f"{name}: there is a corpus")
    with tempfile.TemporaryDirectory() as folder:
        done = tap.run([os.path.join(tap.TOP, "build", "fuzz", "fuzz-" + name),
                        f"-max_total_time={SECONDS}", "-max_len=16384", "-timeout=10",
                        "-rss_limit_mb=1024", f"-artifact_prefix={folder}/", folder, corpus],
                       timeout=SECONDS + 120)
        runs = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
        tap.note(f"{name}: {runs[-1] if runs else 'no runs'}")
        tap.ok(done.returncode == 0 and runs, f"{name}: no finding", done.stderr[-3000:])
tap.done()
