"""What the system says of processes."""

import os
import signal
import time
from pathlib import Path


def resident(pid):
    """The MiB in memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0)


def state(task):
    """The letter that the kernel shows for a process or a thread, by its folder in /proc."""
    return (task / "stat").read_text().rpartition(")")[2].split()[0]


def has_ended(pid):
    try:
        return state(Path(f"/proc/{pid}")) == "Z"
    except OSError:
        return True


def eventually(what, true, timeout=10):
    deadline = time.monotonic() + timeout
    while not true():
        if time.monotonic() >= deadline:
            raise AssertionError(f"not in {timeout} s: {what}")
        time.sleep(0.02)


def stop(pid):
    """Stops a process. On a busy machine a thread can still take work after the signal: it waits for all of them."""
    os.kill(pid, signal.SIGSTOP)
    tasks = Path(f"/proc/{pid}/task")
    eventually("all threads stopped", lambda: all(state(task) == "T" for task in tasks.iterdir()))
