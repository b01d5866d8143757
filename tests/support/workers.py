"""The process that evaluates files behind a server, for tests of what happens when it ends."""
import os
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
