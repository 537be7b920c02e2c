#!/usr/bin/env python3
"""A store of two shards with two replicas each: nothing that goes down gives a smaller number.

  benches/replicas.py PROGRAM [--records N] [--scratch DIR]

Starts ZooKeeper and four servers on the loopback, publishes logs of the generator, and compares every
answer with that of one machine: with all replicas there, with each of them down in turn, with one
killed while it is published to, with one that lost its disk, and without ZooKeeper. Each is either
that answer or an error. Ends with 1 where it is neither.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from clickhouse import Servers

QUESTIONS = (
    ["triage", "--days", "36500"],
    ["trend", "--by", "box", "--days", "36500"],
    ["calibration"],
    ["calibration", "--family", "task"],
    ["readiness"],
)
# What differs by its nature: when a document was made, and how old logs are by then.
LOCAL = ("generated", "data_age_s", "complete", "complete_until", "new_since")


# Runs a program, and then tells its processor time and its peak memory in kB.
TIMED = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("TIMED", used.ru_utime, used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


class Operator:
    """One with a home and a configuration of their own."""

    def __init__(self, program, home, boxes, servers, replicas=True):
        self.program, self.home = program, home
        os.makedirs(home)
        addresses = ", ".join(f'"{one}"' for one in servers.addresses())
        config = f'[fleet]\naddresses = [{addresses}]\nuser = "default"\ntimeout_s = 120\n'
        if replicas is not None:
            config += f"replicas = {'true' if replicas else 'false'}\n"
        config += '[reviewer]\nname = "anna"\nmachine = "desk"\n'
        for box in sorted(os.listdir(boxes)) if os.path.isdir(boxes) else ():
            path = os.path.join(boxes, box)
            logs = sorted(at for at, _, names in os.walk(path) if any(".jsonl" in n for n in names))
            listed = ", ".join(f'"{one}"' for one in logs)
            config += f'[[box]]\nname = "{box}"\nlocal = true\nlogs = [{listed}]\n'
        with open(os.path.join(home, "c.toml"), "w", encoding="utf-8") as file:
            file.write(config)

    def start(self, *args):
        environment = {"PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8"}
        command = [self.program, *args, "--config", "c.toml"]
        return subprocess.Popen(
            command, cwd=self.home, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def start_limited(self, most, *args):
        """The same with a bound on its memory; its last line of error tells what it took."""
        environment = {"PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8"}
        command = ["/usr/bin/env", "bash", "-c", f"ulimit -v {most // 1024}; exec \"$@\"", "bash"]
        timed = [sys.executable, "-c", TIMED, self.program, *args, "--config", "c.toml"]
        return subprocess.Popen(
            [*command, *timed], cwd=self.home, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def run(self, *args):
        process = self.start(*args)
        out, error = process.communicate()
        return process.returncode, out, error

    def good(self, *args):
        code, out, error = self.run(*args)
        if code not in (0, 1, 2) or not out and code:
            sys.exit(f"{args}: {code} {error}")
        return out


def comparable(text):
    def strip(value):
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k not in LOCAL}
        if isinstance(value, list):
            items = [v for v in value if not (isinstance(v, dict) and v.get("id") == "masked_secrets")]
            return [strip(v) for v in items]
        return value

    return strip(json.loads(text))


class Check:
    """Compares what is read with what one machine says."""

    def __init__(self, operator):
        self.operator, self.failed, self.rows = operator, False, []

    def expect(self):
        no_pull = {"triage": ["--no-pull"]}
        self.ours = [
            comparable(self.operator.good(*q, "--json", *no_pull.get(q[0], []))) for q in QUESTIONS
        ]

    def reads(self, when, may_fail=False):
        same = errors = 0
        words = set()
        for question, ours in zip(QUESTIONS, self.ours):
            code, out, error = self.operator.run(*question, "--json", "--fleet")
            if code > 2 or not out:
                errors += 1
                words.add(error.strip().splitlines()[0][:170] if error.strip() else f"exit {code}")
            elif comparable(out) == ours:
                same += 1
            else:
                self.failed = True
                words.add(f"ANOTHER ANSWER to {' '.join(question)}")
        self.failed |= errors > 0 and not may_fail
        self.row(when, f"{same} of {len(QUESTIONS)} answers equal, {errors} errors", words)

    def publishes(self, when, may):
        code, out, error = self.operator.run("fleet", "publish")
        self.failed |= (code == 0) != may
        said = (out if code == 0 else error).strip().splitlines()
        self.row(when, f"publish: exit {code}", {said[0][:170]} if said else set())

    def until_whole(self, limit=90):
        """Waits until all replicas can answer."""
        end = time.time() + limit
        while True:
            code, out, error = self.operator.run("fleet", "status", "--json")
            if code == 0 and not json.loads(out)["down"]:
                return
            if time.time() > end:
                return self.row("waiting", "not whole", {error.strip() or out})
            time.sleep(1)

    def row(self, when, what, words):
        print(f"{when}: {what}" + "".join(f"\n    {one}" for one in sorted(words)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--scratch")
    asked = parser.parse_args()
    scratch = asked.scratch or tempfile.mkdtemp()
    servers = Servers(scratch, shards=2, replicas=2)
    try:
        failed = run(os.path.abspath(asked.program), scratch, servers, asked.records)
    finally:
        servers.end()
        shutil.rmtree(scratch)
    sys.exit(int(failed))


def made(program, scratch, seed, records):
    out = os.path.join(scratch, f"made{seed}")
    command = [program, "generate", "--out", out, "--records", str(records), "--dirt", "0.05"]
    subprocess.run([*command, "--seed", str(seed), "--no-repository"], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(out, "boxes")


def grow(boxes, more, name):
    """Gives every box the logs of another run as well, in a directory of their own."""
    for box in sorted(os.listdir(more)):
        shutil.copytree(os.path.join(more, box), os.path.join(boxes, box, name))


def run(program, scratch, servers, records):
    boxes = made(program, scratch, 1, records)
    others = [made(program, scratch, seed, records // 2) for seed in (2, 3)]
    nodes = servers.nodes

    def desk(name):
        return Operator(program, os.path.join(scratch, name), boxes, servers)

    check = Check(desk("anna"))
    refused = Operator(program, os.path.join(scratch, "without"), boxes, servers, replicas=False)
    code, _, error = refused.run("fleet", "init")
    check.failed |= code != 64
    check.row("replicas = false", f"init: exit {code}", {error.strip().splitlines()[0]})
    check.operator.good("fleet", "init")
    check.publishes("all four up", may=True)
    check.expect()
    check.reads("all four up")
    for at, node in enumerate(nodes):
        node.end()
        check.reads(f"node {at} down")
        check.publishes(f"node {at} down", may=False)
        node.start()
        check.until_whole()
    check.publishes("all back", may=True)
    for at in (0, 1):
        nodes[at].end()
    check.reads("both replicas of a shard down", may_fail=True)
    for at in (0, 1):
        nodes[at].start()
    check.reads("both just started", may_fail=True)
    check.until_whole()

    # A replica that goes down in the middle of a publish.
    grow(boxes, others[0], "more")
    check.operator = desk("bert")
    check.expect()
    process = check.operator.start("fleet", "publish")
    time.sleep(1.0)
    nodes[1].end()
    _, error = process.communicate()
    said = error.strip().splitlines()[:1]
    check.row("node 1 killed during a publish", f"publish: exit {process.returncode}", set(said))
    check.publishes("node 1 down", may=False)
    nodes[1].start()
    check.until_whole()
    check.publishes("node 1 back", may=True)
    check.reads("node 1 back")

    # Two publishers at once.
    grow(boxes, others[1], "again")
    pair = [desk("cleo"), desk("dora")]
    check.operator = pair[0]
    check.expect()
    both = [one.start("fleet", "publish") for one in pair]
    codes = []
    words = set()
    for one in both:
        _, error = one.communicate()
        codes.append(one.returncode)
        words.update(error.strip().splitlines()[:1])
    check.failed |= codes != [0, 0]
    check.row("two publishers at once", f"exit {codes}", words)
    check.reads("after both")

    # Without ZooKeeper.
    servers.zookeeper.end()
    time.sleep(6)
    check.reads("ZooKeeper down", may_fail=True)
    check.publishes("ZooKeeper down", may=False)
    servers.zookeeper.start()
    check.until_whole()
    check.publishes("ZooKeeper back", may=True)
    check.reads("ZooKeeper back")

    # A replica that lost its disk.
    nodes[3].end()
    shutil.rmtree(os.path.join(nodes[3].home, "data"))
    nodes[3].start()
    check.reads("node 3 with an empty disk", may_fail=True)
    code, out, error = check.operator.run("fleet", "init")
    check.row("node 3 with an empty disk", f"init: exit {code}", set(error.strip().splitlines()[:4]))
    check.reads("right after init", may_fail=True)
    print("NOT EQUAL" if check.failed else "every answer was that of one machine, or an error")
    return check.failed


if __name__ == "__main__":
    main()
