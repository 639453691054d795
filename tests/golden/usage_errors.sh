# Every value that is refused: its message, then the status.
for line in '-p x' '-p 0' '-p -3' '-p 1,,2' '-p 1,2x' '-p 99999999999999999999' \
	'-t abc' '-C a' '-C 0-' '-F 0' '-F 9.5' '-F 99999999999' \
	'-d abc' '-d 0' '-d -1' '-d 1.2.3' '-d inf' '-e walltime' '-e page-faults -F 9' '-e page-faults -f rprof' '--max-memory 31' '--max-memory 4096' \
	'--max-memory 1e3' '--max-memory -1' \
	'--comm (' '--comm [a' '--uid nobody,no/such' '--uid -1' '-G /tmp' '-G none/such' '--children' '--children -- true' '--first 0' '--first 9' '-p 1 --cxx' 'record --warnings' 'maps' \
	'-U -K' '-q -v' '-a -p 1' '-p 1 -- true' '--lexical --promises' 'check -- true' '--' \
	'tclsh' 'record check' '-q check' 'record -f folded -o x' 'record --rotate 5 -o x' 'record --max-size x -o x' \
	'record --keep 0 -o x' 'report' 'convert' 'convert -f nonsense x' 'diff a' 'diff a b c' 'report --flat color x' 'report --least 101 x' 'report --width 5 x' \
	'convert --since -1 x' 'convert --comm ( x' 'report -p 0 x' 'report /dev/null' 'report none/such' 'diff Makefile README.md' 'convert --rotate 1h x' '--frob' '-x' '-F'; do
	echo "jpbpf $line" >&2
	# shellcheck disable=SC2086 # a list of words
	timeout 5 jpbpf $line
	echo "status $?" >&2
done
jpbpf -o ''
