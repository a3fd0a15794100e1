#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""convert, report and path: cost grows with what is read and written, memory doesn't, whatever table an input fills."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import adversary
import adversary_perf
import groups
import tap

COUNTING = os.environ.get("COUNTING") or os.path.join(tap.TOP, "build", "cost", "fxtrec")
MEGABYTES = tap.amount("MEGABYTES", 2, 8)
ALL = os.environ.get("CHECK") == "all"
INPUTS = {**adversary.ALL, **adversary_perf.ALL}

# A doubling of input and output may cost so much: a tenth more, as tables grow in steps.
DOUBLED = 2.2
# What is bounded by a line or a packet may cost its square, but not more than that a byte.
MOST_A_BYTE = 300
MEMORY_KIB = 128 << 10
# Words that start a command with that much memory.
INSIDE = []
# What parts of a split trace may be, together: what is repeated is bounded, so that no disk is filled.
PARTS_TIMES, PARTS_MORE = 16, 160 << 20

TARGETS = ("fxt", "json", "txt", "html", "pftrace")
FORMATS = {"fxt": "fxt", "perf": "perf", "pf": "perfetto", "ft": "ftrace", "html": "html", "json": "json"}

# In place of a target: what report does, in groups, too, page, and path.
REPORT, GROUPS, PAGE, PATH = "report", "report in groups", "page", "path"

# The short form: what once cost the square of its size or had no bound, to the target where it had.
SHORT = (("pf_clears", "fxt"), ("pf_clears_used", "fxt"), ("pf_names_owner", "fxt"), ("pf_names_backwards", "fxt"),
         ("pf_merged", "fxt"), ("fxt_collisions", "fxt"), ("fxt_providers", "fxt"), ("json_providers", "json"),
         ("fxt_names_used", "json"), ("fxt_threads", "txt"), ("fxt_cpus", "pftrace"), ("fxt_strings", "txt"),
         ("ft_arrows", "fxt"), ("ft_dashes", "fxt"), ("ft_begins", "fxt"), ("perf_ids", "fxt"), ("perf_events", "fxt"),
         ("fxt_losses", REPORT), ("fxt_losses_of_all", REPORT), ("fxt_cpus_down", REPORT), ("fxt_wakers", REPORT), ("fxt_wakers", GROUPS),
         ("fxt_windows", PATH))
# What has a bound that less than a megabyte reaches: from and to that many bytes.
SMALL = (("fxt_providers_full", "json", None, 192 << 10, 768 << 10),)
SPLIT = (("fxt_processors", "json", "100K"), ("fxt_names_used", "txt", "100K"), ("fxt_renames", "fxt", "100K"),
         ("fxt_names_used", "pftrace", "100us"), ("fxt_names", "fxt", "1M"))
# What fills much memory with little input: of that many MB.
LARGE = (("fxt_complete_long", "txt", None, 2), ("fxt_complete_long", PAGE, None, 2), ("fxt_cpus", "pftrace", None, 4),
         ("fxt_processors", "json", "100K", 4))
LARGE_ALL = LARGE + (("fxt_names", "txt", None, 24), ("fxt_names", "json", None, 24), ("fxt_names", "fxt", "1M", 24),
                     ("fxt_threads", "json", None, 24), ("fxt_threads_scattered", "json", None, 24),
                     ("fxt_threads", "pftrace", None, 24), ("ft_begins", "txt", None, 400), ("ft_threads", "json", None, 64),
                     ("fxt_strings", "fxt", None, 160), ("fxt_strings_long", "fxt", None, 64), ("pf_names", "json", None, 24),
                     ("json_ids", "txt", None, 64), ("fxt_cpus_filled", "pftrace", None, 200),
                     ("fxt_extents", "txt", None, 64), ("fxt_texts", "pftrace", None, 100))


class Cost:
    """Of one conversion, by the tool that counts (tests/cost)."""

    def __init__(self, folder, name, to, split, size):
        path = os.path.join(folder, "in." + adversary.suffix(name))
        count, out = os.path.join(folder, "count"), os.path.join(folder, "out")
        with open(path, "wb") as f:
            f.write(INPUTS[name](size))
        os.mkdir(out)
        what = ["report", "--json", path] if to == REPORT else \
            ["report", "--json", "--by=cgroup", path] if to == GROUPS else ["path", "--mark=x", path] if to == PATH else \
            ["page", path, "-o", os.path.join(out, "x.html")] if to == PAGE else \
            ["convert", "--lenient", "--from=" + FORMATS[name.split("_")[0]], path, "-o", os.path.join(out, "x." + to)]
        done = subprocess.run([*INSIDE, COUNTING, *what] + (["--split=" + split] if split else []),
                              env=dict(os.environ, COST_FILE=count), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, timeout=900)
        # Some of the inputs have nothing in them that a reader takes.
        refused = "nothing of the file is understood" in done.stderr
        self.failed = done.stderr if done.returncode and not refused else None
        self.read = self.bytes = os.path.getsize(path)
        for name in os.listdir(out):
            self.bytes += os.path.getsize(os.path.join(out, name))
            os.unlink(os.path.join(out, name))
        os.rmdir(out)
        with open(count) as f:
            self.count = int(f.read())
        os.unlink(count)

    def __str__(self):
        return f"{self.count} for {self.bytes} bytes"


def described(name, to, split):
    return f"{name} to {to}" + (f" in parts of {split}" if split else "")


def grows(folder, name, to, split, size=1 << 20, largest=MEGABYTES << 20):
    before = None
    while size <= largest:
        cost = Cost(folder, name, to, split, size)
        what = f"{described(name, to, split)}, {size / (1 << 20):g} MB"
        if not tap.ok(not cost.failed, f"{what}: 128 MiB", cost.failed or cost):
            return
        tap.ok(cost.count <= MOST_A_BYTE * cost.bytes, f"{what}: the cost a byte", cost)
        if before:
            most = before.count * DOUBLED * max(1, cost.bytes / before.bytes / 2)
            tap.ok(cost.count <= most, f"{what}: as much more as there is", f"{before}; {cost}")
        before = cost
        size *= 2


def fits(folder, name, to, split, megabytes):
    cost = Cost(folder, name, to, split, megabytes << 20)
    what = f"{described(name, to, split)}, {megabytes} MB"
    tap.ok(not cost.failed, f"{what}: 128 MiB", cost.failed or cost)
    if split:
        tap.ok(cost.bytes <= PARTS_TIMES * cost.read + PARTS_MORE, f"{what}: what all parts are", cost)


def main():
    cases = [case + (None,) for case in SHORT]
    if ALL:
        cases = [(name, to, None) for name in INPUTS for to in TARGETS] + \
            [case + (None,) for case in SHORT if case[1] in (REPORT, GROUPS, PATH)]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, groups.small("fxtrec-growth", MEMORY_KIB) as inside:
        INSIDE[:] = inside
        for case in cases + list(SMALL) + list(SPLIT):
            grows(folder, *case)
        for case in LARGE_ALL if ALL else LARGE:
            fits(folder, *case)
    tap.done()


main()
