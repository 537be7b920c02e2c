# What runs on a box to read the questions of tasks, behind begin.sh. It is fixed: nothing configured is ever put into
# it. It is given on standard input, as all its data are:
#   TOKEN     a random word that no question can hold; it frames all that is said here
#   MOST      so many bytes are sent at the most of a question; of a longer one nothing is
#   "D DIR"   the directory of the questions that are asked for next
#   "Q HASH"  a question, by 64 hexadecimal digits; nothing is said of one that is not there
#   "B"       all before it were said
#   anything else ends it
# It writes nothing on the box.
say() {
  printf '%s O %s\n' "$T" "$*"
}
IFS= read -r m
say H 1
d=
one() {
  case $h in *[!0-9a-f]*) return ;; esac
  [ "${#h}" = 64 ] || return
  f=$d/$h.json
  if [ ! -e "$f" ] && [ ! -L "$f" ]; then return; fi
  if [ -L "$f" ] || [ ! -f "$f" ]; then say X "$h" kind; return; fi
  if [ ! -r "$f" ]; then say X "$h" closed; return; fi
  if [ "$(($(wc -c <"$f")))" -gt "$m" ]; then say X "$h" long; return; fi
  say F "$h"
  cat <"$f"
  say E
}
while IFS= read -r l; do
  case $l in
    'D '*) d=${l#D } ;;
    'Q '*) h=${l#Q }; one ;;
    B) say B ;;
    *) break ;;
  esac
done
say Q
exit 0
