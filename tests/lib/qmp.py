# SPDX-License-Identifier: GPL-2.0-only
"""Plugs CPUs into a virtual machine, by QEMU's control socket, when the guest asks for one by a file in /out."""
import contextlib
import json
import os
import socket
import threading
import time


class Control:
    """QEMU's control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")
        self.lines.readline()
        self.run("qmp_capabilities")

    def run(self, command, **arguments):
        """The answer; events in between are passed over."""
        self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                raise RuntimeError(answer["error"]["desc"])
            if "return" in answer:
                return answer["return"]

    def plug(self):
        """One of the possible CPUs that are absent: the first."""
        free = [cpu for cpu in self.run("query-hotpluggable-cpus") if "qom-path" not in cpu]
        cpu = min(free, key=lambda cpu: sorted(cpu["props"].items()))
        self.run("device_add", driver=cpu["type"], **cpu["props"])


@contextlib.contextmanager
def plugging(path, folder, times):
    """While the guest runs: plugs a CPU when it makes plug-1 there, and so on."""
    over = threading.Event()

    def wait():
        for number in range(1, times + 1):
            while not os.path.exists(os.path.join(folder, f"plug-{number}")):
                if over.is_set():
                    return
                time.sleep(0.1)
            Control(path).plug()

    thread = threading.Thread(target=wait)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
