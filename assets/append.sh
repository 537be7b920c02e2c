# What runs on a box to append records to files, behind begin.sh and lock.sh. It is fixed: nothing
# configured and nothing that a person typed is ever put into it. It is given on standard input, as
# all its data are:
#   TOKEN             a random word that no file can hold; it frames all that is said here
#   records, each of four lines:
#     "W m" or "W e"  the file is made where absent, or must exist
#     PATH            of the file ("~/" is the home)
#     RECORD          begins with {"id":"ID"
#     ".ID"           hexadecimal; without this line nothing is written: what came may be cut
#   anything else ends it
# What stands in a file is never changed: a record is added at its end, under a lock, unless it
# stands there already, and a last line without an end is ended first.

# What this box can do.
grep=0
[ "$(printf 'b\na\n' | grep -a -F -e a)" = a ] && grep=1
# The shell drops NULs from what it reads: a line that holds some is not ours, and must not look so.
if [ "$(printf 'a\000b' | tr '\000' '\001')" = "$(printf 'a\001b')" ]; then
  plain() { tr '\000' '\001'; }
else
  plain() { cat; }
fi
printf '%s O H 1\n' "$T"

say() {
  printf '%s O A %s\n' "$T" "$*"
}
# Whether the last line has no end.
torn() {
  [ -s "$f" ] && [ "$(($(tail -c 1 <"$f" | wc -l)))" = 0 ]
}
# Lines that hold the id: those that are our record, and those that begin as it does and go on in
# another way. The beginning of our record is what a cut left.
count() {
  if [ "$grep" = 1 ]; then grep -a -F -e "$i" <"$f"; else cat <"$f"; fi | plain | {
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
  named
}
# Whether our record is the last line and has no end.
open() {
  torn && [ "$(tail -n 1 <"$f" | plain)" = "$l" ]
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
  return 0
}
one() {
  d=${f%/*} made=0
  [ -n "$d" ] || d=/
  if [ "$m" = m ]; then
    directory || { say x directory; return; }
  fi
  if [ -e "$f" ]; then
    if [ ! -f "$f" ]; then say x kind; return; fi
    case $f in /proc/* | /sys/* | /dev/*) say x kind; return ;; esac
    if [ ! -r "$f" ] || [ ! -w "$f" ]; then say x closed; return; fi
  elif [ -L "$f" ]; then say x kind; return
  elif [ "$m" = e ]; then say x missing; return
  else
    [ "$made" = 2 ] || made=1
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
