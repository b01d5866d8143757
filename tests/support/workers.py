"""The process that evaluates files behind a server, for tests of what happens when it ends."""
import array
import fcntl
import os
import signal
import termios
import time
from pathlib import Path


def worker_of(server):
    """The number of the process that `server`, also a number, has started; None while there is none."""
    tasks = Path(f"/proc/{server}/task")
    found = [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]
    return found[0] if found else None


def end_worker_of(server, how):
    """Sends the worker a signal that ends it, and waits until another one is there."""
    before = worker_of(server)
    os.kill(before, how)
    while worker_of(server) in (None, before):
        time.sleep(0.01)


def stop_process(process):
    """Stops a process, and waits until each of its threads stands still: a signal takes a moment to reach them."""
    os.kill(process, signal.SIGSTOP)
    tasks = Path(f"/proc/{process}/task")
    while any((task / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "TtZX" for task in tasks.iterdir()):
        time.sleep(0.001)


def wait_for_input(process, beyond=0):
    """Waits until more than so many bytes wait for a stopped process, which its server has passed on. Returns how many."""
    waiting = array.array("i", [0])
    end = os.open(f"/proc/{process}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
    try:
        while waiting[0] <= beyond:
            time.sleep(0.001)
            fcntl.ioctl(end, termios.FIONREAD, waiting)
    finally:
        os.close(end)
    return waiting[0]
