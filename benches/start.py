#!/usr/bin/env python3
"""When the console is on the screen, and what it does while nothing happens.

  benches/start.py PROGRAM DIR [--rounds N] [--idle SECONDS]

Starts the console in a terminal, in turn over DIR, whose cache is made before, and over an empty
directory. Measures from the exec to the end of the first frame. Then opens DIR without a cache: when the
first numbers are there, when all are, and how long a key takes meanwhile; then, how long a letter of a search and
another order of the queue take. The bounds are meant for a million records. Last it counts, over the idle
console, bytes sent and times that any of its threads woke up. Ends with 1 where a bound is missed.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

from child import fresh

# A frame is marked as whole by the end of a synchronised update.
FRAME = b"\x1b[?2026l"
MOST_MS = 40
# Without a cache: first numbers, all of them, and a key meanwhile.
NUMBERS_S, ALL_S, KEY_MS = 1.5, 3.0, 16
# Until the list is there that a letter or another order makes.
LIST_MS = 50
# One word stands in findings; the other may be the beginning of a commit.
WORDS = ("upstream", "deadbeef")
# What stands beside the first numbers, and what help alone has.
NUMBERS, HELP = b"verdicts flagged", b"Keys"


def environment(home):
    return {
        "HOME": home,
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "FOUREYES_DATA": os.path.join(home, "data"),
    }


def config_of(home, logs):
    """A configuration whose one box is a directory of this machine."""
    path = os.path.join(home, "foureyes.toml")
    with open(path, "w", encoding="utf-8") as config:
        config.write(f'[[box]]\nname = "here"\nlocal = true\nlogs = ["{logs}"]\n')
    return path


class Terminal:
    """A program in a terminal of 200 by 60. `prepare` runs before it, in its process."""

    def __init__(self, command, environment, prepare=lambda: None):
        self.start, self.seen = time.perf_counter(), b""
        self.last = self.start
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
            prepare()
            os.execve(command[0], command, environment)

    def read(self, limit):
        """Takes what comes within so many seconds."""
        if not select.select([self.fd], [], [], limit)[0]:
            return b""
        try:
            new = os.read(self.fd, 1 << 16)
        except OSError:
            new = b""
        self.seen += new
        if new:
            self.last = time.perf_counter()
        return new


class Console(Terminal):
    """The console over logs of this machine."""

    def __init__(self, program, home, logs, threads=None):
        command = [program, "--config", config_of(home, logs), "--days", "36500"]
        bound = {"RAYON_NUM_THREADS": str(threads)} if threads else {}
        super().__init__(command, {**environment(home), **bound})

    def until(self, wanted, limit=60.0):
        """Milliseconds from the exec until something was seen."""
        end = self.start + limit
        while not wanted(self.seen):
            if time.perf_counter() > end:
                sys.exit(f"not seen within {limit} s: {self.seen[-400:]!r}")
            self.read(0.2)
        return (time.perf_counter() - self.start) * 1e3

    def settle(self, limit=60.0):
        """Waits until two seconds pass without a byte."""
        end = time.perf_counter() + limit
        while self.read(2.0):
            if time.perf_counter() > end:
                sys.exit(f"never silent: {self.seen[-400:]!r}")

    def key(self, keys, wanted, limit=5.0):
        """Milliseconds from a key until something is in a whole frame; what was seen before is forgotten."""
        while self.read(0):
            pass
        self.seen, start = b"", time.perf_counter()
        os.write(self.fd, keys)
        while FRAME not in self.seen.partition(wanted)[2] and time.perf_counter() - start < limit:
            self.read(0.01)
        return (time.perf_counter() - start) * 1e3

    def answer(self, keys, limit=2.0):
        """Milliseconds from a key until the second whole frame: the first shows the key, the second the answer."""
        self.settle_for(0.3)
        self.seen, start = b"", time.perf_counter()
        os.write(self.fd, keys)
        while self.seen.count(FRAME) < 2 and time.perf_counter() - start < limit:
            self.read(0.01)
        return (time.perf_counter() - start) * 1e3

    def settle_for(self, seconds):
        while self.read(seconds):
            pass

    def wakeups(self):
        """Times that each thread of it stopped waiting."""
        times = {}
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/status", encoding="ascii") as status:
                for line in status:
                    if line.startswith("voluntary_ctxt_switches"):
                        times[task] = int(line.split()[1])
        return times

    def end(self):
        """Ends it; gives the resources it used."""
        os.kill(self.pid, signal.SIGTERM)
        self.settle(10.0)
        os.close(self.fd)
        return os.wait4(self.pid, 0)[2]


def past_minute(seconds):
    """Waits until the clock's minute does not fall into so many seconds."""
    past = time.time() % 60
    if past + seconds > 58:
        time.sleep(62 - past)


def first(program, home, logs):
    console = Console(program, home, logs)
    frame = console.until(lambda seen: FRAME in seen)
    console.settle()
    console.end()
    return frame


