# Sourced by `test.sh` and `packaging/build.sh`, from the root of the repository: programs of others, into `target`.
# shellcheck shell=bash

die() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

# Where the programs of a list are.
tool_place() {
    printf '%s' "${CARGO_TARGET_DIR:-target}/tools/$1"
}

# From PyPI. Each has an environment of its own, since together they do not fit, with what its list names
# and nothing else.
install_from_pypi() {
    local name="$1" list="tests/tools/$1.txt" place
    place="$(tool_place "$name")"
    if cmp -s "$list" "$place/installed.txt" && "$place/bin/python" -c '' 2>/dev/null; then
        return 0
    fi
    echo "installing: $name, into $place"
    rm -rf -- "$place"
    python3 -m venv "$place" || die "cannot make an environment of Python in $place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$list" ||
        die "cannot install what $list lists"
    if [ "${2-}" = module ]; then
        "$place/bin/python" -c "import $name" || die "$list brings no module $name"
    elif [ ! -x "$place/bin/$name" ]; then
        die "$list brings no program $name"
    fi
    cp -- "$list" "$place/installed.txt"
}
