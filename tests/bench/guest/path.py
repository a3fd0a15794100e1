# SPDX-License-Identifier: GPL-2.0-only
"""In a guest whose instructions the host logs: one tracer after the other.  path.py OUT TIMES TRACER..."""
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))
from pairs import PINGPONG
from tracers import Fxtrec, Peer, Tracer

TRACERS = {
    "none": Tracer,
    "kmod": lambda: Fxtrec("kmod", "/tmp/kmod.fxt", asleep=True),
    "mono": lambda: Fxtrec("kmod", "/tmp/mono.fxt", "mono", asleep=True),
    "bpf": lambda: Fxtrec("bpf", "/tmp/bpf.fxt", asleep=True),
    "empty": lambda: Peer("empty"),
    "array": lambda: Peer("array"),
}


def symbols():
    """[address, name], sorted: functions of the kernel, its modules and eBPF."""
    found = []
    with open("/proc/kallsyms") as f:
        for line in f:
            address, kind, name = line.split()[:3]
            if kind in "tTwW" and not name.startswith("$") or name == "_etext":
                found.append((int(address, 16), name))
    return sorted(found)


def segments(kcore):
    """Of /proc/kcore: (address, bytes, offset)."""
    header = kcore.read(64)
    start, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
    kcore.seek(start)
    for _ in range(count):
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", kcore.read(56))
        if kind == 1:
            yield address, size, offset


def dump(prefix, interesting):
    """The code as it runs, static keys patched: all of the kernel's text, and what is named."""
    names = symbols()
    known = dict((name, address) for address, name in names)
    wanted = [(known["_stext"], known["_etext"])]
    for i, (address, name) in enumerate(names[:-1]):
        if any(part in name for part in interesting) and not wanted[0][0] <= address < wanted[0][1]:
            end = names[i + 1][0]
            wanted.append((address, end if end - address < 8192 else address + 4096))
    index = []
    with open("/proc/kcore", "rb") as kcore, open(prefix + ".code", "wb") as code:
        parts = list(segments(kcore))
        for begin, end in wanted:
            for address, size, offset in parts:
                if address <= begin < address + size:
                    kcore.seek(offset + begin - address)
                    index.append((begin, end, code.tell()))
                    code.write(kcore.read(end - begin))
                    break
    with open(prefix + ".json", "w") as f:
        json.dump({"symbols": names, "code": index}, f)


def main():
    out, times = sys.argv[1:3]
    for name in sys.argv[3:]:
        tracer = TRACERS[name]()
        tracer.start()
        pingpong = subprocess.Popen([PINGPONG, times, "1", f"{out}/{name}.go"],
                                    stdout=subprocess.DEVNULL)
        dump(f"{out}/{name}", ("probe_", "fxt_", "bpf_prog_", "bpf_trampoline_"))
        open(f"{out}/{name}.ready", "w").close()
        pingpong.wait()
        open(f"{out}/{name}.done", "w").close()
        tracer.stop()


if __name__ == "__main__":
    main()
