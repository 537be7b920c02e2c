# What runs on a box during a pull, behind begin.sh. It is fixed: nothing configured is ever put into it.
# It is given on standard input, as all its data are:
#   TOKEN             a random word that no log can hold; it frames all that is said here
#   COUNT, then COUNT lines, each a path to look at ("~/" is the home)
#   "B zstd|gzip|raw", requests, "."       as often as wanted; then anything else to end
#   a request:   G FILE END MOST CANDIDATES
#   a candidate: ID p|z OFFSET HEAD HASH BLOCK LENGTH HASH   (BLOCK counts from 1)
# It needs a POSIX shell with dd and says what else it found. It writes nothing on the box.
IFS= read -r n
# So many names are listed; of more only the number is given.
limit=20000

# What this box can do.
H= alg=none
for h in sha256sum 'shasum -a 256' 'openssl dgst -sha256 -r'; do
  case $(printf abc | $h) in
    ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad*) H=$h alg=sha256; break ;;
  esac
done
if [ -z "$H" ]; then
  case $(printf abc | cksum) in '1219131554 3'*) H=cksum alg=cksum ;; esac
fi
head=0
[ "$(printf abcd | head -c 2)" = ab ] && head=1
tail=0
[ "$(printf abc | tail -c +2)" = bc ] && tail=1
zip=raw pack=
# Two threads: one is slower than a fast link. A zstd that has no threads says so or takes one.
if printf abc | zstd -1 -q -T2 -c >/dev/null; then zip=zstd pack='zstd -1 -q -T2 -c'
elif printf abc | zstd -1 -q -c >/dev/null; then zip=zstd pack='zstd -1 -q -c'
elif printf abc | gzip -1 -c >/dev/null; then zip=gzip pack='gzip -1 -c'
fi
look=
# Times to the nanosecond, where stat knows them.
for h in 'stat -L -c %d:%i:%s:%.9Y:%.9Z' 'stat -L -c %d:%i:%s:%Y:%Z' \
  'stat -L -f %d:%i:%z:%Fm:%Fc' 'stat -L -f %d:%i:%z:%m:%c'; do
  case $(printf '/\0' | xargs -0 $h) in
    [0-9]*:[0-9]*:[0-9]*:[0-9]*:[0-9]*) look=$h; break ;;
  esac
done
stat=0
[ -n "$look" ] && stat=1
now=$(date +%s.%N)
case ${now%%.*} in '' | *[!0-9]*) now=0 ;; esac
printf '%s O H 1 %s %s %s %s %s\n' "$T" "$alg" "$head" "$zip" "$stat" "$now"

