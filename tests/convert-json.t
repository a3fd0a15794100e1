#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""JSON to FXT and back: every example of the Trace Event Format, and what is worse than they are."""
import decimal
import glob
import json
import os
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import tap  # noqa: E402

DATA = os.path.join(tap.TOP, "tests", "data", "json")
FOLDER = tempfile.mkdtemp(prefix="convert-json-")

# What the FXT of an example has, as fxtrec dump prints it.
DUMPED = {
    "array": ["duration-begin:", 'category="PERF"'],
    "object": ["context-switch:", 'state="D"', "wakeup:", "cpu=1", 'name="json member stackFrames"'],
    "general": ['anotherArg:json="{\\"value\\":\\"my value\\"}"', "someArg=1"],
    "complete": ["duration-complete"],
    "instant": ['json.s="g"'],
    "counter-series": ["dogs=7", "counter"],
    "async-nested": ["async-begin", "async-instant", "async-end"],
    "flow": ["flow-begin", "flow-step", "flow-end"],
    "metadata": ["koid=2347 type=2", "process=2343", "koid=2343 type=1"],
    "objects": ['json.ph="N"', 'json.ph="D"', 'json.scope="some_scope"'],
    "samples": ['json.ph="samples"'],
}


def path(name):
    return os.path.join(FOLDER, name)


def convert(source, target, *options):
    return tap.run([tap.FXTREC, "convert", source, "-o", target, *options])


def forgiving(text):
    """What the reader forgives, mended: commas before brackets, a bracket that isn't there."""
    out, quoted, escaped = [], False, False
    for c in text:
        if quoted:
            quoted = escaped or c != '"'
            escaped = c == "\\" and not escaped
        elif c == '"':
            quoted = True
        elif c in "]}":
            while out[-1].isspace() or out[-1] == ",":
                out.pop()
        out.append(c)
    whole = "".join(out).rstrip().rstrip(",")
    if whole.startswith("[") and not whole.endswith("]"):
        whole += "]"
    return json.loads(whole, parse_float=decimal.Decimal)


def time_of(value):
    return decimal.Decimal(str(value)).quantize(decimal.Decimal("0.001"))


def plain(event):
    """An event with what it may as well leave out; numbers as the text tells them."""
    e = {key: value for key, value in event.items() if not key.startswith("fxt.")}
    if isinstance(e.get("id"), int) and not (e.get("ph") == "C" and not e["id"]):
        e["id"] = hex(e["id"])
    for key in ("ts", "dur"):
        if key in e:
            e[key] = time_of(e[key])
    if e.get("ph") != "M":
        e.setdefault("ts", time_of(0))
    if e.get("ph") is not None:
        for key in ("pid", "tid"):
            e.setdefault(key, 0)
    if e.get("ph") == "M" and e.get("name") == "process_name":
        e["tid"] = 0
    if e.get("ph") == "i":
        e.setdefault("s", "t")
    e.setdefault("name", "")
    if not e.get("args", True):
        del e["args"]
    return e


def events(trace, member="traceEvents"):
    found = trace if isinstance(trace, list) else trace.get(member, [])
    return sorted((plain(e) for e in found), key=lambda e: (e.get("ts", 0), repr(sorted(e.items(), key=str))))


def others(trace):
    """Members that are kept as they are."""
    if isinstance(trace, list):
        return {}
    return {key: value for key, value in trace.items()
            if key not in ("traceEvents", "samples", "systemTraceEvents", "fxtrec", "displayTimeUnit")}


TOLD = {"flow": "fxt: 1 steps and ends of flows after the first end"}


