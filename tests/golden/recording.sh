# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# A recording of version 1.0 of the format stays readable, whatever is added to it:
# tests/views/make_recording wrote it once.
run=tests/golden/recording-1.0.jpb
for line in 'report --no-pager -e cpu-clock' 'report --no-pager --flat thread -e cpu-clock' \
	'convert -f folded -e cpu-clock' 'convert -f folded -e page-faults --lines' \
	'convert -f folded -e cpu-clock --internals --inlines --addresses --no-rules' \
	'convert -f folded -e cpu-clock --promises --lines' \
	'convert -f folded -e cpu-clock --phase fitting --thread worker' \
	'convert -f folded -e cpu-clock --since 0.05 --until 0.1 -G lab' \
	'convert -f folded -e cpu-clock --since 0.05 --until 0.1 -G system.slice' \
	'convert -f folded'; do
	echo "jpbpf $line"
	# shellcheck disable=SC2086 # a list of words
	jpbpf $line $run 2>&1
done
jpbpf convert -f jsonl $run | grep -E '"type":"(mark|loss)"'
