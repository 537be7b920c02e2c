#!/usr/bin/env python3
"""A store of very many records on two servers of this machine, and what reading it costs.

  benches/fleet.py PROGRAM [--records N] [--real N] [--scratch DIR] [--keep]

Generates `--real` records and publishes them as operators do. Then each server multiplies its rows: a copy has
ids, units, contents, runs, logs and boxes of its own, and is some days earlier, so that `--records` are spread
over a year; texts and the bytes of records are those of the original. Then commands with `--fleet` are
measured, and the console: time, processor time and peak memory of client and servers, statements and bytes.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from clickhouse import Servers
from replicas import Operator
from start import FRAME, Terminal

DATABASE = "foureyes"
# Days of the generated logs, and days over which copies are spread.
DAYS, YEAR = 21, 364
COMMANDS = (
    ["triage", "--days", "7", "--limit", "50"],
    ["trend", "--days", "30"],
    ["trend", "--days", "36500"],
    ["trend", "--by", "box", "--days", "7"],
    ["records", "is:flagged", "--limit", "50"],
    ["calibration"],
    ["readiness"],
    ["calibration", "--family", "task"],
    ["fleet", "usage", "--by", "day", "--days", "30"],
)
# A server refuses what takes more than this, as it would anywhere.
MEMORY = 4 << 30
# Client memory that would end the other work of this machine.
CLIENT = 14 << 30


def copies(names, of):
    """What copy `of` of a row has in place of its columns."""
    shift = (of * DAYS) % YEAR
    micro = shift * 86_400_000_000
    new = f"SHA256(concat(id, '{of}'))"
    hashed = {n: f"if({n} = 0, 0, cityHash64({n}, {of}))" for n in ("unit", "content", "run")}
    key = f"MD5(concat(file, '{of}'))"
    changed = {
        "id": new,
        "head": f"reinterpretAsUInt64(reverse(substring({new}, 1, 8)))",
        "box": f"concat(box, '.c', '{of % 19}')",
        "file": key,
        "ts": f"ts - {micro}",
        "day": f"if(isNull(ts), day, toInt32(day - {shift}))",
        **hashed,
    }
    return ", ".join(changed.get(name, name) for name in names)


def columns(node, table):
    select = f"SELECT name FROM system.columns WHERE database = '{DATABASE}' AND table = '{table}'"
    return node.ask(select).split("\n")


def multiply(servers, times):
    """Copies all rows so often. What a copy's id says it belongs to is sent to that node."""
    one = servers.nodes[0]
    names = columns(one, "occurrences_local")
    for of in range(1, times):
        for table, own in (("occurrences", names), ("files", None), ("rejects", None)):
            own = own or columns(one, f"{table}_local")
            given = copies(own, of)
            # Rows of the real part: its boxes have no copy's number.
            source = f"SELECT {given} FROM {DATABASE}.{table}_local WHERE NOT match(box, '[.]c[0-9]+$')"
            into = f"INSERT INTO {DATABASE}.{table} ({', '.join(own)}) {source}"
            for node in servers.nodes:
                node.ask(into, "&insert_distributed_sync=1")
        if of % 5 == 0:
            count = one.ask(f"SELECT count() FROM {DATABASE}.occurrences")
            print(f"  copy {of} of {times}: {count} rows", flush=True)


def measure(servers, operator, args):
    """Runs a command of the operator; a row of what it took."""
    for node in servers.nodes:
        node.forget_peak()
    before = [node.cpu() for node in servers.nodes]
    start = time.perf_counter()
    process = operator.start_limited(CLIENT, *args)
    out, error = process.communicate()
    seconds = time.perf_counter() - start
    cpu = [node.cpu() - was for node, was in zip(servers.nodes, before)]
    peaks = [node.status("VmHWM") for node in servers.nodes]
    timed = re.search(r"TIMED ([\d.]+) ([\d.]+) (\d+)", error)
    user = float(timed[1]) + float(timed[2]) if timed else 0
    peak = int(timed[3]) / 1000 if timed else 0
    words = error.split("TIMED")[0].strip().splitlines()
    print(
        f"| `{' '.join(args)}` | {seconds:.1f} | {user:.1f} | {sum(cpu):.1f} | {peak:.0f} | "
        f"{max(peaks):.0f} | {len(out) / 1000:.0f} | {os.getloadavg()[0]:.1f} | {process.returncode} |"
        + (f" {words[0][:300]}" if process.returncode > 2 and words else ""),
        flush=True,
    )


