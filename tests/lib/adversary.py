# SPDX-License-Identifier: GPL-2.0-only
"""Inputs that fill one table or list of the converter as fast as they can: a function each, of a size in bytes."""
import itertools
import struct
import zlib

MAGIC = struct.pack("<Q", 0x0016547846040010)


def padded(data):
    return data + bytes(-len(data) % 8)


def repeated(size, parts, head=b"", tail=b""):
    """Parts, up to that many bytes."""
    out = [head]
    have = len(head) + len(tail)
    for part in parts:
        if have + len(part) > size:
            break
        out.append(part)
        have += len(part)
    return b"".join(out) + tail


# FXT

def record(header, body=b""):
    return struct.pack("<Q", header | (1 + len(body) // 8) << 4) + body


def info(number, name):
    return record(1 << 16 | number << 20 | len(name) << 52, padded(name))


def string(index, text):
    return record(2 | index << 16 | len(text) << 32, padded(text))


def inline(text):
    return (0x8000 | len(text) if text else 0), padded(text)


def argument(kind, name, body=b"", high=0):
    ref, text = inline(name)
    return struct.pack("<Q", kind | (1 + (len(text) + len(body)) // 8) << 4 | ref << 16 | high << 32) + text + body


def event(kind, time, thread, category, name, args=(), extra=b""):
    category_ref, category = inline(category) if isinstance(category, bytes) else (category, b"")
    name_ref, name = inline(name) if isinstance(name, bytes) else (name, b"")
    return record(4 | kind << 16 | len(args) << 20 | category_ref << 32 | name_ref << 48,
                  struct.pack("<QQQ", time, 1, thread) + category + name + b"".join(args) + extra)


def named(koid, name, since=0, kind=2):
    ref, text = inline(name)
    args = [argument(4, b"since", struct.pack("<Q", since))]
    if kind == 2:
        args.append(argument(8, b"process", struct.pack("<Q", 1)))
    return record(7 | kind << 16 | ref << 24 | len(args) << 40, struct.pack("<Q", koid) + text + b"".join(args))


def switch(time, cpu, before, after):
    return record(8 | cpu << 20 | 3 << 36 | 1 << 60, struct.pack("<QQQ", time, before, after))


def wakeup(time, cpu, thread, waker=None):
    args = [] if waker is None else [argument(8, b"waker", struct.pack("<Q", waker))]
    return record(8 | len(args) << 16 | cpu << 20 | 2 << 60, struct.pack("<QQ", time, thread) + b"".join(args))


def cpu(number):
    return info(0x100 + number, b"fxtrec cpu %d" % number)


def fxt_providers(size):
    """Each of a name of its own."""
    return repeated(size, (info(i, b"p%07d" % i) + event(0, i, 5, b"c", b"n") for i in range(16000)), MAGIC)


def fxt_providers_full(size):
    """Full buffers of as many as there may be, in no order."""
    count = min(16380, size // 48)
    return repeated(size, itertools.chain((info(i, b"p%07d" % i) for i in range(count)),
                                          (record(3 << 16 | i * 7919 % count << 20) for i in itertools.count())), MAGIC)


def fxt_providers_again(size):
    """Announced again and again, each time with strings."""
    return repeated(size, (info(i % 16, b"p%07d" % (i % 16)) + string(1 + i * 331 % 32000, b"text") for i in itertools.count()), MAGIC)


def fxt_strings(size):
    """Tables of many providers."""
    def parts():
        for provider in range(16000):
            yield info(provider, b"p%07d" % provider)
            for i in range(1, 100):
                yield string(i * 300, b"%0100d" % i)
    return repeated(size, parts(), MAGIC)


def fxt_strings_long(size):
    """One string, that becomes longer."""
    return repeated(size, (string(1 + i // 100, b"x" * (300 * (1 + i % 100))) for i in itertools.count()), MAGIC)


def fxt_threads_registered(size):
    """Tables of threads, of many providers."""
    return repeated(size, (info(i, b"p%07d" % i) + record(3 | 255 << 16, struct.pack("<QQ", 1, i)) for i in range(16000)), MAGIC)


def collisions():
    """Texts of 8 bytes that once had the same place in the sorter's table, by a hash without a key."""
    prime, start, mask = 0x100000001b3, 0xcbf29ce484222325, (1 << 64) - 1
    inverse = pow(prime, -1, 1 << 64)
    for i in itertools.count(1):
        value = i << 16
        for shift in (29, 32):
            turned = value
            for _ in range(3):
                turned = value ^ turned >> shift
            value = turned
        yield struct.pack("<Q", (value * inverse & mask) ^ start)


def fxt_collisions(size):
    return repeated(size, (event(0, i, 5, text, b"n") for i, text in enumerate(collisions())), MAGIC)


def fxt_texts(size):
    """More texts than the sorter's table takes."""
    return repeated(size, (event(0, i, 5, b"c", b"text %d" % i) for i in itertools.count()), MAGIC)


def fxt_names(size):
    """Threads that are named."""
    return repeated(size, (named(i, b"n%d" % i, i) for i in itertools.count(10)), MAGIC)


def fxt_names_used(size):
    """The same, and used; each again and again by turns."""
    def parts():
        threads = max(1, size // 400)
        for i in range(threads):
            yield named(i + 10, b"n%d" % i, i)
        yield cpu(0)
        for i in itertools.count():
            yield switch(threads + i, 0, 10 + i % threads, 10 + (i + 1) % threads)
    return repeated(size, parts(), MAGIC)


def fxt_threads(size):
    """Threads without a name."""
    return repeated(size, (switch(i, 0, i, i + 1) for i in itertools.count(1)), MAGIC + cpu(0))


def fxt_threads_scattered(size):
    """The same; their ids differ in the upper bits alone."""
    return repeated(size, (switch(i, 0, i << 40, (i + 1) << 40) for i in itertools.count(1)), MAGIC + cpu(0))


def fxt_wakers(size):
    """A thread that is woken by ever other ones."""
    return repeated(size, (switch(i, 0, 5, i + 10) + wakeup(i, 0, 5, i + 10) + switch(i + 1, 0, i + 10, 5)
                           for i in itertools.count()), MAGIC + cpu(0))


def fxt_renames(size):
    """A thread of ever longer names."""
    return repeated(size, (named(10 + i // 300, b"y" * (i % 300), i) for i in itertools.count()), MAGIC)


def fxt_processors(size):
    return repeated(size, (event(0, 5, 0, b"fxtrec", b"processor", [argument(2, b"cpu", high=i)])
                           for i in itertools.count()), MAGIC + info(3, b"fxtrec"))


def fxt_clocks(size):
    """Readings of the clocks, and something between them."""
    return repeated(size, (event(0, i, 0, b"fxtrec", b"clock", [argument(4, b"realtime", struct.pack("<Q", i))]) +
                           event(0, i, 5, b"c", b"n") for i in itertools.count()), MAGIC + info(3, b"fxtrec"))


def fxt_cpus(size):
    """Of every CPU a switch."""
    return repeated(size, (cpu(i % 4000) + switch(i, i % 4000, 1, 2) + wakeup(i + 1, i % 4000, 3)
                           for i in itertools.count()), MAGIC)


def fxt_cpus_down(size):
    """Of every CPU a switch, the last one first; then of these again and again."""
    cpus = min(65536, size // 60)
    return repeated(size, (switch(i, cpus - 1 - i % cpus, 1, 2) for i in itertools.count()), MAGIC)


def fxt_cpus_filled(size):
    """As many switches a CPU as a bundle may have, of one CPU after the other."""
    def parts():
        for i in range(1000):
            yield cpu(i)
            for j in range(9000):
                yield switch(i * 9000 + j, i, j % 3 + 1, (j + 1) % 3 + 1)
    return repeated(size, parts(), MAGIC)


def fxt_losses(size):
    """Of many CPUs a switch, and of one of them losses, all of which say its number."""
    track = 0x40000000 | 2 << 16
    switches = b"".join(cpu(i) + switch(i, i, 1, 2) for i in range(size // 600))
    return repeated(size, (event(4, 1 << 20 | 10 * i, track, b"fxtrec", b"lost", extra=struct.pack("<Q", 5 + (1 << 20 | 10 * i)))
                           for i in itertools.count()), MAGIC + switches + cpu(0))


def fxt_losses_of_all(size):
    """The same of losses that are of no certain CPU."""
    switches = b"".join(cpu(i) + switch(i, i, 1, 2) for i in range(size // 600))
    return repeated(size, (event(4, 1 << 20 | 10 * i, 5, b"fxtrec", b"lost", extra=struct.pack("<Q", 5 + (1 << 20 | 10 * i)))
                           for i in itertools.count()), MAGIC + switches + info(3, b"fxtrec"))


def fxt_complete(size):
    """Events that are all open at the end."""
    return repeated(size, (event(4, i, 5, b"c", b"n" * 20, extra=struct.pack("<Q", 1 << 60)) for i in itertools.count()),
                    MAGIC + cpu(0))


def fxt_complete_long(size):
    """The same with long arguments."""
    def parts():
        yield string(1, b"a" * 900)
        header = struct.pack("<QQ", 6 | 1 << 4 | 1 << 16 | 1 << 32, 6 | 1 << 4 | 1 << 16 | 1 << 32)
        for i in itertools.count():
            yield record(4 | 4 << 16 | 2 << 20 | 1 << 32 | 1 << 48,
                         struct.pack("<QQQ", i, 1, 5) + header + struct.pack("<Q", 1 << 60))
    return repeated(size, parts(), MAGIC + cpu(0))


def fxt_begins(size):
    return repeated(size, (event(2, i, 5 + i % 7, b"c", b"n%d" % (i % 1000)) for i in itertools.count()), MAGIC + cpu(0))


def fxt_async(size):
    """Operations, each of which is a track."""
    return repeated(size, (event(5, i, 5, b"c", b"n%d" % i, extra=struct.pack("<Q", i)) for i in itertools.count()), MAGIC)


def fxt_windows(size):
    """Operations of a thread that all begin, then threads that run by turns, then they end."""
    count = size // 400
    begins, ends = (b"".join(event(kind, time + i, 100, b"c", b"x", extra=struct.pack("<Q", i)) for i in range(count))
                    for kind, time in ((5, 0), (7, 1 << 40)))
    return repeated(size, (wakeup((1 << 20) + 100 * i, 0, 100 + (i + 1) % 5) +
                           switch((1 << 20) + 100 * i + 10, 0, 100 + i % 5, 100 + (i + 1) % 5) for i in itertools.count()),
                    MAGIC + cpu(0) + begins, ends)


def fxt_counters(size):
    args = [argument(1, b"value", high=5)]
    return repeated(size, (event(1, i, 5, b"c", b"n%d" % i, args, struct.pack("<Q", i)) for i in itertools.count()), MAGIC)


def fxt_backwards(size):
    """Time goes back."""
    return repeated(size, (event(0, (1 << 40) - i, 5, b"c", b"n") for i in itertools.count()), MAGIC)


def fxt_rates(size):
    """Another clock again and again, and so another stream."""
    return repeated(size, (record(1, struct.pack("<Q", 1000 + i)) + switch(i, 0, 1, 2) for i in itertools.count()),
                    MAGIC + cpu(0))


def fxt_extents(size):
    """Records of a stream that are apart."""
    return repeated(size, (switch(i, 0, 1, 2) + record(6, b"") for i in itertools.count()), MAGIC + cpu(0))


def fxt_logs(size):
    return repeated(size, (record(9 | 16 << 16, struct.pack("<QQQ", i, 1, 5) + b"%016d" % i) for i in itertools.count()), MAGIC)


def fxt_blobs(size):
    """Members of JSON, and parts of texts that have no end."""
    def parts():
        for i in itertools.count():
            name_ref, name = inline((b"json member m%d" % i) if i % 4 else b"json part")
            yield record(5 | name_ref << 16 | 2 << 32 | 1 << 48, name + padded(b"{}"))
    return repeated(size, parts(), MAGIC)


def fxt_json_args(size):
    """Arguments that are JSON, under the names of fields."""
    text_ref, text = inline(b'["' + b"x" * 500 + b'"]')
    args = [argument(6, b"json.id2%d:json" % i, text, text_ref) for i in range(10)]
    return repeated(size, (event(0, i, 5, b"c", b"n", args) for i in itertools.count()), MAGIC)


# Perfetto

def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return field(1, b"".join(field(number, value) for number, value in fields))


def message(*fields):
    return b"".join(field(number, value) for number, value in fields)


OURS = 0x6678


def track(uuid, name=b"operation", description=b"async 5"):
    return packet((60, message((1, uuid), (2, name), (14, description))), (10, OURS))


def track_event(sequence, uuid, kind=3, time=5, name=b"n", more=(), flags=0):
    return packet((8, time), (10, sequence), (13, flags), (11, message((9, kind), (11, uuid), (23, name), *more)))


def pf_clears(size):
    """fxtrec's sequence is cleared, with many tracks; half of which have an open slice."""
    def parts():
        for i in range(1, max(2, size // 200)):
            yield track(i)
            if i % 2:
                yield track_event(OURS, i, 1)
        while True:
            yield packet((10, OURS), (13, 1))
    return repeated(size, parts())


def pf_clears_used(size):
    """The same with a track in between."""
    return repeated(size, (track(i) + packet((10, OURS), (13, 1)) for i in itertools.count(1)))


def pf_clears_interned(size):
    def parts():
        for i in itertools.count(1):
            texts = tuple((number, message((1, i), (2, b"t"))) for number in (1, 2, 3, 29))
            yield packet((10, 7), (13, 1), (12, message(*texts)))
    return repeated(size, parts())


def pf_sequences(size):
    return repeated(size, (packet((10, i), (13, 1), (12, message((1, message((1, 1), (2, b"t"))))))
                           for i in range(1, 6000)))


def pf_interned(size):
    return repeated(size, (packet((10, 7), (13, 0 if i else 1), (12, message((2, message((1, i + 1), (2, b"t%d" % i))))))
                           for i in range(100000)))


def pf_tracks(size):
    return repeated(size, (packet((60, message((1, i), (5, i - 1 if i else 0))), (10, 7)) + track_event(7, i)
                           for i in range(40000)))


def pf_slices(size):
    """Open slices on a track, deeper and deeper."""
    return repeated(size, (track_event(7, 5 + i % 3, 1, i) for i in itertools.count()))


def tree(tid, name, tgid=None, time=None):
    thread = message((1, tid), (2, name), *([(3, tgid)] if tgid else []))
    return packet((2, message((2, thread))), (10, 7), *([(8, time)] if time else []))


def pf_names(size):
    return repeated(size, (tree(i, b"n%d" % i, 1) for i in itertools.count(1)))


def pf_names_backwards(size):
    """A thread's names, the latest first."""
    return repeated(size, (tree(5 + i // 4000, b"n%d" % i, time=(1 << 30) - i) for i in itertools.count()))


def pf_names_owner(size):
    """Events of a thread that has many names, and no process."""
    def parts():
        for i in range(min(4000, size // 40)):
            yield tree(5, b"n%d" % i, time=1000 + i)
        for i in itertools.count():
            yield packet((1, message((1, 0), (2, message((1, 9000 + i), (2, 5), (3, message((2, b"x"))))))), (10, 7))
    return repeated(size, parts())


def pf_bundles(size):
    """A bundle an event, of all CPUs by turns."""
    def parts():
        for i in itertools.count():
            sched = message((1, b"\x05"), (2, b"\x01"), (3, varint(5 + i)), (4, b"\x78"), (5, b"n%d" % i), (6, b"\x00"))
            yield packet((1, message((1, i % 1024), (4, sched))), (10, 7))
    return repeated(size, parts())


def pf_merged(size):
    """One field of a packet over and over: it is merged with what there is."""
    part = field(12, message((1, message((1, 5)))))
    return repeated(size, itertools.repeat(field(1, part * 2000)))


def pf_snapshots(size):
    clocks = [(1, message((1, 64 + i % 60), (2, i))) for i in range(300)]
    return repeated(size, itertools.repeat(packet((6, message(*clocks)), (10, 7))))


def pf_calls(size):
    """System calls of many threads, most without an end."""
    def events(first):
        for i in range(first, first + 200):
            yield 2, message((1, i), (2, i % (1 << 22)), (329 + (i % 8 == 7), message((1, i % 5))))
    return repeated(size, (packet((1, message((1, 2), *events(200 * i))), (10, 7)) for i in itertools.count()))


def pf_operations(size):
    """Operations of a few tracks that have no end, with names that no table holds."""
    return repeated(size, (track_event(7, 5 + i % 3, 1 + (i % 64 == 63), i, b"" if i % 64 == 63 else b"%050d" % i)
                           for i in itertools.count()))


def pf_offsets(size):
    """Clocks of the machine, of other offsets at each earlier time."""
    def parts():
        for i in range(1 << 40, 0, -1):
            clocks = [(1, message((1, 128 + clock), (2, 4 * i))) for clock in range(30)]
            yield packet((6, message((1, message((1, 3), (2, i))), *clocks)), (10, 7))
    return repeated(size, parts())


def pf_annotations(size):
    def nested(depth):
        return message((10, b"k"), (11, nested(depth - 1))) if depth else message((10, b"k"), (3, 5))
    return repeated(size, (track_event(7, 5, 3, i, more=[(4, nested(7))] * 20) for i in itertools.count()))


def pf_flows(size):
    return repeated(size, (track_event(7, 5, 3, i, more=[(36, j) for j in range(50)]) for i in itertools.count()))


def pf_compressed(size):
    """Packets in packets."""
    inner = zlib.compress(packet((10, OURS), (13, 1)) * 2000, 0)
    return repeated(size, itertools.repeat(packet((50, inner))))


# ftrace's text

HEAD = b"# tracer: nop\n#\n"
OWN = b"# tracer: nop\n#\n# fxtrec convert\n#\n"


def line(i, text, tid=5, number=0):
    return b"          comm-%-7d (      1) [%03d] ..... %5d.%09d: %s\n" % (tid, number, i // 1000000, i % 1000000, text)


def ft_arrows(size):
    arrows = b"a:1 ==> " * 7000
    return repeated(size, (line(i, b"sched_switch: " + arrows) for i in itertools.count()), HEAD)


def ft_colons(size):
    return repeated(size, (line(i, b"sched_switch: " + b":1 ==> x" * 7000 + b"a:1 [120] R ==> b:2 [120]") for i in itertools.count()), HEAD)


def ft_dashes(size):
    return repeated(size, itertools.repeat(b"-1[1]" * 13000 + b"\n"), HEAD)


def ft_pids(size):
    return repeated(size, (line(i, b"sched_waking: comm=" + b" pid=000001 " * 5000) for i in itertools.count()), HEAD)


def ft_threads(size):
    return repeated(size, (line(i, b"foo: bar", i) for i in itertools.count(1)), HEAD)


def ft_cpus(size):
    return repeated(size, (line(i, b"foo: bar", 5, i % 16000) for i in itertools.count(1)), HEAD)


def ft_keys(size):
    return repeated(size, (line(i, b"foo: " + b"a b=c d " * 7000) for i in itertools.count(1)), HEAD)


def ft_begins(size):
    """fxtrec's own text of slices that wait for their ends; with long names."""
    return repeated(size, (line(i, b"tracing_mark_write: B|1|" + b"n" * 30000, 5 + i // 4000) for i in itertools.count(1)), OWN)


def ft_begins_short(size):
    return repeated(size, (line(i, b"tracing_mark_write: B|1|n", 5 + i // 4000) for i in itertools.count(1)), OWN)


def ft_names(size):
    return repeated(size, (b"# fxtrec thread %d 1 %d n%d\n" % (i, i, i) for i in itertools.count(1)), OWN)


def ft_renames(size):
    def parts():
        for i in itertools.count(1):
            yield line(i, b"sched_switch: prev_comm=a%d prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=b%d next_pid=6 next_prio=120" % (i, i))
    return repeated(size, parts(), HEAD)


def html_scripts(size):
    script = b'  <script class="trace-data" type="application/text">\n' + HEAD + line(5, b"foo: bar") + b"  </script>\n"
    return repeated(size, itertools.repeat(script), b"<!DOCTYPE html>\n")


# JSON

def json_events(size, parts):
    return repeated(size, (part + b",\n" for part in parts), b"[\n", b"{}]\n")


def json_fields(size):
    fields = b",".join(b'"k%d":1' % i for i in range(4000))
    return json_events(size, itertools.repeat(b'{"ph":"i","ts":1,"pid":1,"tid":1,"args":{' + fields + b"}}"))


def json_ids(size):
    """Ids that are words."""
    return json_events(size, (b'{"ph":"i","ts":1,"pid":"p%d","tid":"t%d"}' % (i, i) for i in itertools.count()))


def json_providers(size):
    return json_events(size, (b'{"ph":"i","ts":1,"pid":1,"tid":1,"fxt.provider":"provider %d"}' % (i % 16000)
                              for i in itertools.count()))


def json_members(size):
    return repeated(size, (b',"m%d":{}' % i for i in itertools.count()), b'{"traceEvents":[]', b"}")


def json_strings(size):
    text = b"\\u0001\\n" * 10000
    return json_events(size, itertools.repeat(b'{"ph":"i","ts":1,"name":"' + text + b'"}'))


def json_deep(size):
    return json_events(size, itertools.repeat(b'{"ph":"i","ts":1,"args":' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"}"))


def json_system(size):
    """Texts of ftrace, one after the other."""
    return repeated(size, itertools.repeat(b',"systemTraceEvents":"# tracer: nop\\n"'), b'{"traceEvents":[]', b"}")


def json_samples(size):
    return repeated(size, (b'{"ts":%d,"tid":%d,"name":"n"},' % (i, i) for i in itertools.count()), b'{"traceEvents":[],"samples":[', b'{"ts":1}]}')


SUFFIXES = {"fxt": "fxt", "perf": "data", "pf": "pftrace", "ft": "txt", "html": "html", "json": "json"}


def inputs(names, helpers):
    """Those of a module's functions that make one: their names begin with the format's."""
    return {name: make for name, make in names.items()
            if callable(make) and name.split("_")[0] in SUFFIXES and "_" in name and name not in helpers}


ALL = inputs(globals(), {"json_events"})


def suffix(name):
    return SUFFIXES[name.split("_")[0]]
