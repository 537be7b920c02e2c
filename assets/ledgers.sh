# What runs on a box to exchange ledgers through a directory there, behind begin.sh and lock.sh. It is
# fixed: nothing configured is ever put into it. It is given on standard input, as all its data are:
#   TOKEN                a random word that no ledger can hold; it frames all that is said here
#   DIRECTORY            a line ("~/" is the home)
#   "L"                  all ledgers are sent
#   "A NAME SIZE COUNT"  and so many bytes: they are added to a ledger that has just that size, and
#                        what then stands there from SIZE on is sent
#   anything else ends it
# A ledger is only ever added to, under a lock.
IFS= read -r d
case $d in
  '~') d=$HOME ;;
  '~/'*) d=$HOME/${d#??} ;;
  /*) ;;
  *) d=$HOME/$d ;;
esac
k=ok
[ -d "$d" ] || k=none
printf '%s O H 1 %s\n' "$T" "$k"

say() {
  printf '%s O %s\n' "$T" "$*"
}
told() {
  say R "$1"
  say D
}
good() {
  case $1 in .* | -* | *[!A-Za-z0-9%._~+@-]*) return 1 ;; esac
  case $1 in ?*@?*.jsonl) return 0 ;; esac
  return 1
}
all() {
  for f in "$d"/*@*.jsonl; do
    n=${f##*/}
    good "$n" || continue
    [ -f "$f" ] || continue
    if [ ! -r "$f" ]; then say "X $n"; continue; fi
    say "F $n"
    cat <"$f"
    say E
  done
  say L
}
size() {
  s=0
  [ -e "$f" ] && s=$(($(wc -c <"$f")))
}
# So many bytes of standard input, and no byte more.
bytes() {
  if [ "$block" = 1 ]; then dd ibs=1 obs=65536 count="$1"
  else dd bs=1 count="$1"
  fi
}
# Adds what comes, where nothing came in between.
put() {
  size
  [ "$s" = "$at" ] || return 76
  bytes "$count" >>"$f"
  dd if=/dev/null conv=fsync >>"$f" || sync "$f" || sync
  [ "$at" = 0 ] && [ "$made" = 0 ] && made=1
  named
  say B
  tail -c "+$((at + 1))" <"$f"
  told ok
}
# A ledger holds the seed of its reviewer's audit sample: in a directory of this account it is read by
# nobody but the group that may read the directory. Where everybody writes, it is not ours to say.
close() {
  [ -O "$d" ] || return 0
  case $(ls -ld "$d/.") in
    ????????w*) return 0 ;;
    ????r*) umask 027; [ -O "$f" ] && chmod o= "$f" ;;
    *) umask 077; [ -O "$f" ] && chmod go= "$f" ;;
  esac
  return 0
}
one() {
  good "$n" || { told name; return 1; }
  directory || { told closed; return 1; }
  f=$d/$n
  close
  if [ -e "$f" ]; then
    if [ ! -f "$f" ]; then told kind; return 1; fi
    if [ ! -r "$f" ] || [ ! -w "$f" ]; then told closed; return 1; fi
  elif [ -L "$f" ]; then told kind; return 1
  elif [ ! -w "$d" ]; then told closed; return 1
  fi
  locked
  case $? in
    0) ;;
    75) told locked; return 1 ;;
    76) told moved; return 1 ;;
    *) told closed; return 1 ;;
  esac
}
while IFS=' ' read -r c n at count; do
  case $c in
    L) all ;;
    # Of bytes that were not taken nobody knows where they end: nothing can follow them.
    A)
      case $at$count in '' | *[!0-9]*) break ;; esac
      one || break
      ;;
    *) break ;;
  esac
done
say Q
exit 0