class Console(Terminal):
    """The console on the store."""

    def __init__(self, operator):
        def prepare():
            os.chdir(operator.home)
            resource.setrlimit(resource.RLIMIT_AS, (CLIENT, CLIENT))

        environment = {
            "PATH": os.environ["PATH"],
            "HOME": operator.home,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        command = [operator.program, "--fleet", "--days", "7", "--config", "c.toml"]
        super().__init__(command, environment, prepare)

    def until(self, wanted, limit=900):
        start = time.perf_counter()
        while not wanted(self.seen):
            if time.perf_counter() - start > limit:
                return None
            self.read(0.2)
        return time.perf_counter() - self.start

    def settle(self, quiet=8.0, limit=900.0):
        """Seconds until the last byte before so many quiet ones."""
        end, last = time.perf_counter() + limit, time.perf_counter()
        while time.perf_counter() < end:
            if self.read(0.5):
                last = time.perf_counter()
            elif time.perf_counter() - last > quiet:
                break
        return last - self.start

    def key(self, keys):
        """Seconds from a key until the next whole frame."""
        while self.read(0.05):
            pass
        self.seen, start = b"", time.perf_counter()
        os.write(self.fd, keys)
        while FRAME not in self.seen and time.perf_counter() - start < 60:
            self.read(0.01)
        return time.perf_counter() - start

    def peak(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmHWM"))

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        time.sleep(1)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def console(servers, operator):
    before = sum(node.cpu() for node in servers.nodes)
    screen = Console(operator)
    first = screen.until(lambda seen: FRAME in seen)
    filled = screen.settle(45.0)
    later = [screen.key(b"j") for _ in range(5)]
    pages = []
    for page in (b"2", b"1"):
        start = time.perf_counter()
        screen.key(page)
        pages.append(screen.settle(5.0) - (start - screen.start))
    cpu = sum(node.cpu() for node in servers.nodes) - before
    shown = lambda some: ", ".join(f"{1000 * one:.0f}" for one in some)
    print(
        f"console: first frame {first:.1f} s, last change after {filled:.1f} s, keys then {shown(later)} ms, "
        "other screens settled after "
        f"{', '.join(f'{one:.1f}' for one in pages)} s, peak {screen.peak():.0f} MB, servers' CPU {cpu:.1f} s, "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    screen.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--records", type=int, default=50_000_000)
    parser.add_argument("--real", type=int, default=1_000_000)
    parser.add_argument("--made", help="logs that were generated before")
    parser.add_argument("--scratch")
    parser.add_argument("--keep", action="store_true", help="leave servers and data")
    asked = parser.parse_args()
    program = os.path.abspath(asked.program)
    scratch = asked.scratch or tempfile.mkdtemp()
    profile = f"<max_memory_usage>{MEMORY}</max_memory_usage>"
    servers = Servers(os.path.join(scratch, "servers"), shards=2, profile=profile)
    try:
        fill(program, scratch, servers, asked)
        operator = Operator(program, os.path.join(scratch, "reads"), "/nowhere", servers, replicas=None)
        heads = ("command", "s", "CPU s", "servers' CPU s", "peak MB", "a server's peak MB", "kB printed", "load", "exit")
        print("| " + " | ".join(heads) + " |\n|---" + "|--:" * 8 + "|", flush=True)
        for args in COMMANDS:
            own = () if args[0] == "fleet" and args[1] != "usage" else ("--fleet",)
            measure(servers, operator, [*args, *own, "--json"])
        console(servers, operator)
    finally:
        if not asked.keep:
            servers.end()
            shutil.rmtree(scratch)


def fill(program, scratch, servers, asked):
    boxes = asked.made or os.path.join(scratch, "made/boxes")
    if not asked.made:
        command = [program, "generate", "--out", os.path.join(scratch, "made"), "--records", str(asked.real)]
        command += ["--days", str(DAYS), "--boxes", "50", "--dirt", "0.02", "--seed", "7", "--no-repository"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    operator = Operator(program, os.path.join(scratch, "publishes"), boxes, servers, replicas=None)
    operator.good("fleet", "init")
    operator.good("triage", "--no-pull", "--json", "--limit", "1")
    measure(servers, operator, ["fleet", "publish"])
    start = time.perf_counter()
    multiply(servers, max(1, asked.records // asked.real))
    one = servers.nodes[0]
    for table in ("occurrences", "files", "rejects"):
        print(table, one.ask(f"SELECT count() FROM {DATABASE}.{table}"), "rows", flush=True)
    size = sum(
        int(node.ask("SELECT sum(bytes) FROM system.parts WHERE active AND table = 'occurrences_local'"))
        for node in servers.nodes
    )
    print(f"multiplied in {time.perf_counter() - start:.0f} s; {size / 1e9:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
