#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What each command prints and writes of each input of the corpus is what tests/outputs.txt has, byte for byte.
--record writes that file anew ("make outputs"); KEEP=FOLDER keeps all outputs, to be compared with another build's.
"""
import base64
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import corpus
import packets
import tap

MANIFEST = os.path.join(HERE, "outputs.txt")
TABLES = ("sched", "thread_state", "wakeup", "migration", "thread", "process", "slice", "counter", "log", "loss")
# An input's name takes the place of IN; outputs are called out.
CONVERT = [f"convert IN -o out.{suffix}" for suffix in ("fxt", "txt", "html", "json", "pftrace")] + [
    "convert IN --to=json-array -o out.json", "convert IN --system-events=fuchsia -o out.json"]
FXT = ["dump IN", "dump --raw --types IN", "info IN", "info --json IN", "check --limit=0 IN", "check --chain IN"]
FEW = CONVERT + ["convert --strict IN -o out.fxt", "report --json IN", "timehist IN", "page IN -o out.page"]
ALL = FEW + [
    "convert --split=4K IN -o out.fxt", "convert --time=1ms,3ms IN -o out.fxt",
    "report IN", "report --csv IN", "report --by=process --json IN", "report --by=comm --csv IN", "report --by=comm --json IN",
    "report --by=cgroup IN", "report --by=container IN", "report --by=cpu IN", "report --by=cpu --json IN", "report --by=cpu --csv IN",
    "report --over=10us IN", "report --over=10us --json IN", "report --sort=p99 --top=3 IN", "report --time=1ms,3ms --cpu=0 --json IN",
    "report --assert=switches<1 --assert=run>5% --assert=wakeup.p99<1s IN",
    "explain IN", "explain --json IN", "blame IN", "blame --json IN", "blame --csv IN", "blame --by=comm IN", "blame --over=10us --json IN", "blame --sleep IN",
    "blame --sleep --json IN", "path --comm=* IN", "path --comm=* --json IN", "path --comm=* --csv IN", "path --mark=event_1 --json IN",
    "timehist --json IN", "timehist --csv --idle IN", "flame --all IN", "flame --all --top=5 IN", "flame --all --svg IN",
    "diff IN IN", "diff --json IN IN", "diff --csv IN IN",
    "top --batch --interval=1ms --iterations=4 IN", "top --batch --json --interval=1ms IN", "top --batch --csv --by=cpu --interval=1ms IN",
] + [f"query --csv IN {{SELECT * FROM {table}}}" for table in TABLES] + [
    "query --json IN {SELECT state, count(*), sum(dur) FROM thread_state GROUP BY state ORDER BY state}"]
SEVERAL = ["report IN", "blame --json IN", "path --comm=* --json IN", "timehist --json IN", "report --machine=b IN",
           "top --batch --interval=1ms IN", "query --csv IN {SELECT * FROM thread_state}"]
BESIDE = ("IN host-b.fxt", "IN host-b.fxt host-a-again.fxt")
# Inputs that convert makes of others.
CONVERTED = ("machine-1.fxt", "events-1.fxt", "recording.fxt")
CONVERTED_TO = ("txt", "html", "json", "pftrace", "fxt.zst")
VERSION = tap.run([tap.FXTREC, "--version"]).stdout.split()[-1].encode()


def arguments(line, name):
    """The words of a command line; braces hold one with spaces, and "_" stands for one."""
    words = [word.strip("{}") for word in re.findall(r"\{[^}]*\}|\S+", line)]
    return [name if word == "IN" else word.replace("=event_", "=event ") for word in words]


def element(match):
    """The data of a page: zlib's version decides how they are compressed."""
    kind, name, text = match
    if kind == "application/json":
        return name + text
    data = base64.b64decode(text)
    try:
        return name + zlib.decompress(data, -15).hex()
    except zlib.error:
        return name + data.hex()


def plain(path):
    """An output without what versions of fxtrec and zlib change: a page's scripts are no output of a trace."""
    with open(path, "rb") as f:
        data = f.read()
    if path.endswith(".pftrace"):
        return packets.unpacked(data)
    if path.endswith(".page"):
        found = re.findall(r'<script type="([^"]+)" id="([^"]+)">(.*?)</script>', data.decode(), re.DOTALL)
        data = "\n".join(map(element, found)).encode()
    return data.replace(b'"fxtrec":"%s"' % VERSION, b'"fxtrec":""')


