#!/usr/bin/env python3
"""How long memories take: the index, a search, and the hook before a prompt.

  benches/memories.py PROGRAM [--memories N] [--rounds N]

Makes a directory of memories (10,000 by default), indexes it cold and again, and runs the hook and the search
from the exec to the end. Beside each stands Python's sqlite3 doing the same: making such an index, and starting,
opening it and asking it the same. Ends with 1 where a bound is missed.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

BOUNDS = {"index, cold": 2000, "hook, whole": 60}
PROMPT = "Why does the nightly deployment of the billing worker fail after the database migration?"
WORDS = (
    "deploy deployment rollback database migration token retry timeout cache queue worker billing invoice schema "
    "index login session cookie header proxy docker build pipeline secret rotate alert metric trace latency budget "
    "quota release changelog test flaky nightly backup restore cluster shard replica network firewall certificate"
).split()
ASK = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
query = " OR ".join('"%s" *' % word for word in sys.argv[3].split())
table = sys.argv[2]
rows = db.execute(f"SELECT path, bm25({table}) FROM {table} WHERE {table} MATCH ? ORDER BY bm25({table}), path LIMIT 20", (query,)).fetchall()
assert rows
"""


def make(root, count):
    """A directory of memories: each has a title of six words, two tags and a text of 120 words."""
    draw = random.Random(1)
    rows = []
    os.makedirs(os.path.join(root, "m"))
    with open(os.path.join(root, "index.md"), "w", encoding="utf-8") as listing:
        listing.write("| Title | Tags | Category | Path |\n|-|-|-|-|\n")
        for number in range(count):
            title, tags = " ".join(draw.choices(WORDS, k=6)), draw.choices(WORDS, k=2)
            body, path = " ".join(draw.choices(WORDS, k=120)), f"m/{number:05}.md"
            listing.write(f"| {title} {number} | {', '.join(tags)} | note | {path} |\n")
            with open(os.path.join(root, path), "w", encoding="utf-8") as memory:
                memory.write(body)
            rows.append((path, f"{title} {number}", " ".join(tags), body))
    return rows


def timed(work, rounds):
    took = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1e3)
    return statistics.median(took)


def peer_index(path, root, rows):
    """The same index with Python: reads every file, and writes title, tags and text."""
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE VIRTUAL TABLE head USING fts5(path UNINDEXED, title, tags, prefix='3 4')")
    db.execute("CREATE VIRTUAL TABLE whole USING fts5(path UNINDEXED, title, tags, body, prefix='3 4')")
    for name, title, tags, _ in rows:
        with open(os.path.join(root, name), encoding="utf-8") as memory:
            body = memory.read()
        db.execute("INSERT INTO head VALUES (?, ?, ?)", (name, title, tags))
        db.execute("INSERT INTO whole VALUES (?, ?, ?, ?)", (name, title, tags, body))
    db.commit()
    db.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as home:
        root, cache = os.path.join(home, ".openclaw/memories"), os.path.join(home, ".cache")
        rows = make(root, options.memories)
        environment = {"HOME": home, "PATH": os.environ["PATH"]}

        def run(*arguments, given=""):
            done = subprocess.run([program, "memories", *arguments], input=given.encode(), env=environment, capture_output=True, check=True)
            assert done.stdout, arguments

        def cold():
            shutil.rmtree(cache, ignore_errors=True)
            run("index")

        peer = os.path.join(home, "peer.sqlite")
        prompt = json.dumps({"prompt": PROMPT, "hook_event_name": "UserPromptSubmit"})
        words = " ".join(word for word in PROMPT.lower().strip("?").split() if len(word) > 3)

        def ask(table):
            subprocess.run([sys.executable, "-S", "-c", ASK, peer, table, words], check=True, env=environment)

        measured = {
            "index, cold": (timed(cold, 3), timed(lambda: peer_index(peer, root, rows), 3)),
            "index, unchanged": (timed(lambda: run("index"), options.rounds), None),
            "hook, whole": (timed(lambda: run("hook", given=prompt), options.rounds), timed(lambda: ask("head"), options.rounds)),
            "search, whole": (timed(lambda: run("search", PROMPT), options.rounds), timed(lambda: ask("whole"), options.rounds)),
        }
    print(f"{options.memories} memories; medians in milliseconds, each from the start of a process to its end")
    missed = False
    for name, (ours, python) in measured.items():
        over = ours > BOUNDS.get(name, float("inf"))
        missed |= over
        print(f"{name:18} {ours:8.1f}   Python {'' if python is None else f'{python:8.1f}'}{'   MISSED' if over else ''}")
    sys.exit(missed)


if __name__ == "__main__":
    main()
