#!/usr/bin/env bash
# Measures foureyes beside its peers (DuckDB, jq, simd-json, plain ssh) on the same bytes in the
# same run, and fails where a peer is absent or a bound is missed. For a quiet machine: what other
# programs take of it, they take from two threads more than from one.
#
#   benches/peers.sh [BINARY] [--large] [--report-only] [--only GROUP,…]
#                    [--scratch DIR] [--records N,…] [--rounds N] [--threads N]
#
#   BINARY          the program to measure; built as it is shipped where none is given
#   --large         also ten times as many records
#   --report-only   print, and exit with 0 whatever the figures are
#   --only          of: cold, again, line, sizes, one, store, version, pull, large
#   --scratch DIR   where data and peers go, and stay; without it a directory that is removed
#   --records N,…   1000000,300000 unless told otherwise; the bounds are meant for the first of that
#                   many, and the others are measured cold, beside DuckDB in memory
#   --rounds N      how often each is measured, at least 3; medians count
#   --threads N     for foureyes, DuckDB and simd-json alike; 2 unless told otherwise
#
# Needs bash, python3 with venv, cargo, ssh with sshd, and about 6 GB of disk (45 GB with --large).
# Runs on Debian and macOS.
set -euo pipefail
unset CDPATH
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname -- "$here")"

duckdb_version=2.0.0

binary=
scratch=
keep=
report_only=
absent=
arguments=()

die() {
    printf 'peers.sh: %s\n' "$*" >&2
    exit 1
}

usage() {
    sed -n '2,/^set -e/{/^set -e/d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}"
}

# A peer that is absent fails the run, but only after all that are absent have been named.
missing() {
    printf 'peers.sh: a peer is absent: %s\n' "$*" >&2
    absent=yes
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case "$1" in
        --scratch)
            [ $# -ge 2 ] || die "$1 needs a directory"
            keep=yes
            mkdir -p -- "$2"
            scratch="$(cd -- "$2" && pwd)"
            shift 2
            ;;
        --records | --rounds | --threads | --only)
            [ $# -ge 2 ] || die "$1 needs a value"
            arguments+=("$1" "$2")
            shift 2
            ;;
        --large)
            arguments+=("$1")
            shift
            ;;
        --report-only)
            report_only=yes
            arguments+=("$1")
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        -*) die "unknown option: $1" ;;
        *)
            [ -z "$binary" ] || die "one binary is measured, not two: $1"
            [ -x "$1" ] || die "not a program: $1"
            binary="$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")"
            shift
            ;;
        esac
    done
}

find_binary() {
    [ -z "$binary" ] || return 0
    binary="${CARGO_TARGET_DIR:-$root/target}/dist/foureyes"
    [ -x "$binary" ] || (cd -- "$root" && cargo build --profile dist --locked)
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo -- "$@"
    else
        return 1
    fi
}

# Installs a system package where the system's own tool can.
package() {
    if command -v apt-get >/dev/null 2>&1; then
        as_root apt-get update -qq &&
            as_root env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y -qq --no-install-recommends "$1"
    elif command -v brew >/dev/null 2>&1; then
        brew install "$1"
    else
        return 1
    fi >&2
}

install_jq() {
    command -v jq >/dev/null 2>&1 || package jq || true
    command -v jq >/dev/null 2>&1 || missing "jq"
}

install_duckdb() {
    local python="$scratch/peers/venv/bin/python"
    if ! "$python" -c 'import duckdb' 2>/dev/null; then
        { python3 -m venv "$scratch/peers/venv" &&
            "$python" -m pip install --quiet --disable-pip-version-check \
                "duckdb==$duckdb_version"; } >&2 || true
    fi
    "$python" -c 'import duckdb' 2>/dev/null || missing "DuckDB $duckdb_version by pip"
}

install_simd() {
    CARGO_TARGET_DIR="$scratch/peers/simd" cargo build --quiet --release --locked \
        --manifest-path "$here/simd/Cargo.toml" >&2 || true
    [ -x "$scratch/peers/simd/release/simd" ] || missing "simd-json (benches/simd)"
}

# sshd starts itself anew for each connection, which needs its whole path.
find_sshd() {
    local path
    for path in "$(command -v sshd || true)" /usr/sbin/sshd /sbin/sshd; do
        if [ -x "$path" ]; then
            printf '%s\n' "$path"
            return 0
        fi
    done
}

install_ssh() {
    [ -n "$(find_sshd)" ] || package openssh-server || true
    [ -n "$(find_sshd)" ] || missing "sshd"
    command -v ssh >/dev/null 2>&1 || missing "ssh"
}

clean_up() {
    [ -n "$keep" ] || rm -rf -- "$scratch"
}

main() {
    read_arguments "$@"
    command -v python3 >/dev/null 2>&1 || die "python3 is needed"
    find_binary
    if [ -z "$scratch" ]; then
        scratch="$(mktemp -d)"
        trap clean_up EXIT
    fi
    mkdir -p "$scratch/peers"
    install_jq
    install_duckdb
    install_simd
    install_ssh
    [ -z "$absent" ] || [ -n "$report_only" ] || exit 1
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/measure.py" "${arguments[@]+"${arguments[@]}"}" \
        --binary "$binary" --scratch "$scratch" --sshd "$(find_sshd)"
}

main "$@"
