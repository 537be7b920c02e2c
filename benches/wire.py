"""Pulling over SSH: against `ssh box cat` of the same bytes, and what passes over the wire."""

import hashlib
import json
import os
import shutil

from child import Failed, fresh, run
from sshbox import SshBox

PULL = "pull, everything new"
CAT = "ssh box cat"
LINK = ", over 1 Gbit/s"
NOTHING = "pull, nothing new"

# Files that get a line, of those that are there.
CHANGED = 3


def measure(bench):
    """Everything about pulling; the server ends with it."""
    if not bench.sshd:
        bench.report.skipped.append("pull: there is no sshd")
        return
    lab = fresh(os.path.join(bench.scratch, "ssh"))
    os.chmod(lab, 0o700)
    box = SshBox(bench.sshd, lab)
    try:
        goodput(bench, box, "box", "")
        goodput(bench, box, "gigabit", LINK)
        wire(bench, box)
    finally:
        box.close()


def configured(bench, box, host, logs):
    path = box.at(host + ".toml")
    with open(path, "w") as file:
        file.write(
            f'[[box]]\nname = "{host}"\nssh_config = {json.dumps(box.at("ssh_config"))}\n'
            f"logs = [{json.dumps(logs)}]\n"
        )
    return path


def pull(bench, config, data):
    return run([bench.binary, "--config", config, "--data-dir", data, "pull"], bench.environment)


def identical(directory, files):
    """Every file stands somewhere in the mirror, byte for byte."""
    copies = set()
    for at, _, names in os.walk(os.path.join(directory, "mirror")):
        copies |= {digest(os.path.join(at, name)) for name in names}
    for path in files:
        if digest(path) not in copies:
            raise Failed(f"the mirror has no copy of {path}")


def digest(path):
    hasher = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            block = file.read(1 << 20)
            if not block:
                return hasher.digest()
            hasher.update(block)


def goodput(bench, box, host, link):
    clean = bench.logs("clean", bench.records, 0)
    config = configured(bench, box, host, os.path.dirname(clean.files[0]))
    data, out = os.path.join(bench.scratch, "data-pull"), os.path.join(bench.scratch, "cat.out")
    for _ in range(bench.rounds):
        if os.path.exists(out):
            os.remove(out)
        cat = box.ssh(host, "cat", "--", *clean.files)
        bench.series(CAT + link).add(run(cat, bench.environment, to=out))
        if os.path.getsize(out) != clean.bytes:
            raise Failed("ssh box cat brought other bytes")
        took = pull(bench, config, fresh(data))
        identical(data, clean.files)
        bench.series(PULL + link).add(took)
    os.remove(out)
    shutil.rmtree(data)


def wire(bench, box):
    """Bytes of both directions, the connection's own set apart: `ssh box true` costs as much."""
    clean = bench.logs("clean", bench.records, 0)
    logs = fresh(os.path.join(bench.scratch, "wire"))
    for path in clean.files:
        shutil.copy(path, logs)
    files = sorted(os.path.join(logs, name) for name in os.listdir(logs))
    config, data = configured(bench, box, "counted", logs), os.path.join(bench.scratch, "data-wire")
    box.counter.take()
    run(box.ssh("counted", "true"), bench.environment)
    connection = box.counter.take()
    pull(bench, config, fresh(data))
    first = box.counter.take()
    bench.series(NOTHING).add(pull(bench, config, data))
    nothing = box.counter.take()
    new = append(files[-CHANGED:])
    pull(bench, config, data)
    some = box.counter.take()
    identical(data, files)
    bench.report.fact(
        f"on the wire: {connection} bytes for a connection alone, {first} for a first pull of "
        f"{clean.bytes}, {nothing} where nothing is new, {some} for {new} new bytes in {CHANGED} files"
    )
    bound = bench.report.bound
    allowed = clean.bytes + 4096 * len(files)
    bound("wire of a first pull, without the connection", (first - connection) / 1e3, allowed / 1e3, "kB")
    allowed = new + 4096 * CHANGED
    what = f"wire of {new} new bytes in {CHANGED} files, without the connection"
    bound(what, (some - connection) / 1e3, allowed / 1e3, "kB")
    shutil.rmtree(logs)
    shutil.rmtree(data)


def append(files):
    new = 0
    for path in files:
        with open(path, "rb") as file:
            line = file.readline().replace(b'"commit":"', b'"commit":"ff')
        with open(path, "ab") as file:
            file.write(line)
        new += len(line)
    return new
