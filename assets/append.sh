# What runs on a box to append records to files. It is fixed: nothing configured and nothing that a
# person typed is ever put into it. It is given on standard input, as all its data are:
#   TOKEN             a random word that no file can hold; it frames all that is said here
#   records, each of four lines:
#     "W m" or "W e"  the file is made where absent, or must exist
#     PATH            of the file ("~/" is the home)
#     RECORD          begins with {"id":"ID"
#     ".ID"           hexadecimal; without this line nothing is written: what came may be cut
#   anything else ends it
# What stands in a file is never changed: a record is added at its end, under a lock, unless it
# stands there already, and a last line without an end is ended first.
set +e +f +u +C
unalias -a
exec 2>/dev/null
LC_ALL=C
PATH=$PATH:/usr/local/bin:/opt/homebrew/bin
export LC_ALL PATH
[ -n "$HOME" ] || HOME=$(cd && pwd)
IFS= read -r T

# What this box can do.
grep=0
[ "$(printf 'b\na\n' | grep -a -F -e a)" = a ] && grep=1
# Small pieces become one write: those who append without our lock put nothing in between.
block=0
[ "$(printf ab | dd ibs=1 obs=65536)" = ab ] && block=1
flock=$(command -v flock)
printf '%s O H 1\n' "$T"

say() {
  printf '%s O A %s\n' "$T" "$*"
}
nap() {
  w=$((w + 1))
  sleep 0.1 || { sleep 1; w=$((w + 9)); }
}
# Whether the last line has no end.
torn() {
  [ -s "$f" ] && [ "$(($(tail -c 1 <"$f" | wc -l)))" = 0 ]
}
# Lines that hold the id: those that are our record, and those that begin as it does and go on in
# another way. The beginning of our record is what a cut left.
count() {
  if [ "$grep" = 1 ]; then grep -a -F -e "$i" <"$f"; else cat <"$f"; fi | {
    a=0 b=0
    while IFS= read -r x || [ -n "$x" ]; do
      if [ "$x" = "$l" ]; then a=$((a + 1))
      else
        case $l in
          "$x"*) ;;
          *) case $x in '{"id":"'"$i"'"'*) b=$((b + 1)) ;; esac ;;
        esac
      fi
    done
    printf '%s %s' "$a" "$b"
  }
}
add() {
  if [ "$block" = 1 ]; then printf "$1" "$2" | dd obs=65536 >>"$f"
  else printf "$1" "$2" >>"$f"
  fi
}
# To the disk: the file, or all there is.
flush() {
  y=n
  if dd if=/dev/null conv=fsync >>"$f"; then y=f
  elif sync "$f" || sync; then y=s
  fi
  if [ "$made" = 1 ]; then sync "$d" || sync; fi
}
# Whether our record is the last line and has no end.
open() {
  torn && [ "$(tail -n 1 <"$f")" = "$l" ]
}
# Appends, and reads what then stands there.
put() {
  c=$(count)
  r=0 s=t
  if [ "${c% *}" = 0 ]; then
    s=w
    if torn; then
      r=1
      add '\n%s\n' "$l"
    else add '%s\n' "$l"
    fi
  elif open; then
    r=1
    add '%s\n' ''
  fi
  flush
  c=$(count)
  if [ "${c% *}" = 0 ] || open; then say x notthere
  else say "$s $y $r ${c#* }"
  fi
}
# The lock where there is no flock: a link that says who has it.
gone() {
  case $1 in "$host":[0-9]*) ;; *) return 1 ;; esac
  p=${1##*:}
  if [ -d /proc/self ]; then [ ! -d "/proc/$p" ]
  else ! kill -0 "$p" && ! ps -p "$p" >/dev/null
  fi
}
linked() {
  host=$(uname -n) k=$f.lock w=0
  until ln -s "$host:$$" "$k"; do
    o=$(readlink "$k")
    # One at a time takes away the lock of a dead process, and looks again before.
    if gone "$o" && ln -s "$host:$$" "$k.break"; then
      [ "$(readlink "$k")" = "$o" ] && rm -f "$k"
      rm -f "$k.break"
    else
      [ "$w" -ge 50 ] && return 75
      nap
    fi
  done
  trap 'rm -f "$k"; exit 1' HUP INT TERM
  put
  rm -f "$k"
  trap - HUP INT TERM
}
locked() {
  if [ -n "$flock" ]; then
    (
      w=0
      while :; do
        flock -n 9
        e=$?
        [ "$e" = 0 ] && break
        [ "$e" = 1 ] || exit 77
        [ "$w" -ge 50 ] && exit 75
        nap
      done
      put
      exit 0
    ) 9>>"$f"
    e=$?
    [ "$e" = 77 ] || return "$e"
  fi
  linked
}
one() {
  d=${f%/*} made=0
  [ -n "$d" ] || d=/
  if [ "$m" = m ] && [ ! -d "$d" ]; then
    mkdir -p "$d" || { say x directory; return; }
  fi
  if [ -e "$f" ]; then
    if [ ! -f "$f" ]; then say x kind; return; fi
    case $f in /proc/* | /sys/* | /dev/*) say x kind; return ;; esac
    if [ ! -r "$f" ] || [ ! -w "$f" ]; then say x closed; return; fi
  elif [ -L "$f" ]; then say x kind; return
  elif [ "$m" = e ]; then say x missing; return
  else
    made=1
    [ -d "$d" ] && [ -w "$d" ] || { say x closed; return; }
  fi
  locked
  case $? in
    0) ;;
    75) say x locked ;;
    *) say x closed ;;
  esac
}
while IFS= read -r m && IFS= read -r f && IFS= read -r l && IFS= read -r i; do
  case $m in 'W m' | 'W e') m=${m#W } ;; *) break ;; esac
  case $i in .?*) i=${i#.} ;; *) break ;; esac
  case $i in *[!0-9a-f]*) break ;; esac
  case $f in
    '~/'*) f=$HOME/${f#??} ;;
    /*) ;;
    *) f=$HOME/$f ;;
  esac
  one
done
printf '%s O Q\n' "$T"
exit 0
