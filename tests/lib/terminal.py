# SPDX-License-Identifier: GPL-2.0-only
"""A program on a terminal of a size: what it writes, and keys."""
import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class Terminal:
    def __init__(self, arguments, lines=24, columns=80, **options):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm", **options)
            os.execv(arguments[0], arguments)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)
        self.text = self.before = b""

    def wait(self, text, seconds=300):
        """Until it has written it, since the last time; whether it has."""
        deadline = time.monotonic() + seconds
        while text.encode() not in self.text and time.monotonic() < deadline:
            if not select.select([self.fd], [], [], 0.1)[0]:
                continue
            try:
                self.text += os.read(self.fd, 65536)
            except OSError:
                break
        found = text.encode() in self.text
        if found:
            self.before = self.text[:self.text.index(text.encode())]
            self.text = self.text[self.text.index(text.encode()) + len(text):]
        return found

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def rest(self):
        """Reads the text that a program which has ended left in the terminal."""
        with contextlib.suppress(OSError):
            while select.select([self.fd], [], [], 0)[0]:
                self.text += os.read(self.fd, 65536)

    def end(self, seconds=300):
        """Its exit status; None where it doesn't end."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.wait("\0", 0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.rest()
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None
