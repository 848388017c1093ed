"""What the system says of processes."""

import time
from pathlib import Path


def resident(pid):
    """The MiB in memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0)


def has_ended(pid):
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True


def eventually(what, true, timeout=10):
    deadline = time.monotonic() + timeout
    while not true():
        if time.monotonic() >= deadline:
            raise AssertionError(f"not in {timeout} s: {what}")
        time.sleep(0.02)
