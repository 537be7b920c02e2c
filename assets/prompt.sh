# What runs on a box to read the file of a prompt, behind begin.sh. It is fixed: nothing configured is
# ever put into it. It is given on standard input, as all its data are:
#   TOKEN   a random word that no file can hold; it frames all that is said here
#   PATH    a line ("~/" is the home)
#   MOST    so many bytes are sent at the most; of a longer file nothing is
# It writes nothing on the box.
IFS= read -r p
IFS= read -r m
case $p in
  '~/'*) p=$HOME/${p#??} ;;
  /*) ;;
  *) p=$HOME/$p ;;
esac
k=ok s=0
if [ ! -e "$p" ]; then k=missing
elif [ ! -f "$p" ]; then k=kind
elif [ ! -r "$p" ]; then k=closed
else
  s=$(($(wc -c <"$p")))
  [ "$s" -gt "$m" ] && k=long
fi
printf '%s O H 1 %s %s\n' "$T" "$k" "$s"
if [ "$k" = ok ]; then
  cat <"$p"
  printf '%s O E\n' "$T"
fi
printf '%s O Q\n' "$T"
exit 0
