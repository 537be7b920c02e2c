#!/bin/sh
# foureyes pre-push 1: judges what a push brings, and lets it through on everything but a
# NO-GO that the program itself says. Written by `foureyes hook install`, which also changes it.
set +e
set +u
# However this ends, by a failure of the shell or a signal too, it ends with this code.
stop=0
trap 'exit "$stop"' EXIT HUP INT QUIT PIPE ALRM TERM USR1 USR2
hook={{hook}}
binary={{binary}}
kept={{kept}}
mode={{mode}}
within={{within}}
#receive# config={{config}}
#receive# data={{data}}
#receive# unjudged={{unjudged}}
#receive# then='the push goes on'
#receive# # Where what is not judged is refused, only the program lets a push in.
#receive# if [ -n "$unjudged" ]; then
#receive#     stop=1
#receive#     then='the push is refused'
#receive# fi

# What is started beside a shell is given nothing to read, but for what it is given by name.
# Where there is nothing to read, not every shell comes back from an `exec` to run the trap.
true <&0 || exit
exec 3<&0 || exit

# One of husky's looks for what it runs by its own name, which is not the one that it has here.
run_kept() {
    if [ -f "${kept%/*}/h" ] && [ "$(sed -n 2p "$kept")" = '. "$(dirname "$0")/h"' ]; then
        sh -c 'kept=$1; shift; . "$kept"' "${kept%/*}/$hook" "$kept" "$@"
    else
        "$kept" "$@"
    fi
}

# The hook that was here before decides first, as it always did: what keeps it from deciding stops
# the push, as without us. Both read what git says of the refs.
if [ -n "$kept" ]; then
    case $0 in
    */*) kept=${0%/*}/$kept ;;
    *) kept=./$kept ;;
    esac
    if [ -x "$kept" ]; then
        stop=1
        if refs=$(cat <&3); then
            # With the line's end, which the shell took away.
            refs=${refs:+$refs
}
            printf '%s' "$refs" 2>/dev/null | run_kept "$@" 3<&-
            stop=$?
        else
            run_kept "$@" <&3 3<&-
            stop=$?
            printf '%s\n' "foureyes: what git says cannot be read; nothing is judged" >&2
#receive#             [ -z "$unjudged" ] || stop=1
            exit
        fi
        [ "$stop" -eq 0 ] || exit
    else
        kept=
    fi
fi
#receive# [ -z "$unjudged" ] || stop=1

if [ ! -f "$binary" ] || [ ! -x "$binary" ]; then
#send#     printf '%s\n' "foureyes: there is no program at $binary; nothing is judged, the push goes on" >&2
#receive#     printf '%s\n' "foureyes: there is no program at $binary; nothing is judged, $then" >&2
    exit
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
#send#     printf '%s\n' "foureyes: there is nothing random here; nothing is judged, the push goes on" >&2
#receive#     printf '%s\n' "foureyes: there is nothing random here; nothing is judged, $then" >&2
    exit
fi

# All of it beside this shell, which waits: so a signal is heeded at once.
#send# set -- hook "$hook" --word "$word" --within "$within" ${mode:+--mode "$mode"} -- "$@"
#receive# set -- hook "$hook" --word "$word" --within "$within" ${mode:+--mode "$mode"} ${config:+--config "$config"} \
#receive#     ${data:+--data-dir "$data"} ${unjudged:+--unjudged "$unjudged"} -- "$@"
{
    trap - EXIT
    if [ -n "$kept" ]; then
        printf '%s' "$refs" 2>/dev/null | "$binary" "$@" 3<&- &
    else
        "$binary" "$@" <&3 3<&- &
    fi
    judge=$!
    exec 3<&-
    (
        # In steps, so that nothing sleeps on for long once this is ended. Where the program is gone
        # its number may be another's; where the script is gone nobody hears the program.
        while [ "$within" -gt 0 ]; do
            sleep 1 || exit
            kill -0 "$judge" || exit
            kill -0 "$$" || break
            within=$((within - 1))
        done
        kill -9 "$judge"
    ) </dev/null >/dev/null 2>&1 &
    guard=$!
    trap 'kill "$judge" "$guard" 2>/dev/null; exit 0' HUP TERM
    wait "$judge" 2>/dev/null
    code=$?
    kill "$guard" 2>/dev/null
    case $code in
    0 | 1) ;;
    *)
        # Where the script was ended the push was too, and the program with it.
        if kill -0 "$$" 2>/dev/null; then
#send#             printf '%s\n' "foureyes: the program ended with code $code; the push goes on" >&2
#receive#             printf '%s\n' "foureyes: the program ended with code $code; $then" >&2
        fi
        ;;
    esac
    printf 'code %s\n' "$code"
} | {
    # More than what is to be read is not the program's word. A shell reads a byte at a time.
    head -c 256
} | {
    trap - EXIT
    first= code= more=
    IFS= read -r first
    IFS= read -r code
    IFS= read -r more && exit 0
    [ "$first" = "blocked $word" ] && [ "$code" = 'code 1' ] && [ -z "$more" ] && exit 77
#receive#     [ "$first" = 'code 0' ] && [ -z "$code" ] && exit 78
    exit 0
} &
wait "$!"
#send# [ "$?" -ne 77 ] || stop=1
#receive# case $? in
#receive# 77) stop=1 ;;
#receive# 78) stop=0 ;;
#receive# *) [ -z "$unjudged" ] || printf '%s\n' "foureyes: the program did not decide; $then" >&2 ;;
#receive# esac
exit
