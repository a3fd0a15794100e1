# SPDX-License-Identifier: GPL-2.0-only
"""An eBPF program, somebody else's, that keeps a tracepoint from perf: with deny.Program("sched", "sched_switch"): ..."""
import ctypes
import fcntl
import os
import struct

BPF, PERF_EVENT_OPEN = 321, 298         # of x86-64
BPF_PROG_LOAD, TRACEPOINT = 5, 5
SET_BPF, ENABLE = 0x40042408, 0x2400
RETURN_0 = struct.pack("<BBhiBBhi", 0xb7, 0, 0, 0, 0x95, 0, 0, 0)

libc = ctypes.CDLL(None, use_errno=True)


def call(*arguments):
    fd = libc.syscall(*map(ctypes.c_long, arguments))
    if fd < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return fd


class Program:
    def __init__(self, subsystem, name):
        with open(f"/sys/kernel/tracing/events/{subsystem}/{name}/id") as f:
            self.id = int(f.read())
        code, gpl = ctypes.create_string_buffer(RETURN_0), ctypes.create_string_buffer(b"GPL")
        load = ctypes.create_string_buffer(struct.pack("<IIQQ", TRACEPOINT, 2, ctypes.addressof(code),
                                                       ctypes.addressof(gpl)), 128)
        event = ctypes.create_string_buffer(struct.pack("<IIQ", 2, 64, self.id), 64)
        self.program = call(BPF, BPF_PROG_LOAD, ctypes.addressof(load), 128)
        self.event = call(PERF_EVENT_OPEN, ctypes.addressof(event), -1, 0, -1, 0)

    def __enter__(self):
        fcntl.ioctl(self.event, SET_BPF, self.program)
        fcntl.ioctl(self.event, ENABLE, 0)
        return self

    def __exit__(self, *_):
        os.close(self.event)
        os.close(self.program)
