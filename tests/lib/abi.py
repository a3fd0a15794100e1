# SPDX-License-Identifier: GPL-2.0-only
"""The device's own interface, used as no tool of ours would: check(result) inside a guest."""
import ctypes
import errno
import fcntl
import mmap
import os
import select
import struct
import subprocess
import threading
import time

import ftrace

DEVICE = "/dev/fxtrec"
EVENTS = ftrace.TRACEFS + "/events"
CONFIG = "<8I2Q" + "Q" + "Q3Q"
CONFIGURE, START, STOP, STATS, FOLLOW = 0xC05846A0, 0x46A1, 0x46A2, 0xC04046A3, 0x401046A4
FILTER_BYTES, TIDS_MAX = 3112, 1 << 22
THREADS, CGROUP, CPUS = 1, 8, 16
TRACEPOINTS, LATE, FOLLOWED, LIST = 0x402046A5, 0x402046A6, 0x46A7, 0x46A8
NAMES, STATES, STATE_BYTES = 0, 1, 48
DEBUG_STATS = "/sys/kernel/debug/fxtrec/stats"
DATA, SUBBUFS, CONSUMER = 1 << 20, 16, 1 << 42
# What the layout counts in, and what the kernel maps in.
LAYOUT, PAGE = 4096, mmap.PAGESIZE
AREA = -(-(3 * LAYOUT + DATA) // PAGE) * PAGE
CLOSED = (1 << 64) - 1


def config(size=88, abi=12, flags=0, clock=0, data=DATA, subbufs=SUBBUFS, filter_=0, tail=b""):
    return bytearray(struct.pack(CONFIG, size, abi, flags, clock, data, subbufs,
                                 0, 0, 0, 0, 0, filter_, 0, 0, 0) + tail)


def failure(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except OSError as error:
        return error.errno
    return 0


def refusals(result):
    """What must be refused leaves the device as it was."""
    fd = os.open(DEVICE, os.O_RDWR)
    for name, argument, wanted in (
            ("another version", config(abi=99), errno.EPROTO),
            ("unknown flags", config(flags=1), errno.EINVAL),
            ("an unknown clock", config(clock=9), errno.EINVAL),
            ("a size that is no power of two", config(data=DATA + LAYOUT), errno.EINVAL),
            ("rings of a gigabyte", config(data=1 << 30), errno.E2BIG),
            ("too few sub-buffers", config(subbufs=1), errno.EINVAL),
            ("too many sub-buffers", config(subbufs=512), errno.EINVAL),
            ("a structure too small to be one", config(size=4), errno.EINVAL),
            ("a larger structure with something new in it",
             config(size=96, tail=b"\1" + bytes(7)), errno.E2BIG)):
        got = failure(fcntl.ioctl, fd, CONFIGURE, argument)
        result(got == wanted, f"configure refuses {name}", errno.errorcode.get(got, got))
    result(failure(fcntl.ioctl, fd, START) == errno.EINVAL, "start needs configure")
    result(failure(fcntl.ioctl, fd, 0x4699) == errno.ENOTTY, "an unknown ioctl is ENOTTY")
    result(failure(mmap.mmap, fd, AREA, mmap.MAP_SHARED, mmap.PROT_READ) == errno.EINVAL,
           "nothing is mapped before configure")
    result(failure(os.open, DEVICE, os.O_RDWR) == errno.EBUSY, "a second opener gets EBUSY")
    result(failure(os.open, DEVICE, os.O_RDONLY) == errno.EINVAL, "reading alone is refused")
    os.close(fd)


def filter_of(flags, size=FILTER_BYTES, cgroup=0, reserved=0):
    return ctypes.create_string_buffer(struct.pack("<2IiI", size, flags, cgroup, reserved),
                                       max(size, FILTER_BYTES))


def filters(result):
    """What a filter may not be; and that what is refused leaves nothing behind."""
    fd = os.open(DEVICE, os.O_RDWR)
    longer = filter_of(THREADS, size=FILTER_BYTES + 8)
    longer[FILTER_BYTES] = b"\1"
    for name, given, wanted in (
            ("nowhere", None, errno.EFAULT),
            ("no flags", filter_of(0), errno.EINVAL),
            ("unknown flags", filter_of(0x80), errno.EINVAL),
            ("something in what is reserved", filter_of(THREADS, reserved=1), errno.EINVAL),
            ("a size of 4", filter_of(THREADS, size=4), errno.EINVAL),
            ("a size of a gigabyte", filter_of(THREADS, size=FILTER_BYTES), errno.EINVAL),
            ("something new in it", longer, errno.E2BIG),
            ("a cgroup that isn't open", filter_of(THREADS | CGROUP, cgroup=999), errno.EBADF)):
        if "gigabyte" in name:
            struct.pack_into("<I", given, 0, 1 << 30)
        got = failure(fcntl.ioctl, fd, CONFIGURE,
                      config(filter_=ctypes.addressof(given) if given else 8))
        result(got == wanted, f"a filter is refused: {name}", errno.errorcode.get(got, got))
    follow = bytearray(struct.pack("<4I", 16, os.getpid(), 1, 0))
    result(failure(fcntl.ioctl, fd, FOLLOW, follow) == errno.EINVAL and failure(fcntl.ioctl, fd, FOLLOWED) == errno.EINVAL,
           "follow needs configure")
    given = filter_of(CPUS)
    fcntl.ioctl(fd, CONFIGURE, config(filter_=ctypes.addressof(given)))
    result(failure(fcntl.ioctl, fd, FOLLOW, follow) == errno.EINVAL and failure(fcntl.ioctl, fd, FOLLOWED) == errno.EINVAL,
           "follow needs a filter of threads")
    os.close(fd)
    fd = os.open(DEVICE, os.O_RDWR)
    given = filter_of(THREADS)
    fcntl.ioctl(fd, CONFIGURE, config(filter_=ctypes.addressof(given)))
    last = 0
    for tid, on, flags, wanted in ((os.getpid(), 1, 0, 0), (os.getpid(), 0, 0, 0),
                                      (TIDS_MAX - 1, 1, 0, 0), (0, 1, 0, errno.EINVAL),
                                      (TIDS_MAX, 1, 0, errno.EINVAL), (1 << 31, 1, 0, errno.EINVAL),
                                      (1, 2, 0, errno.EINVAL), (1, 0, 1, errno.EINVAL), (1, 1, 2, errno.EINVAL)):
        got = failure(fcntl.ioctl, fd, FOLLOW, bytearray(struct.pack("<4I", 16, tid, on, flags)))
        result(got == wanted, f"follow {tid} {on} {flags}", errno.errorcode.get(got, got))
        # What is refused leaves the one before.
        last = last if wanted else tid if on else 0
        got = [fcntl.ioctl(fd, FOLLOWED, below) for below in (TIDS_MAX, last + 1, last, 0)]
        result(got == [last, last, 0, 0], f"follow {tid} {on} {flags}: what is followed then", got)
    os.close(fd)


def tables(result):
    """Tables of tracepoints that must be refused."""
    fd = os.open(DEVICE, os.O_RDWR)

    def table(entry=b"", count=1, reserved=0, size=32):
        memory = ctypes.create_string_buffer(entry.ljust(136, b"\0"), 136)
        return failure(fcntl.ioctl, fd, TRACEPOINTS, struct.pack("<2I3Q", size, count,
                                                                 ctypes.addressof(memory), reserved, 0))

    result(table() == errno.EINVAL, "a table of tracepoints needs configure")
    wanted = config()
    for name, events, stacks in (("unknown events", 0x20, 0), ("stacks of no sleep", 0x10, 0),
                                 ("sleeps without stacks", 0, 4), ("stacks of running threads", 0x10, 1)):
        struct.pack_into("<2I", wanted, 72, events, stacks)
        result(failure(fcntl.ioctl, fd, CONFIGURE, wanted) == errno.EINVAL, f"configure refuses {name}")
    struct.pack_into("<2I", wanted, 72, 8, 0)
    fcntl.ioctl(fd, CONFIGURE, wanted)
    field = struct.Struct("<4H")
    for name, got, expected in (
            ("none", table(count=0), errno.EINVAL),
            ("too many", table(count=1025), errno.EINVAL),
            ("reserved words", table(reserved=1), errno.EINVAL),
            ("too many fields", table(struct.pack("<I2H2I", 1, 1, 1, 16, 0)), errno.EINVAL),
            ("a number of 3 bytes", table(struct.pack("<I2H2I", 1, 1, 1, 1, 0) + field.pack(8, 3, 1, 0)),
             errno.EINVAL),
            ("an unknown kind", table(struct.pack("<I2H2I", 1, 1, 1, 1, 0) + field.pack(8, 4, 1, 9)),
             errno.EINVAL),
            ("a name that is none", table(struct.pack("<I2H2I", 1, 1, 0x8001, 0, 0)), errno.EINVAL)):
        result(got == expected, f"a table of tracepoints is refused: {name}", got)
    result(failure(fcntl.ioctl, fd, START) == errno.EINVAL, "events without their table don't start")
    result(table(struct.pack("<I2H2I", 0xfffffff, 1, 1, 0, 0)) == 0 and table() == errno.EBUSY,
           "a table is taken once")
    result(failure(fcntl.ioctl, fd, START) != 0, "a tracepoint that isn't there doesn't start")
    os.close(fd)
    fd = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(fd, CONFIGURE, wanted)
    with open(f"{EVENTS}/sched/sched_switch/id", encoding="ascii") as f:
        entry = struct.pack("<I2H2I", int(f.read()), 1, 1, 0, 0)
    result(table(entry) == 0 and failure(fcntl.ioctl, fd, START) == 0, "one that is there does")
    os.close(fd)


def memory(result):
    """Rings that would take most of the memory are refused, before anyone is killed for it."""
    with open("/proc/meminfo", encoding="ascii") as f:
        left = next(int(line.split()[1]) << 10 for line in f if line.startswith("MemAvailable"))
    rings = os.cpu_count() << 28
    kept = left - rings * 3 // 2
    with mmap.mmap(-1, kept, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE):
        fd = os.open(DEVICE, os.O_RDWR)
        got = failure(fcntl.ioctl, fd, CONFIGURE, config(data=1 << 28))
        os.close(fd)
    result(got == errno.ENOMEM, "configure refuses rings of most of the memory", errno.errorcode.get(got, got))


class Tracing:
    """A recording of one tracepoint, with closed rings."""

    def __init__(self, tracepoint):
        self.id = f"{EVENTS}/{tracepoint.replace(':', '/')}/id"

    def __enter__(self):
        with open(self.id, encoding="ascii") as f:
            entry = ctypes.create_string_buffer(struct.pack("<I2H2I", int(f.read()), 1, 1, 0, 0), 136)
        wanted = config()
        struct.pack_into("<2I", wanted, 72, 8, 0)
        self.fd = os.open(DEVICE, os.O_RDWR)
        fcntl.ioctl(self.fd, CONFIGURE, wanted)
        fcntl.ioctl(self.fd, TRACEPOINTS, struct.pack("<2I3Q", 32, 1, ctypes.addressof(entry), 0, 0))
        fcntl.ioctl(self.fd, START)
        self.areas, self.consumers = [], []
        for cpu in range(os.cpu_count()):
            self.areas.append(mmap.mmap(self.fd, AREA, mmap.MAP_SHARED, mmap.PROT_READ, offset=cpu * AREA))
            self.consumers.append(mmap.mmap(self.fd, PAGE, offset=CONSUMER + cpu * PAGE))
        return self

    def tails(self, tail):
        """Opens or closes the rings of all CPUs."""
        for consumer in self.consumers:
            consumer[128:136] = struct.pack("<Q", tail)
        time.sleep(0.001)

    def of_events(self, offset):
        """Words of the control blocks of the rings of events."""
        return [struct.unpack_from("<q", area, 2 * LAYOUT + offset)[0] for area in self.areas]

    def records(self):
        return sum(self.of_events(32))

    def hits_unrecorded(self):
        return self.of_events(184)

    def lost(self):
        argument = bytearray(struct.pack("<2I7Q", 64, *[0] * 8))
        fcntl.ioctl(self.fd, STATS, argument)
        return sum(struct.unpack("<2I7Q", argument)[3:])

    def __exit__(self, *_):
        for mapping in self.areas + self.consumers:
            mapping.close()
        os.close(self.fd)


def interrupting(result, calls=100):
    """At a breakpoint the kernel is as in an NMI, which may come at any time."""
    # Only where a probe may be a jump.
    if os.path.exists("/proc/sys/debug/kprobes-optimization"):
        with open("/proc/sys/debug/kprobes-optimization", "w", encoding="ascii") as f:
            f.write("0")
    function = {"x86_64": "__x64_sys_getppid", "aarch64": "__arm64_sys_getppid"}[os.uname().machine]
    # Behind the function's first instructions, which ftrace may have; most offsets are inside one.
    if all(ftrace.kprobe(f"p:fxtrec/call {function}+{offset}") for offset in range(5, 41)):
        raise OSError("no breakpoint in getppid()")
    counts = []
    with Tracing("fxtrec:call") as tracing:
        for tail in (CLOSED, 0):
            tracing.tails(tail)
            for _ in range(calls):
                os.getppid()
            counts.append((tracing.records(), tracing.lost()))
    ftrace.kprobe("-:fxtrec/call")
    result(counts == [(0, 0), (calls, 0)], "what comes as an NMI does is recorded", counts)


def freeing(result, rounds, openings):
    """A tracepoint that is hit all the while, and that perf holds open as well."""
    jobs = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for command in (["perf", "stat", "-a", "-e", "kmem:kmem_cache_free", "sleep", "1000"],
                            *[["nice", "sh", "-c", "while :; do [ -e / ]; done"]] * os.cpu_count())]
    for _ in range(rounds):
        with Tracing("kmem:kmem_cache_free"):
            pass
    with Tracing("kmem:kmem_cache_free") as tracing:
        too_many = 0
        for _ in range(openings):
            before, looks = tracing.hits_unrecorded(), []
            tracing.tails(0)
            for _ in range(5):
                looks.append(tracing.hits_unrecorded())
                time.sleep(0.001)
            tracing.tails(CLOSED)
            too_many += sum(min(now) > was for was, now in zip(before, zip(*looks)))
        records = tracing.records()
    for job in jobs:
        job.kill()
        job.wait()
    # Newer kernels let a thread be switched away between two probes, longer than is looked here.
    result(too_many <= max(openings // 100, 1) and records > 100,
           "a hit from before the rings open is not counted as unrecorded in them", f"{too_many} of {openings}, {records}")


def debug_stats():
    """The file in debugfs: the recording's state, and the columns of each CPU and ring."""
    with open(DEBUG_STATS, encoding="ascii") as f:
        state, _, *lines = f.read().splitlines()
    return state.removeprefix("# "), {(int(cpu), ring): columns for cpu, ring, *columns in map(str.split, lines)}


def debug_stats_idle(result):
    mode = os.stat(DEBUG_STATS).st_mode & 0o777
    result(mode == 0o400 and debug_stats() == ("idle", {}), "debugfs: the state without a recording, for root alone",
           (oct(mode), debug_stats()))


def debug_stats_stopped(result, area, consumer):
    """Once stopped, the file has what the mapped control blocks have."""
    state, rings = debug_stats()
    wanted = {}
    for kind, ring in enumerate(("sched", "info", "events")):
        word = lambda offset: struct.unpack_from("<q", area, LAYOUT * kind + offset)[0]
        tail, = struct.unpack_from("<Q", consumer, 64 * kind)
        wanted[0, ring] = [str(value) for value in (word(0), "closed" if tail == CLOSED else tail, word(32),
                                                    *map(word, (80, 88, 96, 104, 184, 1216)))]
    result(state == "stopped" and len(rings) == 3 * os.cpu_count() and
           all(rings[key] == wanted[key] for key in wanted) and int(rings[0, "sched"][3]) > 0,
           "debugfs: the state, positions and losses of each ring", (state, rings, wanted))


def mappings(result, fd):
    result(failure(mmap.mmap, fd, AREA, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
           == errno.EACCES, "an area can't be mapped writable")
    result(failure(mmap.mmap, fd, AREA, mmap.MAP_PRIVATE, mmap.PROT_READ) == errno.EINVAL,
           "nor privately")
    for name, bytes_, offset in (("half an area", AREA // PAGE // 2 * PAGE, 0),
                                 ("from inside an area", AREA, PAGE),
                                 ("past the last CPU", AREA, AREA * 8192),
                                 ("past the consumer pages", PAGE, CONSUMER + 8192 * PAGE)):
        got = failure(mmap.mmap, fd, bytes_, mmap.MAP_SHARED, mmap.PROT_READ, offset=offset)
        result(got in (errno.EINVAL, errno.EOVERFLOW), f"mmap refuses {name}", got)
    area = mmap.mmap(fd, AREA, mmap.MAP_SHARED, mmap.PROT_READ)
    with open("/proc/self/maps") as f:
        line = next(line for line in f if DEVICE in line)
    start = int(line.split("-")[0], 16)
    libc = ctypes.CDLL(None, use_errno=True)
    failed = libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(PAGE), 3)
    result(failed, "nor made writable later")
    return area


def late(fd, count, reserved=0):
    """(errno, two words for each CPU and behind them one) of the first so many CPUs."""
    table = (ctypes.c_uint64 * (2 * min(count, 1 << 10) + 1))(*[99] * (2 * min(count, 1 << 10) + 1))
    got = failure(fcntl.ioctl, fd, LATE, struct.pack("<2I3Q", 32, count, ctypes.addressof(table), reserved, 0))
    return got, list(table)


def use(result):
    fd = os.open(DEVICE, os.O_RDWR)
    result(late(fd, 1)[0] == errno.EINVAL, "what late CPUs did needs configure")
    argument = config()
    fcntl.ioctl(fd, CONFIGURE, argument)
    cpus = os.cpu_count()
    result(late(fd, cpus) == (0, [0, 0] * cpus + [99]) and late(fd, 0) == (0, [99]) and
           late(fd, 1 << 20)[0] == errno.EINVAL and late(fd, 1, reserved=1)[0] == errno.EINVAL and
           failure(fcntl.ioctl, fd, LATE, struct.pack("<2I3Q", 32, 1, 8, 0, 0)) == errno.EFAULT,
           "a CPU that has rings is no late one", late(fd, cpus))
    answer = struct.unpack(CONFIG, argument)
    result(answer[6] == os.cpu_count() and answer[7] == LAYOUT and answer[9] == AREA and
           answer[10] == CONSUMER, "configure answers with the layout", answer)
    result(failure(fcntl.ioctl, fd, CONFIGURE, config()) == errno.EBUSY, "it is configured once")
    area = mappings(result, fd)
    consumer = mmap.mmap(fd, PAGE, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE,
                         offset=CONSUMER)
    fcntl.ioctl(fd, START)
    subprocess.run(["taskset", "-c", "0", "perf", "bench", "sched", "pipe", "-l", "200"],
                   stdout=subprocess.DEVNULL)
    result(area[0:8] == bytes(8) and area[64 + 16:64 + 24] == bytes(8),
           "a closed ring records nothing and counts nothing")
    consumer[0:8] = bytes(8)
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    result(poll.poll(0) == [], "poll: nothing waits yet")
    subprocess.run(["taskset", "-c", "0", "perf", "bench", "sched", "pipe", "-l", "4000"],
                   stdout=subprocess.DEVNULL)
    result(poll.poll(100) == [(fd, select.POLLIN)], "poll: a sub-buffer waits")
    lies(result, area, consumer)
    argument = bytearray(struct.pack("<2I7Q", 64, *[0] * 8))
    fcntl.ioctl(fd, STATS, argument)
    stats = struct.unpack("<2I7Q", argument)
    result(stats[1] == 1 and stats[2] > 0 and stats[3] > 0, "stats tell bytes and losses", stats)
    state, rings = debug_stats()
    result(state == "running" and int(rings[0, "sched"][0]) > 0, "debugfs: the state while recording", (state, rings))
    fcntl.ioctl(fd, STOP)
    debug_stats_stopped(result, area, consumer)
    head = area[0:8]
    time.sleep(0.2)
    result(area[0:8] == head and poll.poll(0)[0][1] & select.POLLHUP, "stop stops, poll says so")
    os.close(fd)
    result(failure(os.open, DEVICE, os.O_RDWR) == errno.EBUSY,
           "mappings keep the device after its descriptor is closed")
    area.close()
    consumer.close()
    result(failure(os.close, os.open(DEVICE, os.O_RDWR)) == 0, "and give it back with the last")


def lies(result, area, consumer):
    """Whatever the reader writes as its tail: the producer stays inside its ring."""
    for tail in (1, (1 << 63), (1 << 64) - 1, (1 << 64) - 4096, 1 << 40, 0):
        consumer[0:8] = struct.pack("<Q", tail)
        subprocess.run(["taskset", "-c", "0", "perf", "bench", "sched", "pipe", "-l", "4000"],
                       stdout=subprocess.DEVNULL)
        head, limit, bias = struct.unpack("<3Q", area[0:24])
        offset = (head - bias) % (1 << 64)
        if offset >= DATA * 3 // 4:
            result(False, f"a tail of {tail:#x} keeps the producer inside", offset)
            return
    result(True, "a lying tail keeps the producer inside its ring")


def read_while_mapping(seconds=3):
    """One thread maps and unmaps, another has the thread list copied to pages that it has never touched."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                          ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    fd = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(fd, CONFIGURE, config())
    end = time.monotonic() + seconds

    def reading():
        while time.monotonic() < end:
            with mmap.mmap(-1, 1 << 18) as untouched:
                os.preadv(fd, [untouched], 0)

    reader = threading.Thread(target=reading, daemon=True)
    reader.start()
    while time.monotonic() < end:
        libc.munmap(libc.mmap(None, AREA, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0), AREA)
    reader.join()


def locks(result):
    """mmap() runs inside a lock that read() takes last: neither may wait for the other."""
    child = os.fork()
    if not child:
        read_while_mapping()
        os._exit(0)
    for _ in range(300):
        if os.waitpid(child, os.WNOHANG)[0]:
            return result(True, "reading and mapping at once don't wait for each other")
        time.sleep(0.1)
    return result(False, "reading and mapping at once don't wait for each other", "they still do")


def not_awaited(result):
    """Opening any device of this kind takes a lock: a recorder may not hold up another's open()."""
    fd = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(fd, CONFIGURE, config())

    def run():
        for command in (START, STOP):
            fcntl.ioctl(fd, command)

    recorder = threading.Thread(target=run)
    attempts = 0
    recorder.start()
    while recorder.is_alive():
        attempts += failure(os.open, DEVICE, os.O_RDWR) == errno.EBUSY
    os.close(fd)
    result(attempts >= 20, "a second opener doesn't wait for one that starts and stops", attempts)


def not_inherited(result, rounds=10):
    """The rings of a recording that ends go away, so one that opens meanwhile may not map them."""
    inherited = []
    for _ in range(rounds):
        fd = os.open(DEVICE, os.O_RDWR)
        for command, argument in ((CONFIGURE, config()), (START, 0)):
            fcntl.ioctl(fd, command, argument)
        ending = threading.Thread(target=os.close, args=[fd])
        ending.start()
        for _ in range(1 << 20):
            try:
                after = os.open(DEVICE, os.O_RDWR)
                break
            except OSError:
                pass
        got = failure(mmap.mmap, after, AREA, mmap.MAP_SHARED, mmap.PROT_READ)
        inherited += [] if got == errno.EINVAL else [got]
        ending.join()
        os.close(after)
    result(not inherited, "one that opens while a recording ends doesn't get its rings", inherited)


class Stalled:
    """A page that whoever touches it waits for, until it is given (userfaultfd)."""

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.syscall(323 if os.uname().machine == "x86_64" else 282, os.O_CLOEXEC)
        self.memory = mmap.mmap(-1, PAGE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        fcntl.ioctl(self.fd, 0xC018AA3F, bytearray(struct.pack("<3Q", 0xAA, 0, 0)))
        fcntl.ioctl(self.fd, 0xC020AA00, bytearray(struct.pack("<4Q", self.address, PAGE, 1, 0)))

    def is_touched(self):
        """Waits until some thread waits for the page."""
        return bool(select.select([self.fd], [], [], 60)[0])

    def give(self):
        fcntl.ioctl(self.fd, 0xC020AA04, bytearray(struct.pack("<4Qq", self.address, PAGE, 0, 0, 0)))
        os.close(self.fd)


def stalled(result):
    """A recorder whose memory is never there keeps nobody else waiting."""
    calls = [("ioctl", name, number) for name, number in
             (("configure", CONFIGURE), ("stats", STATS), ("follow", FOLLOW), ("tracepoints", TRACEPOINTS), ("late", LATE))]
    for kind, name, number in calls + [("read", "the listing", 0)]:
        fd, page = os.open(DEVICE, os.O_RDWR), Stalled()
        if kind == "read":
            fcntl.ioctl(fd, CONFIGURE, config())
        call = page.libc.ioctl if kind == "ioctl" else page.libc.read
        arguments = (fd, number, page.address) if kind == "ioctl" else (fd, page.address, PAGE)
        thread = threading.Thread(target=call, args=(ctypes.c_int(arguments[0]),) +
                                  tuple(ctypes.c_ulong(word) for word in arguments[1:]))
        thread.start()
        touched = page.is_touched()
        with subprocess.Popen(["sh", "-c", f"echo mark > {DEVICE}; cat {DEBUG_STATS}"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as other:
            try:
                ended = other.wait(60) is not None
            except subprocess.TimeoutExpired:
                ended = False
            page.give()
        thread.join()
        os.close(fd)
        result(touched and ended, f"a mark and the statistics don't wait for the memory of {name}", f"{touched} {ended}")


def listings(result):
    """Which listing read() takes, and when."""
    fd = os.open(DEVICE, os.O_RDWR)
    result(failure(fcntl.ioctl, fd, LIST, 2) == errno.EINVAL, "a listing that there isn't is refused")
    fcntl.ioctl(fd, LIST, STATES)
    result(failure(os.read, fd, 1 << 20) == errno.EINVAL, "states are listed only while events are recorded")
    fcntl.ioctl(fd, CONFIGURE, config())
    result(failure(os.read, fd, 1 << 20) == errno.EINVAL, "nor before the start")
    fcntl.ioctl(fd, LIST, NAMES)
    names = os.read(fd, 1 << 20)
    result(names and not os.read(fd, 1), "names are at any time")
    fcntl.ioctl(fd, START)
    fcntl.ioctl(fd, LIST, STATES)
    states = os.read(fd, 1 << 20)
    result(states and not len(states) % STATE_BYTES and not os.read(fd, 1), "states of a recording", len(states))
    os.close(fd)


def check(result, rounds, openings):
    listings(result)
    stalled(result)
    locks(result)
    not_awaited(result)
    not_inherited(result)
    refusals(result)
    filters(result)
    tables(result)
    interrupting(result)
    freeing(result, rounds, openings)
    memory(result)
    debug_stats_idle(result)
    use(result)
