# What runs on a box to ask the program there. It is fixed: nothing configured and nothing that a
# person typed is ever put into it. It is given on standard input, as all its data are:
#   TOKEN        a random word that no file can hold; it frames all that is said here
#   WORD         which question: version, check, probe, question, rehearse, mode, turn, rates
#   REPOSITORY   directories ("~/" is the home), a line each, or none; and an empty line
#   COUNT        and so many bytes, for the program's own standard input
# The environment is the one that the box gives to a command over SSH: that is a part of the question.
set +e +f +u +C
unalias -a
IFS= read -r T
IFS= read -r w
set --
while IFS= read -r d && [ -n "$d" ]; do
  case $d in
    '~') d=$HOME ;;
    '~/'*) d=$HOME/${d#??} ;;
  esac
  set -- "$@" --repo="$d"
done
IFS= read -r n
say() {
  printf '%s O %s\n' "$T" "$*"
}
p=
for x in "$(command -v foureyes 2>/dev/null)" "$HOME/.cargo/bin/foureyes" "$HOME/.local/bin/foureyes" /usr/local/bin/foureyes /opt/homebrew/bin/foureyes; do
  case $x in
    /*) [ -f "$x" ] && [ -x "$x" ] && { p=$x; break; } ;;
  esac
done
if [ -z "$p" ]; then
  say N
  say Q
  exit 0
fi
say H "$p"
say V "$("$p" --version </dev/null 2>/dev/null | head -n 1)"
# So many bytes of standard input. A tool that takes more takes what nobody else needs.
first() {
  if [ "$(printf abcd | head -c 2)" = ab ]; then head -c "$n"
  else dd bs=1 count="$n" 2>/dev/null
  fi
}
ask() {
  say S
  if [ "$n" = 0 ]; then
    "$p" "$@" </dev/null
  else
    { first | "$p" "$@"; }
  fi
  c=$?
  printf '\n'
  say E "$c"
}
case $w in
  check) ask hook check --json "$@" ;;
  probe) ask hook check --ask --json "$@" ;;
  rehearse) ask hook rehearse --json "$@" ;;
  question) ask hook question --json ;;
  mode) ask hook mode --json ;;
  turn) ask hook mode --json --order - ;;
  rates) ask hook rates --json ;;
esac
say Q
