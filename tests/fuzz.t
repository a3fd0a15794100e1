#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each reader over its corpus, and from there by its fuzzer for FUZZ_SECONDS, if any: nothing may break."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import tap

SECONDS = tap.amount("FUZZ_SECONDS", 0, 5)
BUILD = os.path.join(tap.TOP, "build")


def replay(name, inputs):
    """The corpus alone, as it is."""
    done = tap.run([os.path.join(BUILD, "tests", "replay-" + name), *inputs], timeout=300)
    tap.ok(done.returncode == 0 and done.stderr.splitlines() == inputs, f"{name}: {len(inputs)} inputs, no finding",
           done.stderr[-3000:])


def fuzz(name, corpus):
    with tempfile.TemporaryDirectory() as folder:
        done = tap.run([os.path.join(BUILD, "fuzz", "fuzz-" + name),
                        f"-max_total_time={SECONDS}", "-max_len=16384", "-timeout=10",
                        "-rss_limit_mb=1024", f"-artifact_prefix={folder}/", folder, corpus],
                       timeout=SECONDS + 120)
        runs = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
        library = [line for line in done.stderr.splitlines() if line.startswith("LIBRARY: ")]
        tap.note(f"{name}: {runs[-1] if runs else 'no runs'} {library[-1] if library else ''}")
        tap.ok(done.returncode == 0 and runs, f"{name}: no finding", done.stderr[-3000:])


for name in ("fxt", "ftrace", "html", "json", "perfetto", "perf", "tracecmd", "ctf"):
    corpus = os.path.join(HERE, "fuzz", "corpus", name)
    inputs = sorted(os.path.join(corpus, file) for file in os.listdir(corpus))
    tap.ok(len(inputs) > 0, f"{name}: there is a corpus")
    replay(name, inputs)
    if SECONDS:
        fuzz(name, corpus)
tap.done()
