"""The benchmark itself; peers.sh installs what it needs and starts it."""

import argparse
import os
import shutil
import sys

import logs
import report
import wire
from child import Failed, Series
from logs import Logs

GROUPS = ("cold", "again", "line", "sizes", "one", "store", "version", "pull")


class Bench:
    """The options, the data made so far, and what was measured."""

    def __init__(self, options):
        self.binary, self.scratch, self.sshd = options.binary, options.scratch, options.sshd
        self.records, *self.sizes = options.records
        self.rounds, self.threads = options.rounds, options.threads
        groups = set(options.only.split(",")) if options.only else set(GROUPS)
        self.wanted = groups | ({"large"} if options.large else set())
        self.report, self.versions, self.made = report.Report(), {}, {}
        # A run reads nothing of the user's, and has as many threads as its peers.
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("FOUREYES_")},
            "XDG_CONFIG_HOME": os.path.join(self.scratch, "no-config"),
            "RAYON_NUM_THREADS": str(self.threads),
            "POLARS_MAX_THREADS": str(self.threads),
            "LC_ALL": "C",
        }

    @property
    def database(self):
        return os.path.join(self.scratch, "duck.db")

    def series(self, name):
        return self.report.series.setdefault(name, Series(name))

    def logs(self, name, records, dirt):
        if name not in self.made:
            self.made[name] = Logs(self, name, records, dirt)
            self.report.fact(f"{name}: {self.made[name].says()}")
        return self.made[name]

    def peers(self, clean):
        return [
            (logs.DUCK, lambda: logs.duck(self, clean, logs.DUCK, ":memory:")),
            (logs.DUCK_FILE, lambda: logs.duck(self, clean, logs.DUCK_FILE, self.database)),
            (logs.JQ, lambda: logs.jq(self, clean)),
            (logs.SIMD, lambda: logs.simd(self, clean, logs.SIMD, 1)),
            (logs.SIMD_ALL, lambda: logs.simd(self, clean, logs.SIMD_ALL, self.threads)),
        ]

    def attempt(self, name, peer):
        """Runs a peer; one that is absent or fails is named at the end."""
        try:
            peer()
        except (Failed, OSError) as error:
            said = f"{name}: {error}"
            if said not in self.report.skipped:
                self.report.skipped.append(said)


# 1.5 s until the console has its first numbers, and 3 s for all, where DuckDB takes this long in memory.
DUCK_S = 1.8


def bounds(bench):
    """What is allowed, of all that was measured."""
    made, bound, ratio = bench.report.series, bench.report.bound, bench.report.ratio
    ratio("cold against DuckDB in memory", logs.COLD, logs.DUCK, 0.8)
    ratio("cold against DuckDB into a file", logs.COLD, logs.DUCK_FILE, 0.75)
    for name in [logs.of(records) for records in bench.sizes] + [logs.ONE]:
        ratio("the same" + name, logs.COLD + name, logs.DUCK + name, 0.8)
    ratio("first numbers of the console against DuckDB in memory", logs.NUMBERS, logs.DUCK, 1.5 / DUCK_S)
    ratio("all numbers against DuckDB in memory", logs.EVERYTHING, logs.DUCK, 3.0 / DUCK_S)
    ratio("cold against jq", logs.COLD, logs.JQ, 0.25)
    ratio("cold against simd-json, aim", logs.COLD, logs.SIMD_ALL, 2, aim=True)
    if logs.COLD in made:
        bound("memory of a cold run", made[logs.COLD].memory / 1e6, 800, "MB")
    if logs.DIRTY in made:
        ratio("5 % dirt against clean", logs.DIRTY, logs.COLD, 1.2)
        bound("memory with 5 % dirt", made[logs.DIRTY].memory / 1e6, 800, "MB")
    ratio("again against cold", logs.AGAIN, logs.COLD, 0.02)
    ratio("a line more in the newest file against cold", logs.NEWEST, logs.COLD, 0.05)
    ratio("a line more in the oldest file against cold", logs.OLDEST, logs.COLD, 0.05)
    if logs.STORE in made:
        store, empty = made[logs.STORE], made[logs.EMPTY]
        more, cpu = 1e3 * (store.wall - empty.wall), 1e3 * (store.cpu - empty.cpu)
        bound("unchanged store beyond an empty one", more, 150, "ms", cpu=cpu)
    if logs.VERSION in made:
        bound("--version", 1e3 * made[logs.VERSION].wall, 20, "ms", cpu=1e3 * made[logs.VERSION].cpu)
    if logs.LARGE in made:
        ratio("ten times the records", logs.LARGE, logs.COLD, 10)
        bound("memory of ten times the records", made[logs.LARGE].memory / 1e6, 3000, "MB")
    # Goodput of at least 0.9 × is at most so many times as long. On the loopback both ends share
    # the processors, and no link is the limit: what a pull does beyond cat has nowhere to hide.
    what, link = "pull against ssh box cat, time", wire.LINK
    ratio(what + link, wire.PULL + link, wire.CAT + link, 1 / 0.9)
    ratio(what + ", loopback", wire.PULL, wire.CAT, 1 / 0.9)


def sizes(text):
    return [int(size) for size in text.split(",")]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--sshd", default="")
    parser.add_argument("--records", type=sizes, default=[1_000_000, 300_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--report-only", action="store_true")
    given = parser.parse_args()
    unknown = set(filter(None, given.only.split(","))) - {*GROUPS, "large"}
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    if given.rounds < 3:
        parser.error("fewer than 3 rounds say nothing")
    return given


def measure(bench):
    steps = [("rounds", logs.rounds), ("sizes", logs.sizes), ("one", logs.one)]
    steps += [("store", logs.store), ("version", logs.version)]
    steps += [("pull", wire.measure), ("large", logs.large)]
    for name, step in steps:
        if name == "rounds" or name in bench.wanted:
            print(f"{name}:", file=sys.stderr, flush=True)
            bench.attempt(name, lambda step=step: step(bench))


def main():
    given = options()
    bench = Bench(given)
    bench.report.fact(report.machine())
    measure(bench)
    bench.report.drop_empty()
    bounds(bench)
    bench.report.fact(f"load at the end {report.load()}; {bench.threads} threads each")
    for name, version in bench.versions.items():
        bench.report.fact(f"{name} {version}")
    bench.report.print()
    bench.report.save(os.path.join(bench.scratch, "results.json"))
    failed = bench.report.missed() + bench.report.skipped
    for name in failed:
        print(f"measure.py: missed: {name}", file=sys.stderr)
    sys.exit(1 if failed and not given.report_only else 0)


main()
