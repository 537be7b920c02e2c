# What runs on a box to read what a judge judged. It is fixed: nothing configured and nothing of a
# log is ever put into it. It is given on standard input, as all its data are:
#   TOKEN             a random word that no repository can hold; it frames all that is said here
#   REPOSITORY        a line ("~/" is the home)
#   questions about objects, each by its name:
#     F PREFIX MOST   names that begin so        O ID MOST      an object
#     C ID ID MOST    what two commits differ in D ID ID MOST   the difference of two texts
#   "." ends a batch, as often as wanted; anything else ends it all
# It needs a POSIX shell and git. It writes nothing on the box, and fetches nothing.
set +e +f +u
unalias -a
exec 4>&1 2>/dev/null
LC_ALL=C
PATH=$PATH:/usr/local/bin:/opt/homebrew/bin
GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=false GIT_PAGER=cat GIT_NO_LAZY_FETCH=1
GIT_ALLOW_PROTOCOL=none GIT_OPTIONAL_LOCKS=0
export LC_ALL PATH GIT_TERMINAL_PROMPT GIT_ASKPASS GIT_PAGER GIT_NO_LAZY_FETCH
export GIT_ALLOW_PROTOCOL GIT_OPTIONAL_LOCKS
for v in DIR WORK_TREE COMMON_DIR INDEX_FILE OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES \
  QUARANTINE_PATH NAMESPACE PREFIX GRAFT_FILE SHALLOW_FILE REPLACE_REF_BASE IMPLICIT_WORK_TREE \
  INTERNAL_SUPER_PREFIX CONFIG CONFIG_COUNT CONFIG_PARAMETERS DEFAULT_HASH DEFAULT_REF_FORMAT \
  TEMPLATE_DIR EXTERNAL_DIFF DIFF_OPTS GLOB_PATHSPECS NOGLOB_PATHSPECS ICASE_PATHSPECS TRACE \
  TRACE_SETUP; do
  unset "GIT_$v"
done
[ -n "$HOME" ] || HOME=$(cd && pwd)
IFS= read -r T
IFS= read -r p
case $p in
  '~') p=$HOME ;;
  '~/'*) p=$HOME/${p#??} ;;
  /*) ;;
  *) p=$HOME/$p ;;
esac
head=0
[ "$(printf abcd | head -c 2)" = ab ] && head=1

# Whatever the repository configures to be run is switched off. It never sees our questions.
g() {
  git --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs \
    -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.pager=cat \
    -c protocol.allow=never -c color.ui=false -C "$p" "$@" </dev/null
}
k=ok
if ! git --version >/dev/null; then k=nogit
elif [ ! -d "$p" ]; then k=none
else
  s=$(g rev-parse --is-shallow-repository --show-prefix)
  # Below the top of a repository stands the path from there.
  case $s in false) ;; true) k=shallow ;; *) k=none ;; esac
fi
printf '%s O H 1 %s\n' "$T" "$k"

object() {
  printf '%s\n' "$1" | git --no-pager --no-optional-locks --no-replace-objects \
    -c core.fsmonitor=false -c protocol.allow=never -C "$p" cat-file --batch
}
changes() {
  g diff-tree -r -z --raw --no-abbrev -M -l400 --no-ext-diff --no-textconv "$1" "$2"
}
difference() {
  g diff --text --patch -U3 --inter-hunk-context=0 --diff-algorithm=myers --no-color \
    --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/ --ws-error-highlight=none "$1" "$2"
}
first() {
  if [ "$head" = 1 ]; then head -c "$1"; else dd bs=1 count="$1"; fi
}
# The beginning of what a command says, and whether it went well. A command that is not let speak
# to its end fails; the asker knows by the number of bytes.
tell() {
  m=$1
  shift
  printf '%s O B\n' "$T"
  s=$({ { "$@" 3>&- 4>&-; echo $? >&3; } | first "$m" >&4 3>&-; } 3>&1)
  printf '%s O E %s\n' "$T" "$s"
}
while IFS=' ' read -r w a b c; do
  case $a$b$c in *[!0-9a-f]*) break ;; esac
  case $w in
    F) tell "$b" g rev-parse "--disambiguate=$a" ;;
    O) tell "$b" object "$a" ;;
    C) tell "$c" changes "$a" "$b" ;;
    D) tell "$c" difference "$a" "$b" ;;
    .) printf '%s O .\n' "$T" ;;
    *) break ;;
  esac
done
printf '%s O Q\n' "$T"
exit 0
