#!/usr/bin/env bash
# Puts what `foureyes --demo triage --no-pull --limit 3` prints into README.md, cut to its first part.
#
#   docs/picture.sh [PROGRAM]
#
# PROGRAM is built where it is not given.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

program=${1-}
if [ -z "$program" ]; then
    cargo build --locked --quiet
    program=${CARGO_TARGET_DIR:-target}/debug/foureyes
fi

# Directories of its own, so that neither a configuration nor a name of this machine is in it.
home=$(mktemp -d)
trap 'rm -rf -- "$home"' EXIT
shown=$(env -i HOME="$home" PATH="$PATH" LANG=C.UTF-8 "$program" --data-dir "$home/data" \
    --demo triage --no-pull --limit 3 2>/dev/null)

# Up to the end of the first flagged item, and no line beyond 80 columns.
cut=$(awk '/^  2\. / { exit } { print }' <<<"$shown")
if [ -z "$cut" ] || [ "$cut" = "$shown" ]; then
    echo 'the output has no second flagged item to cut before' >&2
    exit 1
fi
if LC_ALL=C.UTF-8 grep -qE '^.{81}' <<<"$cut"; then
    echo 'a line is wider than 80 columns' >&2
    exit 1
fi

CUT="$cut" awk '
    /^<!-- screenshot:begin/ {
        print
        print "\n```text\n$ foureyes --demo triage --no-pull --limit 3"
        print ENVIRON["CUT"]
        print "  …\n```\n"
        inside = 1
        next
    }
    /^<!-- screenshot:end/ { inside = 0; ended = 1 }
    !inside { print }
    END { exit !ended }
' README.md >"$home/README.md"
cat -- "$home/README.md" >README.md
