# SPDX-License-Identifier: GPL-2.0-only
"""The inputs of outputs.t, the same bytes each time: files of the tree, and traces that generators make."""
import glob
import os
import random

import adversary
import adversary_perf
import generated
import simulated
import tap

TESTS = os.path.join(tap.TOP, "tests")
# Recordings, by the suffix that a converter gives; damaged ones, which a library reads by rules of its own, are left out.
RECORDINGS = {"fxt/recording.fxt": ".fxt", "ftrace/recording.txt": ".txt", "html/recording.html": ".html",
              "json/recording.json": ".json", "perfetto/recording.pftrace": ".pftrace", "perf/file": ".data",
              "perf/packed": ".data", "perf/pipe": ".data", "tracecmd/six": ".dat", "tracecmd/seven-none": ".dat",
              "tracecmd/seven-zstd": ".dat", "tracecmd/event-at-page-end": ".dat"}
FOLDERS = ("big", "little", "others", "slow", "user")
ALSO = {"json/fuchsia": ".json", "json/number-of-no-text": ".json", "perfetto/generic": ".pftrace"}
TABLE_BYTES = 6 << 10
SEEDS = range(1, 7)


def read(*path):
    with open(os.path.join(TESTS, *path), "rb") as f:
        return f.read()


def machine(seed, steps=600, **trace):
    """Three CPUs and eight threads; every other machine has losses."""
    m = simulated.Machine(random.Random(seed), 3, 8, steps)
    middle = m.events[len(m.events) // 2][0]
    losses = [(1, middle, middle + 1_000_000)] if seed % 2 else []
    return m.trace(losses, processors=seed % 3 == 0, listed=simulated.START if seed % 3 == 1 else None, **trace)


def filtered(seed, choose):
    m = simulated.Machine(random.Random(seed), 3, 8, 600)
    choose(m)
    return m.trace()


def ctf(data):
    """The files of a folder of the fuzzer's corpus: two bytes say how long the metadata is; a stream follows."""
    size = data[0] | data[1] << 8
    return {"metadata": data[2:2 + size], "stream": data[2 + size:]}


def recordings():
    """Whole traces by their names, which get all command lines."""
    for name, suffix in RECORDINGS.items():
        base = os.path.basename(name) if "recording" in name else name.replace("/", "-") + suffix
        yield base, read("fuzz", "corpus", name)
    for seed in SEEDS:
        yield f"machine-{seed}.fxt", machine(seed)
        yield f"events-{seed}.fxt", generated.generate(random.Random(seed))
    yield "chosen-threads.fxt", filtered(7, lambda m: m.filter(m.tids[:3]))
    yield "chosen-cpus.fxt", filtered(8, lambda m: m.filter(cpus={0, 2}))
    yield "chosen-queues.fxt", filtered(9, lambda m: m.filter_queues(m.tids[:3], changes=True))
    yield "opened-late.fxt", filtered(10, lambda m: m.open_late(5_000_000))
    for name in FOLDERS:
        yield f"ctf-{name}", ctf(read("fuzz", "corpus", "ctf", name))


def parts():
    """Traces of two machines, and of one that was started again: inputs of one command line."""
    year = 31_536_000 * 10**9
    for name, seed, host, boot in (("host-a.fxt", 21, "a", year), ("host-b.fxt", 22, "b", year), ("host-a-again.fxt", 23, "a", 2 * year)):
        yield name, machine(seed, 200, host=host, boot=boot)


def others():
    """Small and odd ones, which get fewer command lines: JSON by kinds of events, and one for each table of a reader."""
    for path in sorted(glob.glob(os.path.join(TESTS, "data", "json", "*.json"))):
        yield f"data-{os.path.basename(path)}", read(path)
    for name, suffix in ALSO.items():
        yield name.replace("/", "-") + suffix, read("fuzz", "corpus", name)
    for name, make in {**adversary.ALL, **adversary_perf.ALL}.items():
        yield f"{name}.{adversary.suffix(name)}", make(TABLE_BYTES)


def write(folder, name, data):
    """A file, or a folder of files."""
    path = os.path.join(folder, name)
    if isinstance(data, dict):
        os.mkdir(path)
        for each, contents in data.items():
            write(path, each, contents)
        return
    with open(path, "wb") as f:
        f.write(data)
