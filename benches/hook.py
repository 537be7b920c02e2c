#!/usr/bin/env python3
"""What the hook costs a push: `git push` with it, without one, and with an empty shell hook; and what rules of
risk add to it.

    cargo build --profile dist
    benches/hook.py [--binary FILE] [--rounds N] [--report-only]

Each push takes one new commit to a bare repository on the same disk; the kinds take turns, so that
what else the machine does hits all of them. Reported are the least, the lower quartile and the
median of each, in milliseconds, and what the hook adds. It ends with an error where a bound is
missed: 5 ms beside an empty hook for starting, 20 ms beside no hook for a push, and 15 where nothing is to be
judged or all was judged before. They are for a build with all features as for that of a box. Rounds go on
until the lower quartiles of two halves agree, or none is left.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

AGENT, PERSON = "OpenClaw Agent", "Ada Example"
ANSWER = r"""
[[answer]]
always = true
text = '{"scores":{"semantic":4,"pragmatic":4,"syntactic":4},"verdict":"GO","findings":"good","revision_suggestions":[]}'
"""
# Of each kind one; none holds, so that no judge is asked more.
RULES = """
[[risk.rules]]
name = "access"
depth = "panel"
paths = ["**/CODEOWNERS", ".github/**", "infra/access/"]
[[risk.rules]]
name = "large"
depth = "panel"
lines = 100000
[[risk.rules]]
name = "binary"
depth = "panel"
changes = ["binary"]
paths = ["infra/"]
[[risk.rules]]
name = "sensitive"
depth = "panel"
sensitive = true
"""
START_BOUND, KNOWN_BOUND, PUSH_BOUND = 5.0, 15.0, 20.0


class Stage:
    """A home, a clone and its remote, in a directory that goes away."""

    def __init__(self, root, binary):
        self.root, self.binary, self.number = root, binary, 0
        self.work, self.home = f"{root}/work", f"{root}/home"
        self.log = f"{root}/log"
        self.hook = f"{self.work}/.git/hooks/pre-push"
        os.makedirs(self.home)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_EMAIL": "c@example.org",
        }
        self.run("git", "init", "-q", "--bare", "-b", "main", f"{root}/remote", directory=root)
        self.run("git", "init", "-q", "-b", "main", self.work, directory=root)
        self.run("git", "remote", "add", "origin", f"{root}/remote")
        self.commit(PERSON, "README.md", "hello\n")
        self.run("git", "push", "-q", "origin", "main")
        self.write(f"{root}/answers.toml", ANSWER)
        self.configure("")

    def configure(self, more):
        config = f'[judge]\nscript = "{self.root}/answers.toml"\n[hook]\nlog = "{self.log}"\n{more}'
        self.write(f"{self.home}/.config/foureyes/config.toml", config)

    @staticmethod
    def write(path, text, mode=0o644):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def run(self, *command, directory=None, who=PERSON, **more):
        names = {"GIT_AUTHOR_NAME": who, "GIT_COMMITTER_NAME": who}
        done = subprocess.run(
            command, cwd=directory or self.work, env={**self.environment, **names},
            capture_output=True, **more,
        )
        if done.returncode != 0:
            sys.exit(f"{command}: {done.stderr.decode(errors='replace')}")
        return done

    def commit(self, who, path, text):
        self.write(f"{self.work}/{path}", text)
        self.run("git", "add", "-A", who=who)
        self.run("git", "commit", "-q", "--allow-empty", "-m", "a change", who=who)

    def set_hook(self, kind):
        if os.path.exists(self.hook):
            os.remove(self.hook)
        if kind == "empty":
            self.write(self.hook, "#!/bin/sh\nexit 0\n", 0o755)
        elif kind in ("ours", "rules"):
            self.configure(RULES if kind == "rules" else "")
            self.run(self.binary, "hook", "install")

    def push(self, kind, scenario):
        """Milliseconds of one push of one new commit."""
        self.number += 1
        if scenario == "nothing to judge":
            self.commit(PERSON, "notes.txt", f"{self.number}\n")
        elif scenario == "judged before":
            # Two contents in turn, so that the commit changes the file and the verdict is known.
            self.commit(AGENT, "research/known.md", f"known {self.number % 2}\n")
        else:
            self.commit(AGENT, "research/new.md", f"new {kind} {self.number}\n")
        self.set_hook(kind)
        start = time.perf_counter()
        self.run("git", "push", "-q", "origin", "main")
        return (time.perf_counter() - start) * 1e3

    def fill_log(self, lines):
        """Adds verdicts on other contents to the log of today, in the form of the last one there."""
        path = sorted(glob.glob(f"{self.log}/*.jsonl"))[-1]
        with open(path) as file:
            line = json.loads(file.readlines()[-1])
        line.pop("prev", None)
        with open(path, "a") as file:
            for number in range(lines):
                line["commit"] = f"{number:040x}"
                line["content_sha"] = f"{number:064x}"
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
        return os.path.getsize(path)

    def start(self, kind):
        """Milliseconds of the hook alone, with a ref that takes nothing new along."""
        head = self.run("git", "rev-parse", "HEAD").stdout.decode().strip()
        refs = f"refs/heads/main {head} refs/heads/main {head}\n".encode()
        self.set_hook(kind)
        start = time.perf_counter()
        self.run(self.hook, "origin", f"{self.root}/remote", input=refs)
        return (time.perf_counter() - start) * 1e3


def quartile(times):
    return statistics.quantiles(times, n=4)[0]


def quiet(series):
    """Whether two halves of every series tell the same."""
    for times in series.values():
        half = len(times) // 2
        one, other = quartile(times[:half]), quartile(times[half:])
        if abs(one - other) > max(0.5, 0.1 * min(one, other)):
            return False
    return True


def measure(kinds, once, rounds):
    series = {kind: [] for kind in kinds}
    for count in range(1, rounds * 4 + 1):
        for kind in kinds:
            series[kind].append(once(kind))
        if count >= rounds and count % rounds == 0 and quiet(series):
            break
    return series


def report(name, series, beside, bound, ours="ours"):
    """Prints a table; tells whether the bound holds, where there is one."""
    print(f"\n{name} ({len(next(iter(series.values())))} rounds)")
    for kind, times in series.items():
        numbers = f"{min(times):8.2f} {quartile(times):8.2f} {statistics.median(times):8.2f}"
        print(f"  {kind:<8} {numbers}   ms: least, lower quartile, median")
    added = quartile(series[ours]) - quartile(series[beside])
    ratio = quartile(series[ours]) / quartile(series[beside])
    good = bound is None or added <= bound
    verdict = "no bound" if bound is None else f"{'within' if good else 'MISSES'} {bound:.0f} ms"
    print(f"  {ours} beside {beside}: {added:+.2f} ms, {ratio:.2f} times; {verdict}")
    return good


def features_of(binary):
    """What a program was built with; ends where it is none of ours."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            (binary, "hook", "check", "--json"), capture_output=True,
            env={"PATH": os.environ["PATH"], "HOME": home},
        )
    try:
        return json.loads(done.stdout)["features"]
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{binary} does not say what it was built with: {done.stderr.decode(errors='replace')}")


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # Where cargo puts it; both builds have the same place there.
    target = os.environ.get("CARGO_TARGET_DIR") or f"{here}/target"
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binary", default=f"{target}/dist/foureyes")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--log-lines", type=int, default=40_000)
    parser.add_argument("--report-only", action="store_true")
    options = parser.parse_args()
    if options.rounds < 4:
        parser.error("--rounds is at least 4: a quartile of fewer says nothing")
    if not os.access(options.binary, os.X_OK):
        sys.exit(f"{options.binary} is not there: cargo build --profile dist")
    binary = os.path.abspath(options.binary)
    print(f"built with {', '.join(features_of(binary))}; load at the start: {os.getloadavg()[0]:.2f}")
    good = True
    with tempfile.TemporaryDirectory() as root:
        stage = Stage(f"{root}/stage", binary)
        good &= report("start of the hook", measure(("empty", "ours"), stage.start, options.rounds),
                       "empty", START_BOUND)
        for scenario in ("nothing to judge", "judged before", "judged now, by a script"):
            for _ in range(2):
                # The verdicts that the second scenario finds.
                stage.push("ours", scenario)
            once = lambda kind: stage.push(kind, scenario)  # noqa: E731
            series = measure(("none", "empty", "ours"), once, options.rounds)
            bound = PUSH_BOUND if scenario.startswith("judged now") else KNOWN_BOUND
            good &= report(f"push: {scenario}", series, "none", bound)
        kinds = ("none", "ours", "rules")
        report(f"push: {scenario}, with and without rules of risk", measure(kinds, once, options.rounds), "ours",
               None, "rules")
        size = stage.fill_log(options.log_lines)
        series = measure(("none", "empty", "ours"), once, options.rounds)
        title = f"{options.log_lines} more lines ({size / 1e6:.0f} MB) in the log of today"
        good &= report(f"push: {scenario}, {title}", series, "none", PUSH_BOUND)
        report(f"push: {scenario}, {title}, with and without rules of risk",
               measure(kinds, once, options.rounds), "ours", None, "rules")
    print(f"\nload at the end: {os.getloadavg()[0]:.2f}")
    if not good and not options.report_only:
        sys.exit(1)


if __name__ == "__main__":
    main()