def without_cache(program, home, logs, threads=None):
    """The console, and an empty home for it."""
    fresh(home)
    past_minute(10)
    console = Console(program, home, logs, threads)
    console.until(lambda seen: FRAME in seen)
    return console


def filled(program, home, logs, threads=None):
    """Seconds to the first numbers and to all of them, and the resources that it used."""
    console = without_cache(program, home, logs, threads)
    first = console.until(lambda seen: NUMBERS in seen) / 1e3
    console.settle()
    everything = console.last - console.start
    return first, everything, console.end()


def keys_meanwhile(program, home, logs):
    """Milliseconds until help is there, again and again while logs are read and counted."""
    console, keys = without_cache(program, home, logs), []
    while time.perf_counter() < console.start + ALL_S:
        keys.append(console.key(b"?", HELP))
        os.write(console.fd, b"\x1b")
        time.sleep(0.1)
    console.end()
    return keys


def lists(program, home, logs):
    """Milliseconds of each letter of two searches, and of each order of the queue."""
    console = Console(program, home, logs)
    console.settle()
    took = {}
    console.answer(b"3")
    console.answer(b"/")
    for word in WORDS:
        for at, letter in enumerate(word):
            took[word, at] = console.answer(letter.encode())
        for _ in word:
            console.answer(b"\x7f")
    console.answer(b"\x1b")
    console.answer(b"2")
    for order in ("severity", "file", "newest"):
        took["order", order] = console.answer(b"S")
    console.end()
    return took


def idle(program, home, logs, seconds):
    console = Console(program, home, logs)
    console.until(lambda seen: FRAME in seen)
    console.settle()
    # Threads that have nothing to do any more end after ten seconds.
    time.sleep(12)
    console.settle()
    past_minute(seconds)
    console.settle()
    before, bytes_before = console.wakeups(), len(console.seen)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        console.read(end - time.perf_counter())
    after = console.wakeups()
    woken = sum(times - before.get(task, 0) for task, times in after.items())
    woken += sum(task not in after for task in before)
    sent = len(console.seen) - bytes_before
    console.end()
    return woken, sent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("logs")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--idle", type=float, default=20.0)
    asked = parser.parse_args()
    program, logs = os.path.abspath(asked.program), os.path.abspath(asked.logs)
    with tempfile.TemporaryDirectory() as scratch:
        homes = [os.path.join(scratch, name) for name in ("full", "empty")]
        empty = os.path.join(scratch, "none")
        for path in [*homes, empty]:
            os.mkdir(path)
        places = [(homes[0], logs), (homes[1], empty)]
        # The cache is made.
        config = config_of(*places[0])
        triage = [program, "triage", "--config", config, "--json", "--limit", "1"]
        subprocess.run(triage, env=environment(homes[0]), check=True, stdout=subprocess.DEVNULL)
        times = [[], []]
        for _ in range(asked.rounds):
            for some, place in zip(times, places):
                some.append(first(program, *place))
        load = os.getloadavg()[0]
        print(f"load {load:.1f}, {asked.rounds} rounds")
        print("| console over | first frame, median ms | from - to |\n|---|--:|--:|")
        for name, some in zip(("the logs", "an empty directory"), times):
            print(f"| {name} | {statistics.median(some):.1f} | {min(some):.1f} - {max(some):.1f} |")
        beyond = statistics.median(times[0]) - statistics.median(times[1])
        print(f"beyond the empty one: {beyond:.1f} ms, allowed {MOST_MS}")
        cold = [filled(program, *places[0]) for _ in range(3)]
        numbers, everything = (statistics.median(times) for times in list(zip(*cold))[:2])
        keys = [key for _ in range(3) for key in keys_meanwhile(program, *places[0])]
        print(f"without a cache: first numbers after {numbers:.2f} s, allowed {NUMBERS_S}")
        print(f"all numbers after {everything:.2f} s, allowed {ALL_S}")
        print(f"{len(keys)} keys meanwhile: median {statistics.median(keys):.1f} ms, slowest {max(keys):.1f}, allowed {KEY_MS}")
        missed = numbers > NUMBERS_S or everything > ALL_S or max(keys) > KEY_MS
        rounds = [lists(program, *places[0]) for _ in range(3)]
        took = {what: statistics.median(one[what] for one in rounds) for what in rounds[0]}
        for word in (*WORDS, "order"):
            some = ", ".join(f"{at} {ms:.0f}" for (of, at), ms in took.items() if of == word)
            print(f"{word}: {some} ms, allowed {LIST_MS}")
        missed = missed or max(took.values()) > LIST_MS
        woken, sent = idle(program, *places[0], asked.idle)
        print(f"idle for {asked.idle:.0f} s: {sent} bytes sent, threads woke {woken} times; allowed none")
        sys.exit(int(beyond > MOST_MS or missed or sent > 0 or woken > 0))


if __name__ == "__main__":
    main()