# The files to look at become the positional parameters. A path is told with its kind and how
# many files there are so far.
set --
i=0
while [ "$i" -lt "$n" ]; do
  i=$((i + 1))
  IFS= read -r p || break
  case $p in
    '~') p=$HOME ;;
    '~/'*) p=$HOME/${p#??} ;;
    /*) ;;
    *) p=$HOME/$p ;;
  esac
  while :; do
    case $p in ?*/) p=${p%/} ;; *) break ;; esac
  done
  if [ -d "$p" ]; then
    if [ -r "$p" ] && [ -x "$p" ]; then
      k=d
      # Whatever looks like a log: which of these are read is decided where they come to. No pattern begins
      # with a star for names that begin with a dot.
      set -- "$@" "$p"/*.[jJ][sS][oO][nN][lL]* "$p"/.*.[jJ][sS][oO][nN][lL]* "$p"/.[jJ][sS][oO][nN][lL]*
    else
      k=u
    fi
  else
    k=m
    if [ -e "$p" ] || [ -L "$p" ]; then k=f
    else
      # Whether anything is below a directory that is closed cannot be known.
      q=$p
      while [ -n "$q" ] && [ ! -e "$q" ]; do q=${q%/*}; done
      if [ -d "${q:-/}" ] && [ ! -x "${q:-/}" ]; then k=u; fi
    fi
    set -- "$@" "$p" "$p"[!0-9A-Za-z]*
  fi
  printf '%s%s %s\0' "$k" "$#" "$p"
done
printf '%s O R\n' "$T"

# One field a file: its kind and its path. No program is started here.
files=0
kind() {
  if [ ! -e "$1" ]; then
    k=n
    [ -L "$1" ] && k=l
  elif [ -f "$1" ]; then
    case $1 in
      /proc/* | /sys/* | /dev/*) k=v ;;
      *) if [ -r "$1" ]; then k=f; else k=r; fi ;;
    esac
  elif [ -d "$1" ]; then k=d
  else k=s
  fi
}
i=0 left=0
for f in "$@"; do
  i=$((i + 1))
  if [ "$i" -le "$limit" ]; then
    kind "$f"
    [ "$k" = f ] && files=$((files + 1))
  elif [ -e "$f" ] || [ -L "$f" ]; then left=$((left + 1))
  fi
done
# How many records dd reads, as it says it: "whole+cut".
records() {
  r=$(dd of=/dev/null "$@" 2>&1)
  case $r in *' records in'*) r=${r%%' records in'*} ;; *) r= ;; esac
}
# The bytes of a file: by wc, else counted by dd. Nothing where neither tells.
size() {
  for x in $(wc -c <"$f") ''; do break; done
  case $x in '' | *[!0-9]*) ;; *) return ;; esac
  x=
  records bs=65536 <"$f"
  n=${r%+*}
  r=$(dd bs=65536 skip="$n" count=1 <"$f" | dd bs=1 of=/dev/null 2>&1)
  r=${r%%+*}
  case $n in '' | *[!0-9]*) return ;; esac
  case $r in '' | *[!0-9]*) return ;; esac
  x=$((n * 65536 + r))
}
one_each() { [ "$#" -eq "$files" ]; }
# Device, inode, size, time of writing and of change, a line a file: of all regular files at
# once, or one by one where a file came or went meanwhile. A file that went has "-", and one of which no
# program tells the size "?".
sizes() {
  if [ "$stat" = 1 ]; then
    s=$(
      i=0
      for f in "$@"; do
        i=$((i + 1))
        [ "$i" -le "$limit" ] || break
        kind "$f"
        [ "$k" = f ] && printf '%s\0' "$f"
      done | xargs -0 $look
    )
    [ "$files" = 0 ] && s=
    if one_each $s; then
      printf 'Sx%s\0' "$s"
      return
    fi
  fi
  printf Sl
  i=0
  for f in "$@"; do
    i=$((i + 1))
    [ "$i" -le "$limit" ] || break
    x=-
    kind "$f"
    if [ "$k" = f ]; then
      x=
      [ "$stat" = 1 ] && x=$(printf '%s\0' "$f" | xargs -0 $look)
      if [ -z "$x" ]; then
        size
        x=::$x::
      fi
      case $x in
        ::::)
          x=-
          kind "$f"
          [ "$k" = f ] && x='?'
          ;;
      esac
    fi
    printf '%s\n' "$x"
  done
  printf '\0'
}
list() {
  i=0
  for f in "$@"; do
    i=$((i + 1))
    [ "$i" -le "$limit" ] || break
    kind "$f"
    printf '%s%s\0' "$k" "$f"
  done
  printf '+%s\0' "$left"
  sizes "$@"
}
if [ "$zip" = raw ]; then list "$@"; else list "$@" | $pack; fi
printf '%s O L\n' "$T"

# The hash of standard input. Of many bytes openssl makes it several times as fast as most others;
# of few it takes longer to start.
fast=
quick() {
  fast=$H
  [ "$alg" = sha256 ] || return 0
  case $(printf abc | openssl dgst -sha256 -r) in
    ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad*) fast='openssl dgst -sha256 -r' ;;
  esac
}
digest() {
  m=$H
  case $1 in ????????*) m=$fast ;; esac
  $m | {
    read -r x y z
    case $alg in cksum) x=$x-$y ;; none) x=- ;; esac
    printf %s "$x"
  }
}
# So many bytes of standard input.
first() {
  if [ "$head" = 1 ]; then head -c "$1"
  else dd bs=1 count="$1"
  fi
}
# Leaves out so many bytes of a file that is standard input. By large blocks, for not every dd seeks; and not
# every dd seeks without reading anything.
skip() {
  q=$(($1 / 65536)) r=$(($1 % 65536))
  { [ "$q" = 0 ] || dd bs=65536 skip="$((q - 1))" count=1; } >/dev/null &&
    { [ "$r" = 0 ] || dd bs="$r" count=1; } >/dev/null
}
# Leaves out so many bytes of what is zipped in a file. Not every tail can count beyond 2 GiB.
unzipped() {
  case $f in
    *.zst) zstd -dcq <"$f" ;;
    *) gzip -dc <"$f" ;;
  esac | behind "$1"
}
behind() {
  if [ "$tail" = 0 ]; then
    [ "$1" = 0 ] || dd bs=1 count="$1" of=/dev/null
    dd bs=65536
  elif [ "$1" -gt 1073741824 ]; then tail -c +1073741825 | behind "$(($1 - 1073741824))"
  else tail -c "+$(($1 + 1))"
  fi
}
# Bytes of the file, or of what is zipped in it: how many are left out, how many are taken.
part() {
  case $way in
    z) unzipped "$1" | first "$2" ;;
    *) { skip "$1" && first "$2"; } <"$f" ;;
  esac
}
# Whether the file still begins as the mirror does.
same() {
  case $fast$a in ????????*) [ -n "$fast" ] || quick ;; esac
  if [ "$a" -gt 0 ]; then
    [ "$(part 0 "$a" | digest "$a")" = "$ha" ] || return 1
  fi
  if [ "$bl" -gt 0 ]; then
    [ "$(part "$((b - 1))" "$bl" | digest "$bl")" = "$hb" ] || return 1
  fi
}
# So many bytes from the cursor on, and of a file no more, even if it grew since the listing: the receiver counts
# them, so that it notices what is mixed in. Large blocks go several times as fast as through head.
send() {
  case $way$head in
    z0) unzipped "$at" ;;
    z1) part "$at" "$1" ;;
    *)
      n=$(($1 / 65536)) l=$(($1 % 65536))
      {
        skip "$at" &&
          { [ "$n" = 0 ] || dd bs=65536 count="$n"; } &&
          { [ "$l" = 0 ] || dd bs="$l" count=1; }
      } <"$f"
      ;;
  esac
}
serve() {
  taken=' '
  while IFS=' ' read -r w i end most nc; do
    [ "$w" = G ] || break
    case $i in '' | *[!0-9]*) break ;; esac
    eval "f=\${$i}"
    m=- at=0 way=p
    [ -f "$f" ] && [ -r "$f" ] || m=x
    while [ "$nc" -gt 0 ]; do
      nc=$((nc - 1))
      IFS=' ' read -r id way off a ha b bl hb || break
      [ "$m" = - ] || continue
      case $taken in *" $id "*) continue ;; esac
      if same; then m=$id at=$off found=$way taken="$taken$id "; fi
    done
    way=p
    case $m in - | x) ;; *) way=$found ;; esac
    printf '%s I D %s\n' "$u" "$m"
    len=0
    if [ "$m" != x ]; then
      len=$((end - at))
      [ "$way" = z ] && len=$most
      [ "$len" -gt "$most" ] && len=$most
    fi
    [ "$len" -gt 0 ] && send "$len"
    printf '%s I E\n' "$u"
  done
  printf '%s I .\n' "$u"
}
while IFS=' ' read -r w c; do
  [ "$w" = B ] || break
  case $c in
    raw) u=$T && serve "$@" ;;
    # A compressor may leave marks as they are.
    *) u=%${T#?} && serve "$@" | $pack ;;
  esac
  printf '%s O B\n' "$T"
done
printf '%s O Q\n' "$T"
exit 0
