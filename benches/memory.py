#!/usr/bin/env python3
"""Peak memory of commands and of the console, and how it grows with the logs.

  benches/memory.py PROGRAM [--records N,N] [--minutes M] [--only KIND,…]

  --records N,N   two sizes; 200000,600000 unless told otherwise
  --minutes M     how long the console is used before its memory counts; 0.5 unless told otherwise
  --only KIND,…   of: clean, dirty, duplicated, long

Over clean, dirty, duplicated and long-lined logs of both sizes, each command runs as a process of its
own, the first one without a cache. The console is opened without a cache, then looked through and
searched with keys. What counts is the growth: bytes of peak memory for each further byte of log. Ends
with 1 where it is beyond its bound. For Linux, which tells the memory of a process.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time

from child import fresh, run
from start import Console, config_of, environment

# Bytes of memory for each further byte of log.
COMMAND = 0.8
CONSOLE = 0.7
KINDS = ("clean", "dirty", "duplicated", "long")
COMMANDS = {
    "triage, cold": ["triage", "--json", "--limit", "100", "--days", "36500"],
    "triage, again": ["triage", "--json", "--limit", "100", "--days", "36500"],
    "records": ["records", "verdict:no-go", "--json", "--days", "36500"],
    "records, free words": ["records", "upstream", "--json", "--days", "36500"],
    "trend": ["trend", "--json", "--days", "36500"],
    "trend by path": ["trend", "--by", "path", "--json", "--days", "36500"],
    "calibration": ["calibration", "--json"],
    "readiness": ["readiness", "--json"],
}
# Exit codes that are answers: what 1 and 2 mean is the business of `readiness`.
ANSWERS = (0, 1, 2)
# Bytes that are added to the findings of every tenth long-lined record.
LONG = 20_000
# Down a page and up, to the end and back, three searches, and other screens.
KEYS = ["\x1b[6~"] * 5 + ["G", "g", "/upstream service\r", "\x1b", "/nothing such\r", "\x1b", "2", "3", "1"]


def generate(program, out, kind, records):
    dirt = "0.3" if kind == "dirty" else "0"
    # Long lines are fewer, so that there are as many bytes.
    count = records // 4 if kind == "long" else records
    command = [program, "generate", "--records", str(count), "--boxes", "1", "--families", "push"]
    command += ["--dirt", dirt, "--no-repository", "--end", "2026-01-31", "--out", out]
    run(command)
    written = files(os.path.join(out, "boxes"))
    logs = os.path.dirname(written[0])
    for path in written:
        if kind == "duplicated":
            # Half of the lines once more, in a log of its own.
            with open(path, "rb") as log, open(f"{path[:-6]}-again.jsonl", "wb") as again:
                again.writelines(line for at, line in enumerate(log) if at % 2)
        if kind == "long":
            with open(path, encoding="utf-8") as log:
                lines = [longer(line) if at % 10 == 0 else line for at, line in enumerate(log)]
            with open(path, "w", encoding="utf-8") as log:
                log.writelines(lines)
    return logs


def longer(line):
    record = json.loads(line)
    record["findings"] = (record.get("findings") or "") + " and so on" * (LONG // 10)
    return json.dumps(record, separators=(",", ":")) + "\n"


def files(root):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(root) for name in names)


def status(pid, field):
    """A line of the memory of a process, in bytes."""
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def console(program, home, logs, minutes):
    """Peak memory, and memory at the end, of a console that is used for a while."""
    shown = Console(program, fresh(home), logs)
    shown.settle(600.0)
    end = time.perf_counter() + minutes * 60
    while True:
        for key in KEYS:
            os.write(shown.fd, key.encode())
            pause = time.perf_counter() + 0.5
            while shown.read(max(pause - time.perf_counter(), 0)):
                shown.seen = b""
        if time.perf_counter() > end:
            break
    shown.settle(120.0)
    took = status(shown.pid, "VmHWM"), status(shown.pid, "VmRSS")
    shown.end()
    return took


def measure(program, scratch, kind, records, minutes):
    """Bytes of the logs, and of memory for each name."""
    logs = generate(program, os.path.join(scratch, "made"), kind, records)
    size = sum(os.path.getsize(path) for path in files(logs))
    home = fresh(os.path.join(scratch, "home"))
    config, found = config_of(home, logs), {}
    for name, arguments in COMMANDS.items():
        command = [program, "--config", config, *arguments]
        found[name] = run(command, environment(home), os.devnull, ANSWERS).memory
    peak, last = console(program, os.path.join(scratch, "console"), logs, minutes)
    found["console, peak"], found["console, at the end"] = peak, last
    shutil.rmtree(os.path.join(scratch, "made"))
    return size, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--records", default="200000,600000")
    parser.add_argument("--minutes", type=float, default=0.5)
    parser.add_argument("--only", default=",".join(KINDS))
    asked = parser.parse_args()
    program, beyond = os.path.abspath(asked.program), 0
    sizes = [int(n) for n in asked.records.split(",")]
    print("| logs | what | MB over MB of log | MB over MB of log | growth | allowed |\n|---|---|--:|--:|--:|--:|")
    for kind in asked.only.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            few, many = (measure(program, scratch, kind, n, asked.minutes) for n in sizes)
        for name, memory in many[1].items():
            growth = (memory - few[1][name]) / (many[0] - few[0])
            bound = CONSOLE if name.startswith("console") else COMMAND
            beyond += growth > bound
            both = (f"{took[name] / 1e6:.0f} over {size / 1e6:.0f}" for size, took in (few, many))
            print(f"| {kind} | {name} | {' | '.join(both)} | {growth:.2f} | {bound} |", flush=True)
    sys.exit(int(beyond > 0))


main()
