# What info refuses: its message, then the status.
for line in 'info' 'info self what' 'info 1 2' 'info self get' 'info self list x' \
	'info 0' 'info 99999999999' 'info self get jpbpf nokey' 'info self -- true' \
	'info /nonexistent' 'info nosuchprogram' 'info /dev/null/x' 'info /dev/null' 'info /etc/passwd' '--json' \
	'check --json'; do
	echo "jpbpf $line" >&2
	# shellcheck disable=SC2086 # a list of words
	timeout 5 jpbpf $line
	echo "status $?" >&2
done
jpbpf info ''
