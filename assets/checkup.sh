# What runs on a box for its checkup, behind begin.sh. It is fixed: nothing configured is ever put into
# it. It is given on standard input, as all its data are:
#   TOKEN    a random word; it frames all that is said here
#   "P PATH" a log path ("~/" is the home)
#   anything else ends it
printf '%s O H 1 %s\n' "$T" "$(date +%s)"
while IFS= read -r p; do
  case $p in 'P '*) p=${p#??} ;; *) break ;; esac
  case $p in '~/'*) p=$HOME/${p#??} ;; esac
  if [ -d "$p" ]; then
    if [ -r "$p" ] && [ -x "$p" ]; then s=readable; else s=denied; fi
  elif [ -f "$p" ]; then
    if [ -r "$p" ]; then s=readable; else s=denied; fi
  elif [ -e "$p" ]; then s=odd
  else s=missing
  fi
  printf '%s O P %s\n' "$T" "$s"
done
printf '%s O Q\n' "$T"
exit 0
