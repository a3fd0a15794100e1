# SPDX-License-Identifier: GPL-2.0-only
"""Where a tracer's instructions go: QEMU logs each one that runs, with the tracer and without it."""
import bisect
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from place import BENCH, RESULTS, TOP
from vm import ARM64, KERNEL

TIMES = 50              # round trips
QEMU = "qemu-system-aarch64" if ARM64 else "qemu-system-x86_64"
OBJDUMP = ["aarch64-linux-gnu-objdump", "-m", "aarch64"] if ARM64 else ["objdump", "-m", "i386:x86-64"]
# What runs once an event: the module's probes, or eBPF programs.
PROBE = re.compile(r"(?:probe|bpf_prog_[0-9a-f]+_fxt)_(switch|waking)_\w+(?: .*)?$")
WRAPPER = """#!/bin/sh
exec {qemu} "$@" -monitor unix:{socket},server=on,wait=off
"""


class Monitor:
    """QEMU's, as a person would type."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.answer()

    def answer(self):
        said = b""
        while not said.endswith(b"(qemu) "):
            said += self.socket.recv(4096)

    def say(self, *commands):
        for command in commands:
            self.socket.sendall(command.encode() + b"\n")
            self.answer()


def wait_for(path, vm):
    while not os.path.exists(path):
        if vm.poll() is not None:
            raise RuntimeError(f"the guest ended with {vm.returncode}")
        time.sleep(0.2)


def trace(out, tracers):
    """Leaves OUT/<tracer>.log, .json and .code of each."""
    qemu = subprocess.run(["sh", "-c", "command -v " + QEMU], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    wrapper, control = os.path.join(out, QEMU), os.path.join(out, "monitor")
    with open(wrapper, "w") as f:
        f.write(WRAPPER.format(qemu=qemu, socket=control))
    os.chmod(wrapper, 0o755)
    vm = subprocess.Popen(
        [os.path.join(TOP, "scripts", "vm-run"), "-k", KERNEL, "-i", "-t", "1800", "-o", out, "--",
         *(["env", "BUILD=" + os.path.join(TOP, "build", "arm64"), "python3"] if ARM64 else [sys.executable]), os.path.join(BENCH, "guest", "path.py"), "/out", str(TIMES)] + tracers,
        env=dict(os.environ, PATH=out + ":" + os.environ["PATH"]))
    wait_for(control, vm)
    monitor = Monitor(control)
    for name in tracers:
        wait_for(f"{out}/{name}.ready", vm)
        monitor.say(f"logfile {out}/{name}.log", "singlestep on", "log exec,nochain")
        open(f"{out}/{name}.go", "w").close()
        wait_for(f"{out}/{name}.done", vm)
        monitor.say("log none", "singlestep off")
    vm.wait()


def executed(path, code):
    """How often each address ran, from the first byte that is passed to the last."""
    with open(path) as f:
        ran = [line.split("/", 2)[1] for line in f if line.startswith("Trace")]
    edge = f"{code.address('pipe_write'):016x}"
    begin, end = ran.index(edge), len(ran) - ran[::-1].index(edge)
    return Counter({int(address, 16): count for address, count in Counter(ran[begin:end]).items()})


class Code:
    """The guest's symbols, and its code as it ran."""

    def __init__(self, prefix):
        with open(prefix + ".json") as f:
            data = json.load(f)
        self.symbols, self.index, self.path = data["symbols"], data["code"], prefix + ".code"
        self.starts = [address for address, _ in self.symbols]

    def address(self, name):
        return next(address for address, symbol in self.symbols if symbol == name)

    def name(self, address):
        """(symbol, its address)."""
        i = bisect.bisect_right(self.starts, address) - 1
        return (self.symbols[i][1], self.starts[i]) if i >= 0 else ("user", 0)

    def disassemble(self, begin, end):
        """{address: instruction}."""
        for low, high, offset in self.index:
            if low <= begin < high:
                break
        else:
            return {}
        with open(self.path, "rb") as f, tempfile.NamedTemporaryFile() as part:
            f.seek(offset + begin - low)
            part.write(f.read(end - begin))
            part.flush()
            text = subprocess.run(
                [*OBJDUMP, "-D", "-b", "binary", "--no-show-raw-insn",
                 f"--adjust-vma={begin:#x}", part.name], stdout=subprocess.PIPE, text=True).stdout
        found = {}
        for line in text.splitlines():
            address, colon, instruction = line.strip().partition(":\t")
            if colon:
                found[int(address, 16)] = " ".join(instruction.split())
        return found


def added(counts, before, code, before_code):
    """Instructions an event by symbol, and by address within it, that the tracer added."""
    by_symbol = {}
    def add(counts, code, sign):
        for address, count in counts.items():
            name, start = code.name(address)
            by_symbol.setdefault(name, Counter())[address - start] += sign * count
    add(counts, code, 1)
    add(before, before_code, -1)
    return by_symbol


def entries(diff):
    """{the kind of event: (how many there were, the function that ran at each)}."""
    found = {}
    for symbol, of in diff.items():
        kind = PROBE.match(symbol)
        if kind and of:
            found[kind[1]] = (of[0], symbol)
    return found


def report(out, name, least=0.2):
    """Prints what the tracer adds to each function, and that code with how often it ran."""
    code, before_code = Code(f"{out}/{name}"), Code(f"{out}/none")
    diff = added(executed(f"{out}/{name}.log", code), executed(f"{out}/none.log", before_code),
                 code, before_code)
    kinds = entries(diff)
    events = sum(count for count, _ in kinds.values())
    own = {symbol: count for count, symbol in kinds.values()}
    sums = sorted(((sum(of.values()) / events, symbol) for symbol, of in diff.items()),
                  reverse=True)
    print(f"# {name}: {sum(s for s, _ in sums):.1f} instructions an event, of " +
          " and ".join(f"{count} {kind}" for kind, (count, _) in kinds.items()))
    for total, symbol in sums:
        if abs(total) >= least:
            alone = f", {sum(diff[symbol].values()) / own[symbol]:.1f} each" if symbol in own else ""
            print(f"{total:8.2f}  {symbol}{alone}")
    for total, symbol in sums:
        if total >= 1:
            listing(code, symbol, diff[symbol], own.get(symbol, events))


def listing(code, symbol, ran, runs):
    """The function's code, with how often each instruction ran a call or an event."""
    print(f"\n## {symbol}: {sum(ran.values()) / runs:.2f}")
    ran = {offset: count / runs for offset, count in ran.items() if abs(count) >= runs * 0.05}
    start = code.address(symbol)
    for address, instruction in sorted(code.disassemble(start, start + max(ran, default=0) + 16)
                                       .items()):
        if address - start in ran:
            print(f"{ran[address - start]:7.2f}  {address - start:5x}  {instruction}")


def main():
    tracers = sys.argv[1:] or ["kmod", "mono", "bpf"]
    out = os.path.join(RESULTS, "path")
    os.makedirs(out, exist_ok=True)
    for old in os.listdir(out):
        os.remove(os.path.join(out, old))
    trace(out, ["none"] + tracers)
    for name in tracers:
        report(out, name)


if __name__ == "__main__":
    main()