def example(name):
    source, fxt, back = os.path.join(DATA, name + ".json"), path("x.fxt"), path("x.json")
    done = convert(source, fxt)
    if not tap.ok(done.returncode == 0 and TOLD.get(name, "") in done.stderr and
                  bool(done.stderr) == (name in TOLD), f"{name}: is read", done.stderr):
        return
    checked = tap.run([tap.FXTREC, "check", fxt])
    tap.ok(checked.returncode == 0, f"{name}: its FXT is valid", checked.stdout)
    dumped = tap.run([tap.FXTREC, "dump", fxt]).stdout
    missing = [text for text in DUMPED.get(name, []) if text not in dumped]
    tap.ok(not missing, f"{name}: its FXT has what it should", f"{missing} not in\n{dumped}")
    done = convert(fxt, back)
    tap.ok(done.returncode == 0 and not done.stderr, f"{name}: comes back whole", done.stderr)
    with open(source, encoding="utf-8") as f:
        before = forgiving(f.read())
    with open(back, encoding="utf-8") as f:
        after = json.load(f, parse_float=decimal.Decimal)
    if name == "object":
        # Ftrace's text has names as well.
        after["traceEvents"] = [e for e in after["traceEvents"] if e["ph"] != "M"]
    same = events(before) == events(after) and others(before) == others(after)
    same = same and events(before if isinstance(before, dict) else {}, "samples") == events(after, "samples")
    tap.ok(same, f"{name}: all fields come back", f"{before}\n{after}")
    if isinstance(before, list):
        convert(fxt, back, "--to=json-array")
        with open(back, encoding="utf-8") as f:
            after = json.load(f, parse_float=decimal.Decimal)
        tap.ok(events(before) == events(after), f"{name}: as an array, too", after)


