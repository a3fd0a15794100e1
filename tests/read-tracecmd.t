#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""trace.dat of versions 6 and 7, packed or not: event by event as trace-cmd report prints them."""
import multiprocessing
import os
import re
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import foreign
import ftrace
import tap
import tracedat

SUBSYSTEMS = ("sched", "irq", "raw_syscalls", "power", "task", "timer")
EVENTS = ("sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup_new", "sched/sched_migrate_task",
          "sched/sched_stat_runtime", "sched/sched_process_exec", "irq", "raw_syscalls", "power/cpu_idle", "task",
          *ftrace.TIMERS)
# In the top byte of a page's "commit", of 32 bits: behind the last event is the number of those lost before.
COUNT_STORED = 1 << 6
LONG = 180 << 20
PORTION = 40 << 20      # FXT_TRACECMD_PORTION: a child process reads so much
MEMORY = 128 << 10      # KiB
LOAD = ["sh", "-c", "perf bench sched pipe -l 200; ls / /proc; grep . /proc/interrupts"]


def reported(path):
    return tap.run(["trace-cmd", "report", "-t", "-N", "-i", path]).stdout


def reported_fields(path):
    """By the formats in the file, without the plugins."""
    return tap.run(["trace-cmd", "report", "-N", "-i", path]).stdout


def judge(what, path, folder, name):
    foreign.judge(what, foreign.convert(path, folder, name), foreign.report(reported(path)))


def uncounted(pages):
    """Pages as they are where there was no room for the number of what was lost before them."""
    data = bytearray(pages)
    for at in range(0, len(data), tracedat.PAGE):
        data[at + 11] &= ~COUNT_STORED
    return bytes(data)


def judge_losses(what, data, folder):
    """The same sum; and where the kernel had no room for a number, as often "unknown"."""
    path = write(os.path.join(folder, "lost.dat"), data)
    numbers = re.findall(r"\[(?:(\d+) )?EVENTS DROPPED\]", reported(path))
    known = sum(int(n) for n in numbers if n)
    out = os.path.join(folder, "lost.fxt")
    done = tap.run([tap.FXTREC, "convert", path, "-o", out])
    said = tap.run([tap.FXTREC, "info", out]).stdout
    line = re.search(r"^lost +((\d+)?.*)", said, re.M)
    unknown = said.partition("\nlost, of unknown number\n")[2].partition("\n\n")[0].splitlines()
    tap.ok(done.returncode == 0 and numbers and line and int(line[2] or 0) == known
           and ("an unknown number" in line[1]) == ("" in numbers) and len(unknown) == numbers.count(""),
           what + " are those that trace-cmd reports", f"{numbers} {said} {done.stderr}")


def judge_twins(what, pages, six, folder):
    """Of events that two buffers have (trace-cmd record -B), each is there once, and so is what was lost between them."""
    path = write(os.path.join(folder, "twice.dat"), tracedat.twice(pages, SUBSYSTEMS))
    number = reported(six).count(": sched_switch: ")
    tap.ok(number and reported(path).count(": sched_switch: ") == 2 * number, f"{what}: two buffers of the same events", number)
    for table in ("sched", "loss"):
        once, again = (tap.run([tap.FXTREC, "query", "--csv", name, f"SELECT * FROM {table}"]) for name in (six, path))
        differ = [pair for pair in zip(once.stdout.splitlines(), again.stdout.splitlines()) if pair[0] != pair[1]]
        tap.ok(once.stdout and again.stdout == once.stdout and "events that the file has more than once" in again.stderr,
               f"{what}: each row of {table} is there once", f"{once.stdout.count(chr(10))} {differ[:3]} {again.stderr}")


