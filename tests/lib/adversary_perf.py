# SPDX-License-Identifier: GPL-2.0-only
"""Inputs that fill one table or list of the reader of perf.data: a function each, of a size in bytes."""
import itertools
import struct

from adversary import inputs, repeated

PERF_FIELDS = 2 | 4 | 1 << 6 | 1 << 7 | 1 << 16     # TID, TIME, ID, CPU, IDENTIFIER
COMM, FORK, PERF_LOST, SAMPLE, ROUND = 3, 7, 2, 9, 68
SWITCH_FORMAT = b"""name: sched_switch
ID: %d
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

%s
print fmt: "x"
"""


def perf_attr(kind=1, config=0, fields=PERF_FIELDS, read_format=0, flags=1 << 18):
    """perf_event_attr of 64 bytes; of its flags, sample_id_all."""
    return struct.pack("<IIQQQQQIIQ", kind, 64, config, 0, fields, read_format, flags, 0, 0, 0)


def perf_record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def perf_sample(time, tid=5, number=1, number_of_cpu=0, more=b""):
    return perf_record(SAMPLE, struct.pack("<QIIQQII", number, tid, tid, time, number, number_of_cpu, 0) + more)


def perf_task(kind, body, time, tid=5):
    """A record that ends with what sample_id_all adds."""
    return perf_record(kind, body + struct.pack("<IIQQIIQ", tid, tid, time, 1, 0, 0, 1))


def perf_file(size, attrs, parts, ids=None, formats=b""):
    """attrs: of one event each, which has the ids (offset, bytes) of the file; by default its number."""
    places = 104 + 80 * len(attrs)
    table, numbers = b"", b""
    for i, attr in enumerate(attrs):
        table += attr + struct.pack("<QQ", *(ids or (places + 8 * i, 8)))
        numbers += struct.pack("<Q", i + 1)
    at = places + len(numbers)
    data = repeated(max(0, size - at - len(formats)), parts)
    header = struct.pack("<8sQQQQQQQQQQQQ", b"PERFILE2", 104, 80, 104, 80 * len(attrs), at, len(data), 0, 0,
                         1 << 1 if formats else 0, 0, 0, 0)
    section = struct.pack("<QQ", at + len(data) + 16, len(formats)) if formats else b""
    return header + table + numbers + data + section + formats


def perf_formats_of(texts):
    def counted(text):
        return struct.pack("<Q", len(text)) + text
    texts = list(texts)
    return (b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096) + b"header_page\0" + counted(b"") + b"header_event\0" +
            counted(b"") + struct.pack("<II", 0, 1) + b"sched\0" + struct.pack("<I", len(texts)) + b"".join(map(counted, texts)))


def perf_ids(size):
    """Events, each of which has the whole file as its ids."""
    return perf_file(size, [perf_attr()] * (size // 400), itertools.repeat(perf_sample(5)), (0, size // 16 * 8))


def perf_events(size):
    """Events of tracepoints, each of which has a sample."""
    attrs = [perf_attr(2, i) for i in range(min(65536, size // 200))]
    return perf_file(size, attrs, (perf_sample(i, 5, i % len(attrs) + 1) for i in itertools.count(1)))


def perf_rounds(size):
    """A round for each sample, beside many that are far ahead."""
    ahead = (perf_sample(1 << 40 | i) for i in range(size // 2 // 56))
    return perf_file(size, [perf_attr()], itertools.chain(ahead, (perf_sample(i) + perf_record(ROUND, b"")
                                                                 for i in itertools.count(1))))


def perf_threads(size):
    return perf_file(size, [perf_attr()], (perf_task(COMM, struct.pack("<II16s", i, i, b"n%d" % i), i) for i in itertools.count(1)))


def perf_renames(size):
    return perf_file(size, [perf_attr()], (perf_task(COMM, struct.pack("<II16s", 5, 5, b"n%d" % i), i) for i in itertools.count(1)))


def perf_forks(size):
    return perf_file(size, [perf_attr()], (perf_task(FORK, struct.pack("<IIIIQ", i + 1, i, i + 1, i, i), i) for i in itertools.count(1)))


def perf_cpus(size):
    """As many CPUs as Linux is built for at most; a reader may refuse more."""
    return perf_file(size, [perf_attr()], (perf_sample(i, 5, 1, i % 8192) for i in itertools.count(1)))


def perf_backwards(size):
    return perf_file(size, [perf_attr()], (perf_sample((1 << 40) - i) for i in itertools.count(1)))


def perf_losses(size):
    return perf_file(size, [perf_attr()], (perf_task(PERF_LOST, struct.pack("<QQ", 1, 5), i) for i in itertools.count(1)))


def perf_groups(size):
    """Samples of a group, each with many members."""
    attrs = [perf_attr(fields=PERF_FIELDS | 1 << 4, read_format=1 << 2 | 1 << 3)] * 1000

    def parts():
        for i in itertools.count(1):
            members = b"".join(struct.pack("<QQ", i + j % 7, j + 1) for j in range(1000))
            yield perf_sample(i, more=struct.pack("<Q", 1000) + members)
    return perf_file(size, attrs, parts())


def perf_chains(size):
    chain = struct.pack("<Q", 8000) + struct.pack("<Q", (1 << 64) - 128) * 8000
    return perf_file(size, [perf_attr(fields=PERF_FIELDS | 1 << 5)], (perf_sample(i, more=chain) for i in itertools.count(1)))


def perf_formats(size):
    """Formats of tracepoints."""
    formats = perf_formats_of(SWITCH_FORMAT % (i, b"") for i in range(1, size // 400))
    return perf_file(size, [perf_attr(2, 1)], itertools.repeat(perf_sample(5)), formats=formats)


def perf_fields(size):
    """One of many fields."""
    fields = b"".join(b"\tfield:int f%d;\toffset:8;\tsize:4;\tsigned:1;\n" % i for i in range(size // 60))
    return perf_file(size, [perf_attr(2, 1)], itertools.repeat(perf_sample(5)), formats=perf_formats_of([SWITCH_FORMAT % (1, fields)]))


ALL = inputs(globals(), {"perf_attr", "perf_record", "perf_sample", "perf_task", "perf_file", "perf_formats_of"})
