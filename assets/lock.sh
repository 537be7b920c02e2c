# What the scripts have in common that write on a box: adding to the file $f under its lock. Each has
# a `put`, which is called under it; its status is given back. 75: another process has the lock.
block=0
# Small pieces become one write: those who append without our lock put nothing in between.
[ "$(printf ab | dd ibs=1 obs=65536)" = ab ] && block=1
flock=$(command -v flock)
nap() {
  w=$((w + 1))
  sleep 0.1 || { sleep 1; w=$((w + 9)); }
}
# Makes the directory $d where absent. Its name is as new as what comes into it.
made=0
directory() {
  made=0
  [ -d "$d" ] && return 0
  made=2
  mkdir -p "$d"
}
# To the disk: the name of the file where it is new, and of its directory.
named() {
  case $made in
    1) sync "$d" || sync ;;
    2) sync ;;
  esac
}
# The lock where there is no flock: a link that says who has it. Whether that process is dead.
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
      # Whoever was killed in the middle of that left his link: it is nobody's.
      o=$(readlink "$k.break")
      gone "$o" && [ "$(readlink "$k.break")" = "$o" ] && rm -f "$k.break"
      [ "$w" -ge 50 ] && return 75
      nap
    fi
  done
  trap 'rm -f "$k"; exit 1' HUP INT TERM
  put
  e=$?
  rm -f "$k"
  trap - HUP INT TERM
  return "$e"
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
      exit
    ) 9>>"$f"
    e=$?
    [ "$e" = 77 ] || return "$e"
  fi
  linked
}