def judge_origin(pages, folder):
    """The machine and the clock that the file names; calls have the names of that machine."""
    def converted(uname, clock):
        path = write(os.path.join(folder, "origin.dat"), tracedat.trace_dat(
            pages, SUBSYSTEMS, ((tracedat.UNAME, uname), (tracedat.CLOCK, clock))))
        out = os.path.join(folder, "origin.fxt")
        said = tap.run([tap.FXTREC, "convert", path, "-o", out]).stderr
        return tap.run([tap.FXTREC, "dump", out]).stdout + tap.run([tap.FXTREC, "info", out]).stdout, said

    names = {}
    for machine in ("x86_64", "aarch64", "riscv64"):
        got, said = converted(f"Linux far 6.1.0-9-{machine} {machine}", "local [mono] counter")
        names[machine] = set(re.findall('duration-begin: .* name="([^"]*)"', got))
        tap.ok(f'host="far" release="6.1.0-9-{machine}" machine="{machine}"' in got and not said and
               re.search(f"^host +far, {machine}$", got, re.M) and re.search("^clock +mono,", got, re.M),
               f"trace.dat says that it is of {machine}, and its clock", got[-3000:] + said)
    tap.ok(names["x86_64"] != names["aarch64"] and "pread64" not in names["riscv64"] and
           any(re.fullmatch(r"syscall \d+", name) for name in names["riscv64"]),
           "system calls have the names of the file's machine", str(names)[:3000])
    for clock, word in (("counter", "doesn't count nanoseconds"), ("x86-tsc", "tsc2nsec")):
        got, said = converted("Linux far 6.1.0 x86_64", f"local [{clock}]")
        tap.ok(word in said and re.search("^clock +unknown,", got, re.M),
               f"times of {clock} are numbers, which is said", said)


def fullest(pages):
    return max(range(len(pages)), key=lambda cpu: len(pages[cpu]))


def switches(path):
    """What fxtrec finds of them in a file, and the KiB that it took, its child included."""
    out = path + ".fxt"
    _, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, tap.FXTREC, [tap.FXTREC, "convert", path, "-o", out]), 0)
    found = re.search(r"^  context-switch +(\d+)$", tap.run([tap.FXTREC, "info", out]).stdout, re.M)
    return int(found[1]) if found and not status else 0, usage.ru_maxrss


def judge_length(pages, folder):
    """All of a file that is read in several portions, and the memory of one of these; packed and not, with an instance too.

    A CPU has nothing in any portion where its first page can't be trusted."""
    times = LONG // sum(map(len, pages)) + 1
    plain, packed, twice, bad = (os.path.join(folder, name + ".dat") for name in ("long", "packed", "long-twice", "bad-page"))
    cpu = fullest(pages)

    def make():
        long = tracedat.repeated(pages, times)
        write(plain, tracedat.trace_dat(long, SUBSYSTEMS))
        write(twice, tracedat.twice(long, SUBSYSTEMS))
        write(bad, tracedat.trace_dat(long[:cpu] + [page_too_long(long[cpu], 0)] + long[cpu + 1:], SUBSYSTEMS))

    # By another process: what this one had of memory counts for its children.
    maker = multiprocessing.Process(target=make)
    maker.start()
    maker.join()
    tap.run(["trace-cmd", "convert", "--file-version", "7", "--compression", "zstd", "-i", plain, "-o", packed])
    whole, _ = switches(write(os.path.join(folder, "short.dat"), tracedat.trace_dat(pages, SUBSYSTEMS)))
    others, _ = switches(write(os.path.join(folder, "others.dat"),
                               tracedat.trace_dat(pages[:cpu] + [b""] + pages[cpu + 1:], SUBSYSTEMS)))
    for path, number in ((plain, whole), (packed, whole), (twice, whole), (bad, others)):
        got, memory = switches(path)
        tap.ok(number and got == times * number and (memory <= MEMORY or tap.SANITIZED),
               f"{os.path.basename(path)}: all of {LONG >> 20} MiB, in bounded memory", (got, number, times, memory))


