"""Runs one command and says what it took."""

import atexit
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from statistics import median

# Of ru_maxrss: bytes on the Mac, KiB elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024


class Failed(Exception):
    """A command did not end well."""


class Took:
    """What a run took: seconds by the clock, seconds of processor, peak memory in bytes."""

    def __init__(self, wall, cpu, memory, output=b""):
        self.wall, self.cpu, self.memory, self.output = wall, cpu, memory, output


def run(command, environment=None, to=None, fine=(0,)):
    """Runs a command to its end with one of some exit codes; its output goes to a file, or is kept."""
    # What earlier runs left to be written must not be charged to this one.
    os.sync()
    out = open(to, "wb") if to else subprocess.PIPE
    began = time.perf_counter()
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=out, env=environment or os.environ.copy()
    )
    output = b"" if to else child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if to:
        out.close()
    else:
        child.stdout.close()
    if child.returncode not in fine:
        raise Failed(f"{' '.join(command)[:300]}: exit code {child.returncode}")
    return Took(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * UNIT, output)


def fresh(path):
    """An empty directory. What was there is emptied and set aside until the end.

    File systems such as ext4 pass over each inode that was given up a moment ago for each file that they make. So what
    one run left would slow the next one down, and a run of ten times as many files a hundred times as much.
    """
    if os.path.lexists(path):
        aside = tempfile.mkdtemp(prefix=".aside-", dir=os.path.dirname(os.path.abspath(path)))
        atexit.register(shutil.rmtree, aside, ignore_errors=True)
        os.rename(path, os.path.join(aside, "old"))
        for directory, _, names in os.walk(aside):
            for name in names:
                empty(os.path.join(directory, name))
    os.makedirs(path)
    return path


def empty(path):
    """Gives up what a file takes, where it stands nowhere else and can be written."""
    found = os.lstat(path)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and os.access(path, os.W_OK):
        os.truncate(path, 0)


class Series:
    """Runs of the same thing."""

    def __init__(self, name):
        self.name, self.runs = name, []

    def add(self, took):
        self.runs.append(took)
        print(f"  {self.name}: {took.wall:.3f} s", file=sys.stderr, flush=True)
        return took

    @property
    def wall(self):
        return median(r.wall for r in self.runs)

    @property
    def cpu(self):
        return median(r.cpu for r in self.runs)

    @property
    def memory(self):
        """The largest of all runs: a peak is no matter of luck."""
        return max(r.memory for r in self.runs)

    @property
    def spread(self):
        walls = [r.wall for r in self.runs]
        return min(walls), max(walls)
