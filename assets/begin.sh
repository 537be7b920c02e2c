# What every script begins with that runs on a box: the same for all of them, before anything is read.
# The first line of standard input is TOKEN, a random word that no file can hold; it frames all that
# is said.
set +e +f +u +C
unalias -a
exec 2>/dev/null
LC_ALL=C
PATH=$PATH:/usr/local/bin:/opt/homebrew/bin
export LC_ALL PATH
[ -n "$HOME" ] || HOME=$(cd && pwd)
IFS= read -r T