def too_long(part, page, at):
    """The pages of a CPU where an event says that it is longer than what is left of its page; and those up to it alone."""
    damaged, kept = bytearray(part), bytearray(part)
    short = (page + tracedat.PAGE - at) // 4
    flags = struct.unpack_from("<Q", part, page + 8)[0] & ~tracedat.LENGTH
    if short < 29:      # By 4 bytes, which are the next page's first.
        struct.pack_into("<I", damaged, at, struct.unpack_from("<I", part, at)[0] & ~31 | short)
    else:
        struct.pack_into("<II", damaged, at, struct.unpack_from("<I", part, at)[0] & ~31, tracedat.PAGE)
    struct.pack_into("<Q", kept, page + 8, flags | (at - page - tracedat.HEADER))
    return bytes(damaged), bytes(kept)


def page_too_long(part, number):
    """
    The same where a page says that it has 16 bytes more than fit.  Its last event ends with the page, and the next one's
    time is an event then, of 12 bytes.
    """
    data, page, following = bytearray(part), number * tracedat.PAGE, (number + 1) * tracedat.PAGE
    struct.pack_into("<Q", data, page + 8, tracedat.PAGE)
    at = list(tracedat.event_places(part, page))[-1]
    struct.pack_into("<I", data, at, struct.unpack_from("<I", part, at)[0] & ~31 | min((following - at) // 4 - 1, 28))
    if following < len(data):
        struct.pack_into("<Q", data, following, struct.unpack_from("<Q", data, following)[0] & ~31 | 3)
    return bytes(data)


def scheduling(path):
    """How many records of it convert finds, what it says, and what info says of losses."""
    done = tap.run([tap.FXTREC, "convert", path, "-o", path + ".fxt"])
    info = tap.run([tap.FXTREC, "info", path + ".fxt"]).stdout
    found = re.search(r"^scheduling +(\d+)", info, re.M)
    return int(found[1]) if found and not done.returncode else 0, done.stderr, re.search("^lost .*", info, re.M)[0]


def judge_pages(pages, folder):
    """What doesn't fit its page is passed over, with what is behind it there; it is counted, and a loss."""
    cpu = fullest(pages)
    part = pages[cpu]

    def made(name, own):
        parts = pages[:cpu] + [own] + pages[cpu + 1:]
        return write(os.path.join(folder, name + ".dat"), tracedat.trace_dat(parts, SUBSYSTEMS))

    page = tracedat.PAGE
    places = list(tracedat.event_places(part, page))
    for what, at in (("by 4 bytes", places[-1]), ("from its middle on", places[len(places) // 2])):
        damaged, kept = too_long(part, page, at)
        path = made("event", damaged)
        (rest, _, none), (got, said, lost) = scheduling(made("kept", kept)), scheduling(path)
        tap.ok(rest and got == rest and "1 events that don't fit their pages" in said and "none" in none and "unknown" in lost,
               f"an event that reaches beyond its page {what} is a loss", f"{rest} {got} {said} {none} {lost}")
        tap.fails(["convert", "--strict", path, "-o", path + ".fxt"], 1, "an event that doesn't fit its page",
                  "with --strict it is an error")
    for number in (1, len(part) // tracedat.PAGE - 1):
        rest = scheduling(made("kept", part[:number * tracedat.PAGE]))[0]
        got, said, lost = scheduling(made("page", page_too_long(part, number)))
        tap.ok(rest and got == rest and "1 CPUs' events from a page on" in said and "unknown" in lost,
               f"where page {number} is too long, its CPU has what is before it, and the others all", f"{rest} {got} {said} {lost}")


def judge_portion(pages, folder):
    """Behind a bad page with which a portion ends, the next one goes on with the other CPUs."""
    cpu = fullest(pages)
    part = tracedat.repeated([pages[cpu]], PORTION // len(pages[cpu]) + 2)[0]
    others = [tracedat.later(of, 10**15) for of in pages]

    def found(own):
        parts = others[:cpu] + [own] + others[cpu + 1:]
        return scheduling(write(os.path.join(folder, "portion.dat"), tracedat.trace_dat(parts, SUBSYSTEMS)))[0]

    last = PORTION // tracedat.PAGE - 1
    differ = []
    for number in range(last - 2, last + 1):
        got, rest = found(page_too_long(part, number)), found(part[:number * tracedat.PAGE])
        if not rest or got != rest:
            differ.append((number, got, rest))
    tap.ok(not differ, "a bad page at the end of a portion costs no other CPU anything", differ)


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


def judge_damage(data, folder):
    """A cut file, another magic, version or endianness: one line each."""
    bad = os.path.join(folder, "bad")
    for size in (16, 100, 5000, len(data) // 3):
        write(bad, data[:size])
        tap.fails(["report", bad], 1, bad + ": ", f"cut to {size} bytes: one line")
    write(bad, b"\x17\x08\x44tracinG" + data[10:])
    tap.fails(["report", bad], 1, "not a trace of a known format", "another magic: one line")
    write(bad, data[:10] + b"5" + data[11:])
    tap.fails(["report", bad], 1, "other than 6 and 7", "another version: one line")
    write(bad, data[:12] + b"\1" + data[13:])
    tap.fails(["report", bad], 1, "other endianness", "another endianness: one line")


with tempfile.TemporaryDirectory() as folder:
    with tracedat.recording(EVENTS) as pages:
        tap.run(LOAD)
        recorded = pages()
        data = tracedat.trace_dat(recorded, SUBSYSTEMS)
    six = write(os.path.join(folder, "six.dat"), data)
    judge("version 6", six, folder, "six")
    for packing in ("none", "zstd"):
        seven = os.path.join(folder, packing + ".dat")
        done = tap.run(["trace-cmd", "convert", "--file-version", "7", "--compression", packing, "-i", six, "-o", seven])
        tap.note(done.stderr)
        judge(f"version 7, {packing}", seven, folder, packing)
    with open(six, "rb") as f:
        done = tap.run(["sh", "-c", f"cat | {tap.FXTREC} report --comm=sched-pipe -"], stdin=f)
    tap.ok(done.returncode == 0 and "sched-pipe" in done.stdout, "a report of a pipe", (done.returncode, done.stderr, done.stdout[:3000]))
    with tempfile.NamedTemporaryFile(dir=os.path.join(HERE, "..", "build"), suffix=".dat") as elsewhere:
        elsewhere.write(data)
        elsewhere.flush()
        done = tap.run([tap.FXTREC, "report", "--comm=sched-pipe", elsewhere.name])
    tap.ok(done.returncode == 0 and "sched-pipe" in done.stdout, "a report of a file elsewhere than in /tmp", (done.returncode, done.stderr, done.stdout[:3000]))
    with tracedat.recording(("sched/sched_switch", "sched/sched_waking")) as pages:
        tap.run(["perf", "bench", "sched", "pipe", "-l", "2000"])
        switched = pages()
    judge_length(switched, folder)
    with tracedat.recording(("sched/sched_switch", "sched/sched_waking"), 4) as pages:
        tap.run(["perf", "bench", "sched", "pipe", "-l", "2000"])
        full = pages()
    judge_losses("losses", tracedat.trace_dat(full, SUBSYSTEMS), folder)
    judge_losses("losses of unknown number", tracedat.trace_dat([uncounted(of) for of in full], SUBSYSTEMS), folder)
    judge_origin(recorded, folder)
    judge_twins("all events", recorded, six, folder)
    judge_twins("losses", full, write(os.path.join(folder, "full.dat"), tracedat.trace_dat(full, SUBSYSTEMS)), folder)
    foreign.judge_old("trace.dat", six, folder, reported_fields)
    judge_damage(data, folder)
    judge_pages(switched, folder)
    judge_portion(switched, folder)
tap.done()
