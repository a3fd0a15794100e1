#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What programs mark by fxtrec/mark.h: each event once, with its thread, time and value; losses counted; forgers refused."""
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
import marker
import tap
from fxt import Recording
from marker import Forger, Marker, listens, record
from tap import FXTREC, ok, run

KINDS = {0: "instant", 1: "counter", 2: "begin", 3: "end", 4: "duration"}
NOBODY = 65534


def recorder(path, *arguments):
    return subprocess.Popen([FXTREC, "record", "--backend=bpf", "-o", path, *arguments], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def end(process, how=signal.SIGINT):
    process.send_signal(how)
    return process.communicate(timeout=600)[1]


def load(path, what):
    valid = run([FXTREC, "check", path])
    ok(valid.returncode == 0, f"{what}: valid", valid.stdout[-800:])
    return Recording(path, others=True)


def lost(r):
    counts = collections.Counter()
    for loss in r.losses:
        if loss.cause.startswith("marks"):
            counts[loss.cause] += loss.records
    return counts


def within(r, marks):
    first, last = r.clocks[0][0], r.clocks[-1][0]
    return all(first <= m.ticks <= last and (m.kind != 4 or m.ticks <= m.end <= last) for m in marks)


def expected(rounds):
    """What every_kind() of marker.c writes on a thread, in the order of its ring."""
    for i in range(rounds):
        name = f"round {i}"
        yield from (("begin", name, None), ("instant", name, None), ("counter", "number", -i * 1000000007),
                    ("duration", "scope", None), ("end", name, None), ("duration", "all of it", None))


def compile_time(folder, program, said):
    ok(os.path.exists(program) and not said, "gnu99, pedantic: compiles without a warning", said)
    source = os.path.join(folder, "m.cc")
    with open(source, "w") as f:
        f.write('#include <fxtrec/mark.h>\n#include <string>\nint main()\n{\n\tFXTREC_SCOPE("main");\n'
                '\tfxtrec_instant(std::string("a").c_str());\n\tfxtrec_counter("c", -1);\n\treturn 0;\n}\n')
    for standard in ("c++11", "c++20"):
        done = run(["g++", "-std=" + standard, *marker.STRICT, source, "-o", os.path.join(folder, "m")])
        ok(done.returncode == 0 and run([os.path.join(folder, "m")]).returncode == 0, f"{standard}: compiles and runs",
           done.stderr)
    text = run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=disabled", program]).stdout
    if os.uname().machine != "x86_64":
        tap.skip("a call while nobody records", "its instructions are known on x86-64 alone")
        return
    body = re.findall(r"(?m)^ +[0-9a-f]+:\t(\S+)", text)
    body = [i for i in body[:body.index("ret") + 1] if not i.startswith("endbr")]
    ok(body in (["mov", "test", "jne", "ret"], ["cmpl", "jne", "ret"]), "a call while nobody records: a load and a branch",
       text)


def every_kind(folder, program):
    """A program that ran before, and one that begins meanwhile; threads, a child, a shared object."""
    path = os.path.join(folder, "kinds.fxt")
    before = Marker(program)
    before.tell("mark unheard")
    process = recorder(path)
    ok(before.wait_on(process), "a program that runs is found")
    ok(listens(process), "the recorder listens")
    after = Marker(program)
    tids = {p.pid: p.tell("threads 4 100") for p in (before, after)}
    children = {p.pid: p.tell("fork")[0] for p in (before, after)}
    before.tell("object")
    ok(before.memories() == 0 and after.memories() == 0, "a number that the program gave to another file is left alone")
    again = Marker(program)
    again.tell("object")
    ok(again.memories() == 1, "a program and its shared object have one memory", again.memories())
    again.end()
    said = end(process)
    r = load(path, "every kind")
    by = collections.defaultdict(list)
    for m in r.marks:
        by[m.pid, m.tid].append(m)
    for p, when in ((before, "before"), (after, "meanwhile")):
        got = [[(KINDS[m.kind], m.name, m.args.get("value")) for m in by[p.pid, tid]] for tid in tids[p.pid]]
        ok(len(set(tids[p.pid])) == 4 and all(g == list(expected(100)) for g in got),
           f"begun {when}: each thread's events, each once, in order, with their values", [g[:8] for g in got])
        child = children[p.pid]
        ok([m.name for m in by[child, child]] == ["first", "child"] or
           [m.name for m in by[child, child]] == ["child"], f"begun {when}: a child's are its own", by[child, child])
    names = {pid: [m.name for m in by[pid, pid]] for pid in (before.pid, after.pid, again.pid)}
    ok(names == {before.pid: ["object"], after.pid: ["first"], again.pid: ["first", "object"]},
       "first threads: what was marked while it recorded", names)
    ok({m.category for m in r.marks} == {"user", "user:test"}, "categories", {m.category for m in r.marks})
    ok(within(r, r.marks), "all times are the recording's")
    ok(not lost(r) and "nothing lost" in said, "nothing is lost", said)
    ok(before.tell("state") == [0, 0], "when it ends, the program is off")
    for p in (before, after):
        p.end()
    return path, len(r.marks)


def conversions(folder, path, marks):
    for suffix in ("json", "pftrace", "txt"):
        there, back = os.path.join(folder, "c." + suffix), os.path.join(folder, f"back-{suffix}.fxt")
        done = [run([FXTREC, "convert", *pair]) for pair in ((path, "-o", there), (there, "-o", back))]
        if not tap.all_of(f"converted to {suffix} and back", done, lambda d: d.returncode == 0):
            continue
        dump = run([FXTREC, "dump", back]).stdout
        found = len(re.findall(r'category="user[":]', dump))
        if suffix == "txt":
            # A complete duration is two lines; a begin's line has no category.
            found = len(re.findall(r'name="round \d+"', dump))
            marks = 2 * 4 * 100 * 3
        ok(found == marks, f"{suffix}: all of them came back", (found, marks))


def overflow(folder, program):
    path = os.path.join(folder, "hot.fxt")
    p = Marker(program)
    process = recorder(path)
    ok(p.wait_on(process), "hot: found")
    process.send_signal(signal.SIGSTOP)
    p.tell("hot 2 20000")
    process.send_signal(signal.SIGCONT)
    p.tell("hot 4 500000")
    said = end(process)
    p.end()
    r = load(path, "hot")
    written, missing = sum(m.name == "hot" for m in r.marks), lost(r)
    ok(missing["marks full"] > 0 and written + missing["marks full"] == 2 * 20000 + 4 * 500000,
       "an overflow: what is written and what is lost are what was marked", (written, missing))
    ok(set(missing) == {"marks full"} and f"lost {missing['marks full']} marks" in said, "and said to be", said)
    reported = json.loads(run([FXTREC, "info", "--json", path]).stdout)["lost"]
    ok(reported["marks full"] == missing["marks full"] and not reported["other"], "info reports it, by its cause", reported)
    tap.note(f"{written} written, {missing['marks full']} lost")


def numbered(folder, start):
    return sorted(name for name in os.listdir(folder) if name.startswith(start))


def changes(folder, program):
    """exec, which begins another memory; files that follow each other; a PID namespace of its own."""
    path = os.path.join(folder, "changes.fxt")
    process = recorder(path, "--rotate=1s")
    ok(listens(process), "changes: the recorder listens")
    p = Marker(program)
    p.tell("mark one")
    p.send("exec")
    p.tell("mark two")
    inner = subprocess.Popen(["unshare", "--pid", "--fork", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True)
    count = 0
    # Some for each file, however long the recorder takes to begin it.
    while count < 40 or (count < 4000 and len(numbered(folder, "changes.")) < 5):
        p.tell(f"mark {count}")
        count += 1
        time.sleep(0.1)
    answer = inner.communicate("mark inner\nstate\n")[0].split()
    end(process)
    p.end()
    files = numbered(folder, "changes.")
    marks = [m for f in files for m in load(os.path.join(folder, f), f).marks]
    ok([m.name for m in marks if m.pid == p.pid] ==
       ["first", "one", "first", "two"] + [str(i) for i in range(count)] and len(files) > 3,
       "before and after exec, and in each file of a rotation", [m.name for m in marks])
    ok({m.pid for m in marks} == {p.pid} and answer == ["0", "0"], "a process with other thread ids is left out, and off",
       ({m.pid for m in marks}, answer))


def unfinished(folder, program):
    """A writer that never finishes, in a program that lives and in one that is killed."""
    path = os.path.join(folder, "stall.fxt")
    alive, dead = Marker(program), Marker(program)
    process = recorder(path)
    ok(alive.wait_on(process) and dead.wait_on(process), "unfinished: found")
    for p in (alive, dead):
        for line in ("mark whole", "stall", "mark behind", "mark behind"):
            p.tell(line)
    dead.kill()
    time.sleep(2.5)
    said = end(process)
    r = load(path, "unfinished")
    ok([m.name for m in r.marks] == ["whole", "whole"] and lost(r) == {"marks cut": 6},
       "what stands behind it is lost, and counted", (r.marks, lost(r), said))
    alive.end()


def orphans(folder, program):
    """Ends of what began before, and what lacks its end inside of another."""
    path = os.path.join(folder, "orphans.fxt")
    p = Marker(program)
    p.tell("open early")
    process = recorder(path)
    ok(p.wait_on(process), "orphans: found")
    for line in ("open a", "close early", "open b", "close a", "close b"):
        p.tell(line)
    end(process)
    p.end()
    r = load(path, "orphans")
    # The nameless end is b's, and its own comes too late.
    ok([(KINDS[m.kind], m.name) for m in r.marks] == [("begin", "a"), ("begin", "b"), ("end", "a")] and
       [d.kind for d in r.durations if d.tid == p.pid] == ["E"], "each end has its begin", (r.marks, r.durations))


def padded(pid):
    """With a byte behind the name's three."""
    return record(pid, pid, name=b"abc")[:-1] + b"x"


FORGED = {
    "another's process": lambda pid: record(1, 1),
    "another's thread": lambda pid: record(pid, 1),
    "a thread of none": lambda pid: record(pid, 1 << 40),
    "the recorder's category": lambda pid: record(pid, pid, category=b"fxtrec", name=b"lost"),
    "a tracepoint's category": lambda pid: record(pid, pid, category=b"userland"),
    "no UTF-8": lambda pid: record(pid, pid, name=b"\xc3\x28"),
    "strings by reference": lambda pid: record(pid, pid, refs=(1, 2)),
    "an asynchronous event": lambda pid: record(pid, pid, kind=5, more=bytes(8)),
    "an argument": lambda pid: record(pid, pid, args=1, more=bytes([0x10]) + bytes(7)),
    "a word too many": lambda pid: record(pid, pid, more=bytes(8)),
    "padding that isn't zero": padded,
    "a time to come": lambda pid: record(pid, pid, ticks=1 << 62),
    "an end before its begin": lambda pid: record(pid, pid, kind=4, more=bytes(8)),
}


def forgers(folder):
    path = os.path.join(folder, "forged.fxt")
    generator = random.Random(1)
    good = [Forger(lambda pid, of=of: [of(pid), record(pid, pid, name=b"honest")], patience=120)
            for of in FORGED.values()]
    bad = [
        Forger(lambda pid: [record(pid, pid)], head=10 ** 6, patience=120),
        Forger(lambda pid: [bytes([0x04, 0, 0, 0, 0, 0, 0, 0])], patience=120),
        Forger(lambda pid: [generator.randbytes(1024) for _ in range(200)], patience=120),
    ]
    # Those that it never records.
    others = [
        Forger(lambda pid: [record(pid, pid)], seals=1),
        Forger(lambda pid: [record(pid, pid)], magic=1),
        Forger(lambda pid: [record(pid, pid)], pid=1),
    ]
    process = recorder(path)
    found = all([f.wait_on() for f in good + bad])
    written = all([f.wait_written() for f in good + bad + others])
    time.sleep(0.5)
    ok(found and written and process.poll() is None, "the recorder lives, and finds them", (found, written))
    said = end(process)
    for f in good + bad + others:
        f.end()
    r = load(path, "forged")
    honest = [m for m in r.marks if m.name == "honest"]
    ok(sorted(m.pid for m in honest) == sorted(f.pid for f in good) and len(honest) == len(r.marks),
       "of forgers, only what is right is recorded", (len(honest), len(good), [m for m in r.marks if m not in honest][:3]))
    refused = lost(r)
    ok(refused["marks bad"] >= len(FORGED) + 1, "what is not is counted", (refused, said))
    info = json.loads(run([FXTREC, "info", "--json", path]).stdout)
    ok(info["lost"]["other"] == 0 and info["lost"]["ring full"] == 0, "and no other count is theirs", info["lost"])


def killed(folder, program):
    first, second = os.path.join(folder, "first.fxt"), os.path.join(folder, "second.fxt")
    p = Marker(program)
    process = recorder(first)
    ok(p.wait_on(process), "kill -9: found")
    end(process, signal.SIGKILL)
    ok(p.tell("state") == [1, process.pid], "the program has not been told")
    p.tell("hot 2 20000")
    p.tell("mark between")
    process = recorder(second)
    ok(p.wait_on(process), "the next recorder takes it over")
    p.tell("mark again")
    end(process)
    r = load(second, "the next recording")
    ok([m.name for m in r.marks if m.pid == p.pid] == ["again"] and not lost(r), "which has its own time's alone",
       (r.marks[:5], lost(r)))
    p.end()


def crowd(folder, program):
    """More programs at once than a recorder takes: it says of how many it has no marks."""
    starts = 'i=0; while [ $i -lt 1030 ]; do "$0" <&3 & i=$((i+1)); done 3<&0; wait'
    shell = subprocess.Popen(["sh", "-c", starts, program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    marking = marker.programs(shell.pid, 1030)
    said = run([FXTREC, "record", "--backend=bpf", "-d", "0.2", "-o", os.path.join(folder, "crowd.fxt")]).stderr
    left_out = re.search(r"marks of (\d+) programs are missing: more than 1024 mark at once$", said, re.M)
    # Others of this machine may mark, too.
    ok(marking == 1030 and left_out and int(left_out[1]) >= 6, "more programs than it takes: it says so", (marking, said))
    shell.communicate()


def named(folder, program):
    """A recorder of another name keeps its programs."""
    path, other = os.path.join(folder, "named.fxt"), os.path.join(folder, "fxtrec-of-another-name")
    shutil.copy(FXTREC, other)
    p = Marker(program)
    p.tell("mark unheard")
    process = subprocess.Popen([other, "record", "--backend=bpf", "-o", path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    ok(p.wait_on(process), "another name: found")
    run([FXTREC, "record", "--backend=bpf", "-d", "0.5", "-o", os.path.join(folder, "beside.fxt")])
    p.tell("mark kept")
    said = end(process)
    marks = [m.name for m in load(path, "a recorder of another name").marks if m.pid == p.pid]
    ok(marks == ["kept"], "what it records stays its own", (marks, said))
    p.end()


def snapshot_after(folder, program, ms):
    """A snapshot of so many ms, some time after old marks and at once after new ones; and how many s this took."""
    process = recorder(os.path.join(folder, f"flight-{ms}.fxt"), f"--flight={ms}ms")
    ok(listens(process), "flight: it listens")
    p = Marker(program)
    ok(p.wait_on(process), "flight: found")
    time.sleep(1)
    p.tell("mark old")
    p.tell("open long")
    time.sleep(2 * ms / 1000)
    began = time.monotonic()
    p.tell("close long")
    p.tell("mark new")
    p.tell("open whole")
    p.tell("close whole")
    said = run([FXTREC, "snapshot", str(process.pid)])
    took = time.monotonic() - began
    end(process)
    p.end()
    return load(os.path.join(folder, f"flight-{ms}.0001.fxt"), "flight"), said.stderr, took


def flight(folder, program):
    # Where the machine takes so long for a snapshot that new marks are old, one of a longer time.
    for ms in (1500, 6000, 24000):
        r, said, took = snapshot_after(folder, program, ms)
        if took < ms / 1000:
            break
    ok([(KINDS[m.kind], m.name) for m in r.marks] == [("instant", "new"), ("begin", "whole"), ("end", "whole")],
       "a snapshot has the marks of its time, and no end without its begin", (r.marks, said, took))


def brief(folder, program):
    """Programs that end, are killed or replaced as soon as they have marked."""
    path = os.path.join(folder, "brief.fxt")
    process = recorder(path)
    ok(listens(process), "brief: the recorder listens")
    ended, killed = [], []
    for _ in range(100):
        p = Marker(program)
        p.process.communicate("exec\nmark brief\n")
        ended.append(p.pid)
        p = Marker(program)
        p.tell("state")
        p.kill()
        killed.append(p.pid)
    said = end(process)
    by = collections.Counter((m.pid, m.name) for m in load(path, "brief").marks)
    wanted = collections.Counter((pid, name) for pid in ended for name in ("first", "first", "brief"))
    wanted.update((pid, "first") for pid in killed)
    ok(by == wanted and "nothing lost" in said, "a program that starts during a recording loses no mark",
       (wanted - by, by - wanted, said))


# In a /run of its own: with a socket of the given user's that is listened to, what a program then is, and what it sends.
IN_A_RUN = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
import marker
os.makedirs(marker.SOCKETS)
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(marker.socket_of())
os.seteuid(int(sys.argv[3]))
listener.listen()
os.seteuid(0)
listener.setblocking(False)
p = marker.Marker(sys.argv[2])
on, owner = p.tell("state")
try:
    sent = len(socket.recv_fds(listener.accept()[0], 10, 10)[1])
except BlockingIOError:
    sent = 0
p.end()
print(on, owner, sent)
"""


def stranger(program):
    """A program offers its memory to a recorder that may see what it does, and to no other's."""
    for uid, what in ((NOBODY, "one of another user's is not believed"), (0, "one of root's is")):
        # Each recorder on this machine looks at each program that starts: while there is another one, it takes this one.
        for _ in range(1000):
            done = run(["unshare", "--mount", "sh", "-c", 'mount -t tmpfs run /run && exec "$@"', "sh", sys.executable,
                        "-c", IN_A_RUN, os.path.dirname(marker.__file__), program, str(uid)])
            on, owner, sent = map(int, done.stdout.split() or (9, 9, 9))
            if owner == 0:
                break
            time.sleep(0.1)
        ok(owner == 0 and (on == 0 and sent == 0 if uid else on == 1 and sent == 1),
           f"a socket to offer oneself at: {what}", (on, owner, sent, done.stderr))


with tempfile.TemporaryDirectory() as temporary:
    os.chmod(temporary, 0o755)
    built, warnings = marker.build(temporary)
    compile_time(temporary, built, warnings)
    conversions(temporary, *every_kind(temporary, built))
    overflow(temporary, built)
    changes(temporary, built)
    unfinished(temporary, built)
    orphans(temporary, built)
    forgers(temporary)
    killed(temporary, built)
    crowd(temporary, built)
    named(temporary, built)
    flight(temporary, built)
    brief(temporary, built)
    stranger(built)
    off = os.path.join(temporary, "off.fxt")
    run([FXTREC, "record", "--backend=bpf", "--no-marks", "-o", off, "--", built], input="mark x\n")
    ok(not Recording(off, others=True).marks, "--no-marks")
tap.done()
