"""Reading logs: foureyes and its peers on the same files."""

import copy
import json
import os
import shutil

import start
from child import UNIT, Failed, Took, fresh, run

COLD = "triage, cold"
DIRTY = "triage, cold, 5 % dirt"
AGAIN = "triage, again"
NEWEST = "triage, a line more in the newest file"
OLDEST = "triage, a line more in the oldest file"
DUCK = "DuckDB, create table in memory"
DUCK_FILE = "DuckDB, create table in a file"
JQ = "cat, jq -r .verdict, sort, uniq -c"
SIMD = "simd-json, typed parse, 1 thread"
SIMD_ALL = "simd-json, typed parse, as many threads"
# Their processor time and memory are those of the console until it is closed.
NUMBERS = "console without a cache, first numbers"
EVERYTHING = "console without a cache, all numbers"
STORE = "triage, unchanged store"
EMPTY = "triage, empty store"
VERSION = "--version"
LARGE = "triage, cold, 10 × the records"
# Beside the name of a series, which logs it was over where not the usual ones.
ONE = ", one file"


def of(records):
    """What follows the name of a series over so many records."""
    return f", {records:,} records"


class Logs:
    """A generated set of logs."""

    def __init__(self, bench, name, records, dirt):
        out = os.path.join(bench.scratch, name)
        command = [bench.binary, "generate", "--records", str(records), "--days", "21"]
        command += ["--boxes", "1", "--families", "push", "--dirt", str(dirt), "--no-repository"]
        command += ["--seed", "1", "--end", "2026-01-31", "--out", out]
        took = run(command, bench.environment)
        self.counts = {}
        for line in took.output.decode().splitlines():
            key, _, value = line.rpartition(" ")
            self.counts[key.strip()] = int(value)
        self.root = os.path.join(out, "boxes")
        self.look()

    def look(self):
        self.files = sorted(
            os.path.join(at, name) for at, _, names in os.walk(self.root) for name in names
        )
        # Everything is measured from memory, not from the disk.
        for path in self.files:
            with open(path, "rb") as file:
                while file.read(1 << 20):
                    pass
        self.bytes = sum(os.path.getsize(path) for path in self.files)

    def joined(self, root):
        """The same lines as one file in a directory of its own."""
        one = copy.copy(self)
        one.root = fresh(root)
        with open(os.path.join(root, "verdicts-2026-01-31.jsonl"), "wb") as out:
            for path in self.files:
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, out, 1 << 20)
        one.look()
        return one

    def says(self):
        records = self.counts["records"]
        return f"{records} records, {self.bytes / 1e6:.0f} MB in {len(self.files)} files"


def triage(bench, data, *more):
    """One triage of given logs; its document is checked by the caller."""
    command = [bench.binary, "--data-dir", data, "triage", "--json", "--limit", "100", *more]
    return run(command, bench.environment)


def check(took, logs, more=0):
    """The counts are those that the generator wrote down, so nothing fast is fast for nothing."""
    counts = json.loads(took.output)["counts"]
    # With very many records a second two come out alike; they are doubles then.
    found = {
        "records with doubles": counts["records"] + counts["duplicates"],
        "rejected": counts["rejected"],
        "lines": counts["lines"],
    }
    wanted = {
        "records with doubles": logs.counts["records"] + logs.counts["duplicates"] + more,
        "rejected": logs.counts["rejected"],
        "lines": logs.counts["lines"] + more,
    }
    if found != wanted:
        raise Failed(f"triage counts {found}, and {wanted} were generated")
    return took


def cold(bench, series, logs, data):
    series.add(check(triage(bench, fresh(data), "--from", logs.root), logs))


def lines(bench, logs, data):
    """Appends a line to the newest file, then one to the oldest; the files end as they were."""
    ends = [(NEWEST, logs.files[-1]), (OLDEST, logs.files[0])]
    with open(logs.files[-1], "rb") as file:
        # Not the whole file: the size of this process shows in its children's peak memory.
        record = json.loads(file.readline())
    sizes = [(path, os.path.getsize(path)) for _, path in ends]
    try:
        for more, (name, path) in enumerate(ends, 1):
            record["commit"] = f"{more:040x}"
            with open(path, "ab") as file:
                file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            took = triage(bench, data, "--from", logs.root)
            bench.series(name).add(check(took, logs, more))
    finally:
        for path, size in sizes:
            os.truncate(path, size)


def duck(bench, logs, name, database):
    for path in (database, database + ".wal"):
        if os.path.exists(path):
            os.remove(path)
    python = os.path.join(bench.scratch, "peers", "venv", "bin", "python")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "duck.py")
    whole = run([python, script, database, str(bench.threads), *logs.files], bench.environment)
    said = json.loads(whole.output)
    equal(said["records"], logs, "DuckDB")
    bench.versions["DuckDB"] = said["version"]
    bench.series(name).add(Took(said["wall"], said["cpu"], whole.memory))