def digest(chunks):
    made = hashlib.sha256()
    for chunk in chunks:
        made.update(b"%d\n" % len(chunk) + chunk)
    return made.hexdigest()[:12]


class Outputs:
    """Runs command lines in a folder that has the inputs."""

    def __init__(self, folder, keep=None):
        self.folder, self.keep = folder, keep
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": folder, "TMPDIR": folder}

    def input(self, name):
        path = os.path.join(self.folder, name)
        paths = [os.path.join(path, each) for each in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
        chunks = []
        for each in paths:
            with open(each, "rb") as f:
                chunks.append(f.read())
        return digest(chunks)

    def run(self, name, line):
        """The digest of the status, of what is printed, and of the files that are written."""
        with tempfile.TemporaryDirectory(dir=self.folder) as made:
            words = arguments(line, name)
            links = {word for word in words if os.path.exists(os.path.join(self.folder, word))}
            for each in links:
                os.symlink(os.path.join(self.folder, each), os.path.join(made, each))
            done = subprocess.run([tap.FXTREC, *words], cwd=made, env=self.environment, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=600, check=False)
            files = {each: plain(os.path.join(made, each)) for each in set(os.listdir(made)) - links}
        files.update(stdout=done.stdout, stderr=done.stderr)
        if self.keep:
            folder = os.path.join(self.keep, f"{name} {line}".replace("/", "_"))
            os.makedirs(folder, exist_ok=True)
            for each, data in files.items():
                with open(os.path.join(folder, each), "wb") as f:
                    f.write(data)
        if not 0 <= done.returncode <= 3:
            raise RuntimeError(f"fxtrec {' '.join(words)}: status {done.returncode}")
        return digest([b"%d" % done.returncode] + [part for each in sorted(files) for part in (each.encode(), files[each])])


def prepare(outputs):
    """Writes the inputs; returns each pair of an input and a command line, and the inputs alone."""
    pairs = []
    for name, data in [*corpus.parts(), *corpus.others(), *corpus.recordings()]:
        corpus.write(outputs.folder, name, data)
    for name, _ in corpus.recordings():
        pairs += [(name, line) for line in ALL + (FXT if name.endswith(".fxt") else [])]
    for name, _ in corpus.others():
        pairs += [(name, line) for line in FEW + (FXT if name.endswith(".fxt") else [])]
    for source in CONVERTED:
        for suffix in CONVERTED_TO:
            name = f"{source}.{suffix}"
            tap.run([tap.FXTREC, "convert", source, "-o", name], cwd=outputs.folder)
            pairs += [(name, line) for line in ALL]
    pairs += [("host-a.fxt", re.sub(r"\bIN\b", more, line)) for line in FEW + SEVERAL for more in BESIDE]
    return pairs


def digests(folder, keep):
    """The digest of each input, and of each command line of it: {(input, command line): digest}."""
    outputs = Outputs(folder, keep)
    pairs = prepare(outputs)
    found = {(name, "input"): outputs.input(name) for name in sorted({name for name, _ in pairs})}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found.update(zip(pairs, pool.map(lambda pair: outputs.run(*pair), pairs)))
    return found


def recorded():
    with open(MANIFEST, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return {(name, line): made for made, name, line in rows}


def record(found):
    with open(MANIFEST, "w", encoding="utf-8") as f:
        f.write("# SPDX-License-Identifier: GPL-2.0-only\n# Digests of outputs, by input and command line (outputs.t): "
                "\"make outputs\" writes this file.\n")
        f.writelines(f"{made}\t{name}\t{line}\n" for (name, line), made in found.items())


def judge(found, expected):
    """One test a command line, over all of its inputs."""
    lines = {}
    for name, line in {**expected, **found}:
        lines.setdefault(line, []).append(name)
    for line, names in lines.items():
        other = [name for name in names if found.get((name, line)) != expected.get((name, line))]
        tap.ok(not other, f"{line}: the same bytes, inputs: {len(names)}", f"fxtrec {line}: other bytes where IN is {' '.join(other)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = digests(folder, os.environ.get("KEEP"))
    if sys.argv[1:] == ["--record"]:
        record(found)
        return
    judge(found, recorded())
    tap.done()


main()
