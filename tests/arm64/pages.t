#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Pages of 64 KiB: tool and marks run with them, by qemu-aarch64."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import tap
from tap import BUILD, FXTREC, TOP, ok, run

ROOT = os.path.join(TOP, "build", "arm64-root")
CC = ["aarch64-linux-gnu-gcc", "--sysroot=" + ROOT, "-I" + os.path.join(TOP, "include")]
MARKS = """#include <stdio.h>
#include <fxtrec/mark.h>
int main(void)
{
	fxtrec_instant("x");
	printf("%ld %d\\n", sysconf(_SC_PAGESIZE), fxtrec_mark_state_2.fd >= 0 && fxtrec_mark_area_2.magic == FXTREC_MARK_MAGIC);
	return 0;
}
"""


def emulated(size, *command, **options):
    return run(["qemu-aarch64", "-p", str(size), "-L", ROOT, *command], **options)


def programs(folder):
    source, program = os.path.join(folder, "mark.c"), os.path.join(folder, "mark")
    with open(source, "w", encoding="ascii") as f:
        f.write(MARKS)
    done = run([*CC, source, "-o", program, "-lpthread"])
    ok(done.returncode == 0, "a program that marks", done.stderr)
    for size in (4096, 65536):
        done = emulated(size, program)
        ok(done.stdout == f"{size} 1\n", f"it has its memory with pages of {size}", done.stdout + done.stderr)


def conversions(folder):
    """The same bytes as by this machine's tool, there and back."""
    tool = os.path.join(BUILD, "arm64", "fxtrec")
    source = os.path.join(TOP, "tests", "data", "json", "complete.json")
    names = {"one.fxt": source, "two.json": "one.fxt", "three.fxt": "two.json", "four.pftrace": "three.fxt"}
    made = {}
    for kind in ("here", 4096, 65536):
        os.mkdir(os.path.join(folder, str(kind)))
        for name, of in names.items():
            command = ["convert", of, "-o", name]
            options = {"cwd": os.path.join(folder, str(kind))}
            done = run([FXTREC, *command], **options) if kind == "here" else emulated(kind, tool, *command, **options)
            ok(done.returncode == 0, f"{kind}: {name}", done.stderr)
            with open(os.path.join(folder, str(kind), name), "rb") as f:
                made.setdefault(name, []).append(f.read())
    tap.all_of("all three tools convert to the same bytes", made,
               lambda name: len(made[name]) == 3 and made[name][0] and len(set(made[name])) == 1)


with tempfile.TemporaryDirectory() as temporary:
    programs(temporary)
    conversions(temporary)
tap.done()
