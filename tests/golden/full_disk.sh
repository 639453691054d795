# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# An answer that could not be written is no success.
for line in --help --usage --version check 'info self' 'info self list'; do
	# shellcheck disable=SC2086 # a list of words
	jpbpf $line 2>&1 >/dev/full
	echo "jpbpf $line: status $?"
done
jpbpf --version 2>&1 >&-
echo "status $?"
