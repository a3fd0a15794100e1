# SPDX-License-Identifier: GPL-2.0-only
"""What filters choose from: processes that wait for a line, then do what their name says."""
import ctypes
import errno
import os
import select
import subprocess
import sys
import threading
import time

CLONE3 = 435
SIGCHLD = 17
CPUS = os.sched_getaffinity(0)


def naps(count, seconds=0.001):
    for _ in range(count):
        time.sleep(seconds)


def rename(name):
    with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as f:
        f.write(name)


def child(run):
    """A child that runs it, and is waited for."""
    pid = os.fork()
    if not pid:
        run()
        os._exit(0)
    os.waitpid(pid, 0)


def stay(number):
    """On the first CPU, by turns: a busy machine could run all of it on another one."""
    os.sched_setaffinity(0, CPUS if number % 2 else {min(CPUS)})


def tree():
    """Threads and processes that make threads and processes, and become other programs."""
    def grandchild():
        naps(2)
        os.execv("/bin/true", ["true"])

    def middle():
        thread = threading.Thread(target=naps, args=(3,))
        thread.start()
        child(grandchild)
        thread.join()

    for i in range(15):
        stay(i)
        thread = threading.Thread(target=naps, args=(3,))
        thread.start()
        child(middle)
        thread.join()
    # One that is no first thread becomes another program, and gets its process's id.
    subprocess.run([sys.executable, "-c", "import os, threading\n"
                    "threading.Thread(target=os.execv, args=('/bin/sleep', ['sleep', '0.05']))"
                    ".start()\nthreading.Event().wait()"], check=True)


def names():
    """Is called in-N and out by turns, and makes children as both."""
    def other():
        rename("another")
        naps(8)

    for i in range(20):
        stay(i)
        rename(f"in-{i}")
        naps(8)
        child(other)
        rename("out")
        naps(8)
        child(lambda: naps(3))


def moves():
    """Threads and short-lived children, to be moved about until the input ends: what exits is moved no more."""
    over = threading.Event()

    def nap():
        while not over.is_set():
            naps(1)

    threads = [threading.Thread(target=nap) for _ in range(2)]
    for thread in threads:
        thread.start()
    while not select.select([sys.stdin], [], [], 0)[0]:
        child(lambda: naps(3))
        naps(20)
    over.set()


def reuse():
    """Makes a child with the id of a thread that is dead by then; waits where the kernel has given the id to another one."""
    tid = ctypes.c_int32(int(sys.argv[2]))
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, SIGCHLD, 0, 0, 0, ctypes.addressof(tid), 1, 0)
    libc, until = ctypes.CDLL(None, use_errno=True), time.monotonic() + 120
    while (pid := libc.syscall(CLONE3, arguments, 88)) < 0 and ctypes.get_errno() == errno.EEXIST and time.monotonic() < until:
        time.sleep(0.01)
    if pid < 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    if not pid:
        naps(50)
        os._exit(0)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    sys.stdin.readline()
    globals()[sys.argv[1]]()
