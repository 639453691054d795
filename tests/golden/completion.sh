# What bash offers at the end of a line.
cat >"${TMPDIR:-/tmp}/complete.$$" <<'END'
. man/jpbpf.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_jpbpf
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END
for line in 're' 'record --ro' 'convert run.jpb -f p' 'report --s' '-e page' 'report --flat m' \
	'report --by ' 'diff --as' 'convert -o man/see'; do
	printf '%s: ' "jpbpf $line"
	# shellcheck disable=SC2086 # a list of words
	case $line in
	*' ') bash "${TMPDIR:-/tmp}/complete.$$" jpbpf $line '' ;;
	*) bash "${TMPDIR:-/tmp}/complete.$$" jpbpf $line ;;
	esac
	echo
done
rm -f "${TMPDIR:-/tmp}/complete.$$"
