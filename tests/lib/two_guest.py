# SPDX-License-Identifier: GPL-2.0-only
"""
One of two virtual machines for vm-two.t: two_guest.py OUT one|two BACKEND CLOCK.

Machine "one" keeps the time, and answers; "two" sets its clock by that of "one", as a time server's client does, and
asks.  Both record the packets, each of which has a length of its own.
"""
import ctypes
import os
import socket
import struct
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import inside
import recorder
from inside import MODULE, result, sh

OUT, SELF, BACKEND, CLOCK = sys.argv[1:]
ADDRESS = {"one": "10.9.0.1", "two": "10.9.0.2"}
PORT = 7000
# Payload of question n: LEAST + 2 * n bytes; of its answer: one more.
LEAST, QUESTIONS = 100, 300
EVENTS = "net:net_dev_start_xmit,net:netif_receive_skb"

# linux/timex.h
ADJ_FREQUENCY, ADJ_MAXERROR, ADJ_STATUS, ADJ_SETOFFSET, ADJ_NANO, ADJ_TICK = 0x2, 0x4, 0x10, 0x100, 0x2000, 0x4000
TIMEX = "I4xqqqqi4xqqqqqq88x"
TICK_US = 10000


def adjtimex(modes, freq=0, maxerror=0, seconds=0, ns=0, tick=0):
    """The status has no STA_UNSYNC: the clock is kept."""
    t = ctypes.create_string_buffer(struct.pack(TIMEX, modes, 0, freq, maxerror, 0, 0, 0, 0, 0, seconds, ns, tick))
    if ctypes.CDLL(None, use_errno=True).adjtimex(t) < 0:
        raise OSError(ctypes.get_errno(), "adjtimex")


def network():
    done = sh(f"modprobe virtio_net; sleep 1; card=$(ls /sys/class/net | grep -v lo) && "
              f"ip link set $card address 52:54:00:00:00:0{ADDRESS[SELF][-1]} up && ip addr add {ADDRESS[SELF]}/24 dev $card")
    result(done.returncode == 0, "the network is up", done.stdout)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((ADDRESS[SELF], PORT))
    return s


def record():
    return recorder.start(["-a", "--no-marks", "--backend=" + BACKEND, "--clock=" + CLOCK, "-e", EVENTS, "-o", f"{OUT}/{SELF}.fxt"])


def ended(process):
    said = recorder.end(process)
    result("nothing lost" in said, "nothing is lost", said)


def answer(s):
    adjtimex(ADJ_STATUS | ADJ_MAXERROR, maxerror=1)
    process = None
    while True:
        data, peer = s.recvfrom(2000)
        received = time.clock_gettime_ns(time.CLOCK_REALTIME)
        if data.startswith(b"time"):
            s.sendto(struct.pack("<qq", received, time.clock_gettime_ns(time.CLOCK_REALTIME)), peer)
        elif data.startswith(b"record"):
            process = process or record()
            s.sendto(b"go", peer)
        elif data.startswith(b"end"):
            s.sendto(b"ended", peer)
            break
        else:
            s.sendto(data + b"a", peer)
    ended(process)


def ask(s, data, seconds=2.0, times=300):
    """The answer; a packet may be lost, and the other machine isn't there yet."""
    s.settimeout(seconds)
    for _ in range(times):
        try:
            s.sendto(data, (ADDRESS["one"], PORT))
            return s.recv(2000)
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"no answer to {data[:10]}")


def difference():
    """What "one"'s clock is ahead of ours, and half of what an exchange took, in ns, of the quickest exchange."""
    best = None
    for _ in range(100):
        sent = time.clock_gettime_ns(time.CLOCK_REALTIME)
        theirs = struct.unpack("<qq", ask(SOCKET, b"time", 10.0))
        came = time.clock_gettime_ns(time.CLOCK_REALTIME)
        half = (came - sent - (theirs[1] - theirs[0])) // 2
        if best is None or half < best[1]:
            best = (theirs[0] - sent + theirs[1] - came) // 2, half, sent
    return best


def synchronize():
    """First the frequency, then the time, with what the clock may be off by."""
    before = difference()
    time.sleep(8)
    after = difference()
    rate = (after[0] - before[0]) / (after[2] - before[2])
    us = TICK_US * (1 + rate)
    adjtimex(ADJ_TICK | ADJ_FREQUENCY, tick=round(us), freq=int((us - round(us)) / TICK_US * 1e6 * 65536))
    offset, half, _ = difference()
    adjtimex(ADJ_SETOFFSET | ADJ_NANO | ADJ_STATUS | ADJ_MAXERROR, seconds=offset // 10**9, ns=offset % 10**9,
             maxerror=half // 1000 + 1)
    print(f"clock: {rate * 1e6:.1f} ppm, {offset / 1e9:.6f} s, within {half / 1e9:.6f} s", flush=True)


def question(s):
    synchronize()
    process = record()
    ask(s, b"record", 60.0)
    answered = 0
    for n in range(QUESTIONS):
        data = b"q" * (LEAST + 2 * n)
        answered += ask(s, data, 10.0) == data + b"a"
        time.sleep(0.005)
    result(answered == QUESTIONS, "all is answered", answered)
    ask(s, b"end", 10.0)
    ended(process)


SOCKET = network()
sh("hostname " + SELF)
if BACKEND == "kmod":
    sh(f"insmod {MODULE}")
if SELF == "one":
    answer(SOCKET)
else:
    question(SOCKET)
inside.finish(OUT)
