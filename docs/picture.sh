#!/usr/bin/env bash
# Puts a picture of the console into README.md: triage in `foureyes --demo`, as a terminal of
# 100 columns and 24 lines shows it.
#
#   docs/picture.sh [PROGRAM]
#
# PROGRAM is built where it is not given. It needs tmux.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

program=${1-}
if [ -z "$program" ]; then
    cargo build --locked --quiet
    program=${CARGO_TARGET_DIR:-target}/debug/foureyes
fi
program=$(realpath -- "$program")

# Directories of its own, so that neither a configuration nor a name of this machine is in it.
home=$(mktemp -d)
tmux() { command tmux -S "$home/tmux" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null || true; rm -rf -- "$home"' EXIT

tmux new-session -d -x 100 -y 24 -s picture \
    "env -i HOME='$home' PATH='$PATH' TERM=screen-256color LANG=C.UTF-8 '$program' --data-dir '$home/data' --demo; cat"

screen() { tmux capture-pane -p -t picture; }

# Waits until the screen shows a text, at most a minute.
await() {
    for _ in $(seq 300); do
        if screen | grep -qF -- "$1"; then return; fi
        sleep 0.2
    done
    echo "the console never showed: $1" >&2
    screen >&2
    exit 1
}

await 'undecided'
tmux send-keys -t picture 2
await 'Label, blind'
tmux send-keys -t picture c
await 'wait to be labelled first'
tmux send-keys -t picture j
await 'semantic'
# The hint of the first run is not what one sees every morning.
tmux send-keys -t picture x
for _ in $(seq 50); do
    if ! screen | grep -qF 'hides this'; then break; fi
    sleep 0.2
done
shown=$(screen | sed 's/[[:space:]]*$//')
if LC_ALL=C.UTF-8 grep -qE '^.{101}' <<<"$shown" || grep -qF "$home" <<<"$shown"; then
    echo 'the picture is wider than it should be, or names a directory of this machine' >&2
    exit 1
fi

SHOWN="$shown" awk '
    /^<!-- screenshot:begin/ {
        print
        print "\n```text"
        print ENVIRON["SHOWN"]
        print "```\n"
        inside = 1
        next
    }
    /^<!-- screenshot:end/ { inside = 0; ended = 1 }
    !inside { print }
    END { exit !ended }
' README.md >"$home/README.md"
cat -- "$home/README.md" >README.md