def bad(name, text, says, kept=None):
    """Strictly an error in one line, no output; by default what is kept, or an error where that is nothing."""
    source, target = path("bad.json"), path("bad.fxt")
    with open(source, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    done = convert(source, target, "--strict")
    lines = done.stderr.splitlines()
    tap.ok(done.returncode == 1 and len(lines) == 1 and says in lines[0] and "bad.json: 0x" in lines[0]
           and not os.path.exists(target), f"{name}: an error", done.stderr)
    done = convert(source, target)
    if not kept:
        tap.ok(done.returncode == 1 and done.stderr.splitlines()[-1].endswith("nothing of the file is understood") and
               not os.path.exists(target), f"{name}: nothing is kept", done.stderr)
        return
    tap.ok(done.returncode == 0 and "passed over: 1 " in done.stderr and "; first: " in done.stderr,
           f"{name}: passed over", done.stderr)
    if tap.run([tap.FXTREC, "check", target]).returncode:
        tap.ok(False, f"{name}: what is kept is valid")
    dumped = tap.run([tap.FXTREC, "dump", target]).stdout
    tap.ok(dumped.count(" instant:") == kept, f"{name}: the rest is kept", dumped)
    os.unlink(target)


def good(name, text, *wanted, notes="", tries=("json",)):
    """Read without an error, valid FXT, valid JSON again; wanted: in the dump."""
    source, target = path("good.json"), path("good.fxt")
    with open(source, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    done = convert(source, target)
    tap.ok(done.returncode == 0 and notes in done.stderr and bool(notes) == bool(done.stderr),
           f"{name}: is read", done.stderr)
    checked = tap.run([tap.FXTREC, "check", target])
    dumped = tap.run([tap.FXTREC, "dump", target]).stdout
    missing = [text for text in wanted if text not in dumped]
    tap.ok(checked.returncode == 0 and not missing, f"{name}: as valid FXT",
           f"{checked.stdout}{missing} not in\n{dumped[:2000]}")
    done = convert(target, path("back.json"))
    with open(path("back.json"), encoding="utf-8") as f:
        back = json.load(f)
    tap.ok(done.returncode == 0 and not done.stderr, f"{name}: and back", done.stderr)
    return back


EVENT = '{"name":"a","ph":"i","ts":1,"pid":1,"tid":1}'


def mistakes():
    bad("no JSON", '{"traceEvents":[%s,{"name":nothing}]}' % EVENT, "lexical error", 1)
    bad("cut", '{"traceEvents":[%s,%s' % (EVENT, EVENT), "parse error", 2)
    bad("cut in a string", '[%s,{"name":"x' % EVENT, "parse error", 1)
    bad("cut in systemTraceEvents", '{"traceEvents":[%s],"systemTraceEvents":"# tracer: nop\\n' % EVENT,
        "cut", 1)
    bad("an escape that isn't one", '{"traceEvents":[%s],"systemTraceEvents":"# tracer: nop\\q"}' % EVENT,
        "escape", 1)
    bad("behind the end", "[%s] []" % EVENT, "trailing garbage", 1)
    bad("no phase", '[%s,{"name":"b","ts":2},%s]' % (EVENT, EVENT), "without a phase", 2)
    bad("a time that is none", '[%s,{"ph":"i","ts":"late"},%s]' % (EVENT, EVENT), "ts is missing or no number", 2)
    bad("no time", '[%s,{"ph":"B","name":"n","pid":1,"tid":1},%s]' % (EVENT, EVENT), "ts is missing or no number", 2)
    bad("a duration that is none", '[%s,{"ph":"X","ts":1,"dur":[]},%s]' % (EVENT, EVENT), "dur is no", 2)
    bad("no object", "[%s,5,%s]" % (EVENT, EVENT), "no object", 2)
    bad("events in no array", '{"traceEvents":{"a":%s}}' % EVENT, "in no array", 0)
    bad("not UTF-8", b'[{"name":"\xff","ph":"i","ts":1}]', "UTF8", 1)
    bad("deep", '[%s,{"ph":"i","ts":1,"args":{"a":%s1%s}},%s]' % (EVENT, "[" * 100000, "]" * 100000, EVENT),
        "deeper than 64", 3)
    bad("deep from the start", '[{"a":' * 100000, "deeper than 64", 0)
    bad("a long string", '[%s,{"ph":"i","ts":1,"name":"%s\\u00e9"},%s]' % (EVENT, "n\\u00e9" * 400000, EVENT),
        "longer than 1 MiB", 3)
    bad("a long event", '[%s,{"ph":"i","args":{%s},"ts":1},%s]' %
        (EVENT, ",".join(f'"{i}":"{"v" * 1000}"' for i in range(6000)), EVENT), "longer than 4 MiB", 3)
    bad("a long array", '[%s,{"ph":"i","args":{"a":[[%s]],"b":3},"ts":1},%s]' %
        (EVENT, ",".join("12345678" for _ in range(600000)), EVENT), "longer than 4 MiB", 3)
    bad("a long member", '{"traceEvents":[%s],"other":{"a":[[%s]],"b":3}}' %
        (EVENT, ",".join("12345678" for _ in range(600000))), "longer than 4 MiB", 1)
    bad("a long number", '[%s,{"ph":"i","ts":1%s}]' % (EVENT, "0" * 2000000), "longer than 1 MiB",
        1)
    source = path("lines.json")
    with open(source, "w", encoding="utf-8") as f:
        f.write(f"{EVENT}\n{EVENT}\n")
    tap.fails(["convert", source, "-o", path("lines.fxt")], 1, "not in an array", "one event a line")
    with open(source, "w", encoding="utf-8") as f:
        f.write('{"meta":{"version":29},"threads":[{"name":"main"}],"samples":[2,2]}')
    done = convert(source, path("lines.fxt"))
    tap.ok(done.returncode == 1 and 'no "traceEvents"' in done.stderr and done.stderr.count("\n") == 1,
           "JSON of something else: one line", done.stderr)
    with open(source, "w", encoding="utf-8") as f:
        f.write('{"meta":{"version":29},"threads":[{"name":"main"},')
    tap.fails(["report", source], 1, 'cut, and no "traceEvents" before that', "the same, cut: one line")
    with open(source, "w", encoding="utf-8") as f:
        f.write('[{"ph":"T","ts":1,"dur":5,"pid":1,"tid":1,"name":"Running"},5]')
    done = convert(source, path("lines.fxt"), "--strict")
    tap.ok(done.returncode == 1 and "an event that is no object" in done.stderr and done.stderr.count("\n") == 1,
           "strict: one line", done.stderr)


def oddities():
    good("nothing", "{}")
    good("an empty array", "[]")
    good("an open array", "[")
    good("an open array, cut in a space", "[%s,\n  " % EVENT, "instant")
    good("an empty event", '[%s,{}]' % EVENT)
    back = good("negative and far times", '[{"ph":"i","ts":-1.5,"name":"a"},{"ph":"i","ts":1e300},'
                '{"ph":"i","ts":18446744073709551616}]', "json.ts=-1.5", "json.ts=1e+300", notes="times")
    tap.ok([e["ts"] for e in back["traceEvents"]] == [-1.5, 1e300, 2 ** 64],
           "negative and far times: as they were", back)
    back = good("numbers of Python", '[{"name":"a","ph":"C","ts":1,"pid":1,"tid":1,'
                '"args":{"x":NaN,"y":-Infinity,"z":[NaN]}},%s]' % EVENT, 'x="NaN" y="-Infinity" z:json="[\\"NaN\\"]"', notes="3 numbers that JSON doesn't have")
    tap.ok(len(back["traceEvents"]) == 2, "numbers of Python: what follows is read", back)
    back = good("numbers of C", '[{"name":"a","ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"args":{"x":nan,"y":-nan,"z":[inf,-inf]}},'
                '{"name":"a","ph":"C","ts":2,"pid":1,"tid":1,"args":{"v":-nan(ind),"w":INF}},%s]' % EVENT, 'x="nan" y="-nan"',
                notes="6 numbers that JSON doesn't have")
    tap.ok(len(back["traceEvents"]) == 3, "numbers of C: what follows is read", back)
    for wrong in ("nano", "info", "nan(", "in", "--inf"):
        bad = path("wrong.json")
        with open(bad, "w", encoding="utf-8") as out:
            out.write('[%s,{"args":{"x":%s}}]' % (EVENT, wrong))
        done = convert(bad, path("wrong.fxt"))
        tap.ok("neither a number nor a name" in done.stderr, f"no number: {wrong}", done.stderr)
    good("a byte order mark", b"\xef\xbb\xbf[" + EVENT.encode() + b"]", "instant")
    good("events that are none", "[%s,5,6]" % EVENT, "instant",
         notes="passed over: 2 events that are no objects; first: ")
    state = {"ph": "T", "ts": 1, "dur": 5, "pid": 1, "tid": 1, "name": "Running", "args": {"cpu": 2}}
    back = good("states of threads", json.dumps([state]), 'instant:', 'json.ph="T" json.dur=5 cpu=2',
                notes="passed over: 1 states of threads (phase T with dur), taken for instants; first: ")
    tap.ok(back["traceEvents"] == [state], "states of threads: as they were", back)
    before = {"ph": "X", "ts": -5, "dur": 7.5, "pid": 1, "tid": 1, "name": "a"}
    back = good("a slice from before 0", json.dumps([before]), "ticks=0", "end_ticks=2500", notes="times")
    tap.ok(back["traceEvents"] == [before], "a slice from before 0: as it was", back)
    back = good("nanoseconds", '[{"ph":"X","ts":9223372036854775.001,"dur":0.999,"name":"a"},'
                '{"ph":"i","ts":"123.4567","name":"b"},{"ph":"i","ts":12e-3,"name":"c"}]',
                "ticks=9223372036854775001", "ticks=123457", "ticks=12 ")
    back = good("no duration", '[{"ph":"X","ts":1,"pid":1,"tid":1,"name":"a"},{"ph":"X","ts":2,"dur":0,"pid":1,"tid":1,'
                '"name":"b"},{"ph":"X","ts":3,"dur":-2,"pid":1,"tid":1,"name":"c"}]', "json.dur=null", "json.dur=-2",
                notes="passed over: 1 durations below 0, taken for 0; first: ")
    tap.ok([e.get("dur") for e in back["traceEvents"]] == [None, 0, -2], "no duration: what has not ended still hasn't", back)
    back = good("a flow before the slice that begins with it", '[{"ph":"t","id":1,"ts":5,"pid":1,"tid":1,"name":"f"},'
                '{"ph":"X","ts":5,"dur":2,"pid":1,"tid":1,"name":"a"},{"ph":"X","ts":5,"dur":3,"pid":1,"tid":1,"name":"b"}]')
    tap.ok([e["name"] for e in back["traceEvents"]] == ["b", "a", "f"], "it comes behind it", back)
    args = {"args": {"args": 1, "b": [2]}, "c": {"args": {}}}
    back = good("args in args", json.dumps([{"ph": "i", "ts": 1, "pid": 1, "tid": 1, "name": "a", "args": args},
                {"ph": "i", "ts": 2, "pid": 1, "tid": 1, "name": "b", "args": {"args": {}}}]), "args:json=")
    tap.ok([e["args"] for e in back["traceEvents"]] == [args, {"args": {}}], "args in args come back", back)
    back = good("no category", '[{"ph":"b","ts":1,"pid":1,"id":"0x1","name":"a"},{"ph":"i","ts":1,"pid":1,"name":"a"}]')
    tap.ok(sorted(e.get("cat", "none") for e in back["traceEvents"]) == ["", "none"],
           "no category: asynchronous events have an empty one, as Trace Viewer drops them else", back)
    good("one id of two", '[{"ph":"X","ts":1,"dur":5,"pid":3},{"ph":"B","ts":2,"tid":4},{"ph":"C","ts":3,"pid":5,'
         '"args":{"n":1}}]', "process=3 thread=3", "process=4 thread=4", "process=5 thread=0")
    good("ids of names", '[{"ph":"i","ts":1,"pid":"Browser","tid":"Main"},{"ph":"i","ts":1,"pid":-1,"tid":2.0}]',
         'name="Browser"', 'name="Main"', 'name="-1"', "thread=2")
    back = good("NUL, and halves of pairs", '[{"ph":"i","ts":1,"name":"a\\u0000b","args":{"x\\ud800":"\\udc00y"}}]',
                'a\\u0000b')
    tap.ok(back["traceEvents"][0]["name"] == "a\0b", "NUL comes back", back)
    text = "é\"\\" * 20000
    back = good("an event longer than a record", json.dumps([{"ph": "B", "ts": 5, "pid": 1, "tid": 2,
                "name": "long", "args": {"text": text, "n": [text]}}]), 'name="json part"', "event:json=true")
    tap.ok([e["args"] for e in back["traceEvents"]] == [{"text": text, "n": [text]}], "it comes back whole")
    frames = {str(i): {"name": "f" * 100, "parent": i} for i in range(30000)}
    back = good("many frames", json.dumps({"stackFrames": frames, "traceEvents": []}))
    tap.ok(back["stackFrames"] == frames, "many frames come back")
    back = good("frames first, keys in any order", '{"b":[],"a":{},"c":[1,{"d":2}],"e":null,"traceEvents":[%s]}' % EVENT)
    tap.ok([back[key] for key in "bace"] == [[], {}, [1, {"d": 2}], None], "members come back", back)


def series(count, at, **more):
    return {"name": "load", "cat": "c", "ph": "C", "ts": at, "pid": 1, "tid": 1, **more,
            "args": {f"cpu{i:02}": at + i for i in range(count)}}


def counted(name):
    """Values of a file's counters, as query has them."""
    done = tap.run([tap.FXTREC, "query", "--csv", path(name), "SELECT value FROM counter ORDER BY ts, series"])
    return [float(word) for word in done.stdout.split()[1:]]


def texts(name, source):
    """Its counters' lines of text, and its counters' packets."""
    convert(source, path("c.txt"))
    convert(source, path("c.perfetto-trace"))
    with open(path("c.txt"), encoding="utf-8") as f:
        lines = len(re.findall(r": C\|1\|load:", f.read()))
    return lines, len(counted("c.perfetto-trace"))


def counters():
    """A counter may have more series than a record of FXT has arguments; and a value may be a text."""
    for count in (14, 15, 16, 25, 30, 61):
        wanted = [series(count, 1.0), series(count, 2.0), series(count, 2.0, id="0x5"), series(count, 2.0, id=7, tts=9)]
        back = good(f"a counter of {count} series", json.dumps(wanted))
        tap.ok(back["traceEvents"] == wanted, f"a counter of {count} series comes back as one event", back)
        values = sorted(v for e in wanted for v in e["args"].values())
        tap.ok(sorted(counted("good.fxt")) == values == sorted(counted("good.json")) and
               texts("good", path("good.fxt")) == (len(values), len(values)),
               f"a counter of {count} series: query, text and packets have all of them", texts("good", path("good.fxt")))
        dumped = tap.run([tap.FXTREC, "dump", path("good.fxt")]).stdout
        tap.ok(not re.search(r"json\.\w+=\d", dumped), "no field of a counter's event is a number, which would be a series",
               dumped)
    typed = {**series(40, 1.0), "args": {f"v{i}": None if i % 7 else [i] for i in range(40)}}
    back = good("a counter without numbers", json.dumps([typed]))
    tap.ok(back["traceEvents"] == [typed], "a counter without numbers comes back", back)
    wanted = {**series(0, 1.0), "args": {"a": "5.5", "b": "7", "c": "+1", "d": "0x10", "e": "12345678901234567890", "f": "x",
                                         "g": ""}}
    back = good("a counter of texts", json.dumps([wanted]), "a=5.5 b=7 c=1.0 d=16.0 e=12345678901234567890 f=\"x\"",
                notes="passed over: 5 texts of numbers as values of counters, taken for numbers; first: ")
    tap.ok(back["traceEvents"][0]["args"] == {"a": 5.5, "b": 7, "c": 1.0, "d": 16.0, "e": 12345678901234567890, "f": "x", "g": ""},
           "texts of numbers come back as numbers, others as texts", back)
    long = {**series(20, 1.0), **{f"field{i}": i for i in range(15)}}
    back = good("a counter of many fields", json.dumps([long]),
                notes="passed over: 1 counters longer than a record, without values; first: ")
    tap.ok(back["traceEvents"] == [long], "a counter of many fields comes back", back)


def words(data):
    return data + bytes(-len(data) % 8)


def ref(text):
    return 0x8000 | len(text) if text else 0


def argument(kind, name, high=0, value=b""):
    body = words(name) + words(value)
    return struct.pack("<Q", kind | (1 + len(body) // 8) << 4 | ref(name) << 16 | high << 32) + body


def record(header, body):
    return struct.pack("<Q", header | (1 + len(body) // 8) << 4) + body


def event(kind, ticks, category, name, arguments=(), extra=b""):
    body = struct.pack("<QQQ", ticks, 71, 72) + words(category) + words(name) + b"".join(arguments) + extra
    return record(4 | kind << 16 | len(arguments) << 20 | ref(category) << 32 | ref(name) << 48, body)


def number(value, form="<Q"):
    return struct.pack(form, value)


def migration(ticks, process):
    """On CPU 0's track, which is of that process."""
    category, name = b"sched", b"sched_migrate_task"
    body = struct.pack("<QQQ", ticks, process, 0x41020000) + words(category) + words(name)
    body += argument(8, b"thread", 0, number(72)) + argument(1, b"prio", 98) + argument(2, b"orig_cpu", 1) + \
        argument(2, b"dest_cpu", 2)
    return record(4 | 4 << 20 | ref(category) << 32 | ref(name) << 48, body)


def wakeup(ticks, context):
    body = struct.pack("<QQ", ticks, 72) + argument(8, b"waker", 0, number(71))
    body += argument(6, b"context", ref(context), context)
    return record(8 | 2 << 16 | 2 << 60, body)


def everything():
    """A file of what records JSON has no phase for, and all types of arguments."""
    types = [argument(0, b"n"), argument(1, b"i", 0xFFFFFFFF), argument(2, b"u", 5),
             argument(3, b"I", 0, number(-7, "<q")), argument(4, b"U", 0, number(7)),
             argument(5, b"d", 0, number(float("inf"), "<d")), argument(6, b"s", ref(b"text"), b"text"),
             argument(7, b"p", 0, number(0xABC)), argument(8, b"k", 0, number(71)), argument(9, b"b", 1),
             argument(10, b"B", 3, b"\x00\xfe\x7f"), argument(5, b"e", 0, number(2.0, "<d")),
             argument(6, b"", ref(b"\""), b"\"")]
    message = b"a message, long enough"
    return b"".join([
        struct.pack("<Q", 0x0016547846040010),
        record(0 | 1 << 16 | 0x100 << 20 | 12 << 52, words(b"fxtrec cpu 0")),
        record(1, number(10 ** 9)),
        event(0, 10, b"c", b"types", types),
        record(9 | len(message) << 16, struct.pack("<QQQ", 20, 71, 72) + words(message)),
        event(0, 20, b"kernel log", message),
        record(9 | 5 << 16, struct.pack("<QQQ", 21, 71, 72) + words(b"alone")),
        record(6 | ref(b"obj") << 24 | 1 << 40, struct.pack("<QQ", 0x1000, 71) + words(b"obj") +
               argument(1, b"n", 3)),
        record(0 | 3 << 16 | 0x100 << 20, b""),
        event(4, 30, b"fxtrec", b"lost", [argument(4, b"records", 0, number(9))], number(35)),
        event(1, 40, b"c", b"counter", [argument(1, b"v", 1)], number(6)),
        event(5, 41, b"c", b"async", (), number(2 ** 64 - 1)),
        event(10, 42, b"c", b"flow", (), number(0)),
        migration(43, 71), wakeup(44, b"nmi"), wakeup(45, b"softirq"), wakeup(45, b"hardirq timer"), migration(46, 70),
        record(5 | ref(b"blob") << 16 | 4 << 32 | 1 << 48, words(b"blob") + words(b"data")),
    ])


def dump(file):
    """Lines of records that hold something, without where they stand and of whom they are."""
    told = []
    for line in tap.run([tap.FXTREC, "dump", "--types", file]).stdout.splitlines():
        line = line.split(None, 1)[1]
        if line.split()[1] in ("magic:", "string:", "provider-info:", "provider-section:", "initialization:",
                               "thread:", "blob:"):
            continue
        told.append(" ".join(word for word in line.split(" ") if not word.startswith("provider=")))
    return sorted(told)


def records():
    source, target, back = path("all.fxt"), path("all.json"), path("back.fxt")
    with open(source, "wb") as f:
        f.write(everything())
    tap.ok(tap.run([tap.FXTREC, "check", source]).returncode == 0, "a file of all records is valid")
    done = convert(source, target)
    tap.ok(done.returncode == 0 and done.stderr.split(": ", 1)[1:] == ["json: 1 blobs\n"],
           "what JSON can't hold is counted", done.stderr)
    with open(target, encoding="utf-8") as f:
        written = json.load(f)["traceEvents"]
    messages = [e for e in written if e["name"].startswith("a message")]
    tap.ok(len(messages) == 1, "a message is shown once", messages)
    done = convert(target, back)
    tap.ok(dump(source) == dump(back), "records come back, with their types",
           done.stderr + "\n".join(dump(source)) + "\nand\n" + "\n".join(dump(back)))


def hostile():
    """What others call as we do must not break JSON."""
    source, target = path("h.json"), path("h.fxt")
    fields = {"id": "\"", "s": None, "event": True, "bp": [], "id2": {"local": {}}, "scope": 1, "ph:json": "["}
    with open(source, "w", encoding="utf-8") as f:
        json.dump([{"ph": phase, "ts": 1, "name": "h", **fields} for phase in "BEXiCbnestfNMP"], f)
    tap.ok(convert(source, target).returncode == 0 and convert(target, source).returncode == 0,
           "fields of any type")
    with open(source, encoding="utf-8") as f:
        tap.all_of("fields come back", json.load(f)["traceEvents"], lambda e: e["event"] is True)
    with open(target, "wb") as f:
        f.write(everything()[:48] + b"".join(
            event(kind, 5, b"", b"h", [argument(6, name, ref(text), text) for name, text in (
                (b"json.ph", b""), (b"json.ts", b"no"), (b"x:json", b"[1"), (b"args:json", b"]"),
                (b"json.a:json", b"{"), (b"json.id:json", b" 1 "), (b"args:json", b" {} "),
                (b"args:json", b"{\"a\":1} "))] + [argument(1, b"json.ph", 3), argument(9, b"event:json", 1)],
                  number(7) if kind in (1, 4, 5, 6, 7, 8, 9, 10) else b"")
            for kind in range(11)))
    tap.ok(tap.run([tap.FXTREC, "check", target]).returncode == 0, "arguments of our names are valid FXT")
    done = convert(target, source)
    with open(source, encoding="utf-8") as f:
        tap.ok(done.returncode == 0 and len(json.load(f)["traceEvents"]) == 11, "and valid JSON", done.stderr)
    done = convert(source, target)
    tap.ok(done.returncode == 0, "which is read again", done.stderr)


def main():
    try:
        for source in sorted(glob.glob(os.path.join(DATA, "*.json"))):
            example(os.path.splitext(os.path.basename(source))[0])
        mistakes()
        oddities()
        counters()
        records()
        hostile()
    finally:
        shutil.rmtree(FOLDER)
    tap.done()


main()
