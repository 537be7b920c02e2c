#!/bin/sh
# foureyes pre-push 1: judges what a push takes along, and lets it through on everything but a
# NO-GO that the program itself says. Written by `foureyes hook install`, which also changes it.
set +e
set +u
binary={{binary}}
kept={{kept}}
mode={{mode}}
within={{within}}

# The hook that was here before decides first, as it always did. Both read what git says of the refs.
exec 3<&0
if [ -n "$kept" ]; then
    case $0 in
    */*) kept=${0%/*}/$kept ;;
    *) kept=./$kept ;;
    esac
    refs=$(cat)
    if [ -x "$kept" ]; then
        if [ -n "$refs" ]; then
            printf '%s\n' "$refs" 2>/dev/null | "$kept" "$@"
        else
            "$kept" "$@" </dev/null
        fi
        code=$?
        [ "$code" -eq 0 ] || exit "$code"
    fi
    exec 3<<REFS
$refs
REFS
fi

if [ ! -f "$binary" ] || [ ! -x "$binary" ]; then
    printf '%s\n' "foureyes: there is no program at $binary; nothing is judged, the push goes on" >&2
    exit 0
fi

# A word that nobody else knows: only who was given it can give it back.
word=
if [ -r /proc/sys/kernel/random/uuid ]; then
    IFS= read -r word </proc/sys/kernel/random/uuid
fi
if [ -z "$word" ]; then
    word=$(od -An -N16 -tx1 /dev/urandom 2>/dev/null | tr -d ' \n')
fi
if [ -z "$word" ]; then
    printf '%s\n' "foureyes: there is nothing random here; nothing is judged, the push goes on" >&2
    exit 0
fi

said=$(
    "$binary" hook pre-push --word "$word" --within "$within" ${mode:+--mode "$mode"} -- "$@" <&3 3<&- &
    judge=$!
    exec 3<&-
    (
        # In steps, so that nothing sleeps on for long once this is ended.
        while [ "$within" -gt 0 ] && kill -0 "$judge"; do
            sleep 1 || exit
            within=$((within - 1))
        done
        kill -9 "$judge"
    ) </dev/null >/dev/null 2>&1 &
    guard=$!
    trap 'kill "$judge" "$guard" 2>/dev/null; exit 0' INT HUP TERM
    wait "$judge" 2>/dev/null
    code=$?
    kill "$guard" 2>/dev/null
    case $code in
    0 | 1) ;;
    *) printf '%s\n' "foureyes: the program ended with code $code; the push goes on" >&2 ;;
    esac
    printf 'code %s' "$code"
)
if [ "$said" = "blocked $word
code 1" ]; then
    exit 1
fi
exit 0