def jq(bench, logs):
    pipe = 'set -o pipefail; cat -- "$@" | jq -r .verdict | sort | uniq -c'
    took = run(["bash", "-c", pipe, "jq", *logs.files], bench.environment)
    equal(sum(int(row.split()[0]) for row in took.output.splitlines()), logs, "jq")
    bench.series(JQ).add(took)


def simd(bench, logs, name, threads):
    program = os.path.join(bench.scratch, "peers", "simd", "release", "simd")
    took = run([program, str(threads), *logs.files], bench.environment)
    equal(int(took.output.split()[0]), logs, "simd-json")
    bench.series(name).add(took)


def console(bench, logs):
    """The console over logs that it never saw, until numbers are on the screen."""
    home, root = fresh(os.path.join(bench.scratch, "home")), os.path.dirname(logs.files[0])
    os.sync()
    *walls, used = start.filled(bench.binary, home, root, bench.threads)
    for name, wall in zip((NUMBERS, EVERYTHING), walls):
        took = Took(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * UNIT)
        bench.series(name).add(took)


def equal(records, logs, who):
    if records != logs.counts["records"]:
        raise Failed(f"{who} counts {records} records, and {logs.counts['records']} are there")


def rounds(bench):
    """Cold runs and their peers, in turn, so that a slow minute strikes all alike."""
    wanted = bench.wanted
    if not wanted & {"cold", "again", "line"}:
        return
    clean = bench.logs("clean", bench.records, 0)
    data = os.path.join(bench.scratch, "data")
    for _ in range(bench.rounds):
        cold(bench, bench.series(COLD), clean, data)
        if "again" in wanted:
            bench.series(AGAIN).add(check(triage(bench, data, "--from", clean.root), clean))
        if "line" in wanted:
            lines(bench, clean, data)
        if "cold" in wanted:
            console(bench, clean)
            for name, peer in bench.peers(clean):
                bench.attempt(name, peer)
            dirty = bench.logs("dirty", bench.records, 0.05)
            cold(bench, bench.series(DIRTY), dirty, os.path.join(bench.scratch, "data-dirty"))


def store(bench):
    """A configured directory that did not change, against one that is empty."""
    clean = bench.logs("clean", bench.records, 0)
    places = {STORE: os.path.dirname(clean.files[0])}
    places[EMPTY] = fresh(os.path.join(bench.scratch, "nothing"))
    for name, logs in places.items():
        config = os.path.join(bench.scratch, name.split()[1] + ".toml")
        with open(config, "w") as file:
            file.write(f'[[box]]\nname = "attic"\nlocal = true\nlogs = [{json.dumps(logs)}]\n')
        places[name] = (config, fresh(os.path.join(bench.scratch, "data-" + name.split()[1])))
    # A box's logs may end days ago: all of them are asked for.
    ask = ["--days", "36500"]
    for turn in range(4 * bench.rounds + 1):
        for name, (config, data) in places.items():
            took = triage(bench, data, "--config", config, *ask)
            if name == STORE:
                check(took, clean)
            # The first run makes the cache.
            if turn > 0:
                bench.series(name).add(took)


def version(bench):
    for _ in range(20):
        bench.series(VERSION).add(run([bench.binary, "--version"], bench.environment))


def beside_duck(bench, name, logs):
    """Cold runs over other logs, in turn with DuckDB in memory."""
    data = os.path.join(bench.scratch, "data-other")
    for _ in range(bench.rounds):
        cold(bench, bench.series(COLD + name), logs, data)
        in_memory = lambda: duck(bench, logs, DUCK + name, ":memory:")
        bench.attempt(DUCK + name, in_memory)
    fresh(data)


def sizes(bench):
    for records in bench.sizes:
        beside_duck(bench, of(records), bench.logs(str(records), records, 0))


def one(bench):
    clean = bench.logs("clean", bench.records, 0)
    logs = clean.joined(os.path.join(bench.scratch, "one"))
    bench.report.fact(f"one: {logs.says()}")
    beside_duck(bench, ONE, logs)
    fresh(logs.root)


def large(bench):
    clean = bench.logs("clean", bench.records, 0)
    logs = bench.logs("large", 10 * bench.records, 0)
    data = os.path.join(bench.scratch, "data")
    for _ in range(bench.rounds):
        cold(bench, bench.series(COLD), clean, data)
        cold(bench, bench.series(LARGE), logs, data)
    fresh(data)
