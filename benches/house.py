#!/usr/bin/env python3
"""Figures of the code itself: what there is of it, and how long an edit takes to try.

    benches/house.py [CHECKOUT]            lines, files, repeated sentences, long functions, commands, schemas
    benches/house.py --loops [CHECKOUT]    seconds from an edit in a room to check and tests

CHECKOUT is the directory of a clone, of this version or an older one: the default is this one. Code
lines are those that are not blank, not a comment and not in a test. Loops are measured in the debug
profile with increments and without debug information, after one warm-up; nothing else should run.
"""
import argparse
import collections
import os
import re
import subprocess
import time

TEST_FILE = re.compile(r"(^|/|_)(tests?|fixture)(/|\.rs$)")
# A room with the unit tests and the integration tests that an edit there is tried with.
LOOPS = [
    ("core", "text/mask.rs", "text::mask", "filter::"),
    ("judge", "hook/refs.rs", "hook::refs", "doctor::"),
    ("console", "tui/view/footer.rs", "tui::view", "console::help"),
]


def sources(root):
    for top in ("src", "crates"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = [name for name in folders if name != "target"]
            for name in sorted(files):
                path = os.path.join(folder, name)
                if name.endswith(".rs") and "/tests/" not in path[len(root) :]:
                    yield path


def code_of(text):
    """The lines of a file that are code: without tests, comments and blank lines."""
    lines, skip = [], None
    pending = False
    for line in text.split("\n"):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if skip is not None:
            if indent == skip and bare.startswith("}"):
                skip = None
            continue
        if bare.startswith("#[cfg(test)]"):
            pending = True
            continue
        if pending:
            pending = False
            if bare.endswith("{"):
                skip = indent
            continue
        if bare and not bare.startswith("//"):
            lines.append(line)
    return lines


def sentences(lines):
    """Texts of five words or more that the code holds, with any place for a value as `{}`."""
    for text in re.findall(r'"((?:[^"\\\\]|\\\\.)*)"', "\n".join(lines), re.S):
        text = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"\\\\\n\s*", "", text))
        if len(re.findall(r"[A-Za-z]{2,}", text)) >= 5:
            yield " ".join(text.split())


def long_functions(lines):
    head = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async )*fn (\w+)")
    found = []
    for i, line in enumerate(lines):
        match = head.match(line)
        if match:
            end = next((k for k in range(i, len(lines)) if lines[k].startswith(match[1] + "}")), i)
            if end - i + 1 > 60:
                found.append((end - i + 1, match[2]))
    return found


def leaves(binary, path=()):
    """Commands that `--help` shows and that have none below them."""
    text = subprocess.run([binary, *path, "--help"], capture_output=True, text=True).stdout
    names = re.findall(r"^  ([a-z][a-z-]*)(?: {2,}|$)", text, re.M)
    names = [name for name in names if name != "help"]
    if not names:
        return 1
    return sum(leaves(binary, (*path, name)) for name in names)


def figures(root):
    files = code = features = 0
    long, places = [], collections.Counter()
    for path in sources(root):
        text = open(path, encoding="utf-8").read()
        features += len(re.findall(r'feature = "', text))
        if TEST_FILE.search(path[len(root) :]):
            continue
        lines = code_of(text)
        files, code = files + 1, code + len(lines)
        places.update(sentences(lines))
        long += [(n, f"{os.path.relpath(path, root)}: {name}") for n, name in long_functions(lines)]
    schemas = [n for _, _, names in os.walk(f"{root}/assets") for n in names if "schema" in n]
    print(f"code lines           {code}")
    print(f"files                {files}")
    print(f"lines with feature   {features}")
    print(f"sentences            {sum(places.values())}")
    print(f"    in several places {sum(n for n in places.values() if n > 1)}")
    print(f"functions over 60    {len(long)}")
    for length, name in sorted(long, reverse=True):
        print(f"    {length:4} {name}")
    print(f"schemas              {len(schemas)}")
    binary = os.path.join(root, "target/debug/foureyes")
    if os.path.exists(binary):
        print(f"commands (leaves)    {leaves(binary)}")


def package_of(root, path):
    manifest = os.path.dirname(path)
    while not os.path.exists(os.path.join(manifest, "Cargo.toml")):
        manifest = os.path.dirname(manifest)
    text = open(os.path.join(manifest, "Cargo.toml"), encoding="utf-8").read()
    return re.search(r'^name = "(.*)"', text, re.M)[1]


def loops(root):
    environment = dict(os.environ, CARGO_INCREMENTAL="1", CARGO_PROFILE_DEV_DEBUG="0")

    def run(*command):
        start = time.monotonic()
        subprocess.run(["cargo", *command], cwd=root, env=environment, check=True, capture_output=True)
        return time.monotonic() - start

    print("edit in    check  unit tests  one integration test   (seconds)")
    for room, place, unit, integration in LOOPS:
        path = next(p for p in sources(root) if p.endswith("/src/" + place))
        package = package_of(root, path)
        steps = [
            ("check",),
            ("test", "-p", package, "--lib", "--", unit),
            ("test", "--test", "it", "--", integration),
        ]
        original = open(path, encoding="utf-8").read()
        taken = []
        try:
            for step in steps:
                run(*step)
                with open(path, "a", encoding="utf-8") as file:
                    file.write("\n#[allow(dead_code)]\nconst EDITED: u8 = 0;\n")
                taken.append(run(*step))
                with open(path, "w", encoding="utf-8") as file:
                    file.write(original)
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(original)
        print(f"{room:10} {taken[0]:5.1f}  {taken[1]:10.1f}  {taken[2]:20.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("checkout", nargs="?", default=os.path.join(os.path.dirname(__file__), ".."))
    options = parser.parse_args()
    root = os.path.abspath(options.checkout)
    (loops if options.loops else figures)(root)


main()
