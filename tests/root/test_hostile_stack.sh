#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Native stacks made to lead astray, and pages that change while they are read:
# every sample is accounted for, with the reason that is due.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/hostile_stack" tclsh8.6

mean_below() {
	mean=$(sed -n 's/^jpbpf: cost: \([0-9]*\).*/\1/p' "$work/err")
	[ "${mean:-999999}" -le "$1" ] || blame "a sample costs $mean us" "$work/err"
}
samples_in() {
	awk '{ s += $NF } END { print s + 0 }' "$1"
}

start "$PROGRAMS/hostile_stack" kinds
profile -p "$target" -d 8 -F 499 --max-cost 100 -U --stats
status_is 0
kill -0 "$target" || blame 'the target has ended' "$work/target.out"
stop "$target"
accounts "$work/out"
mean_below 20000
# What is in main prepares the next kind.
grep -v ';main' "$work/out" >"$work/astray"
checked=0
while read -r kind reason; do
	grep "^$kind;" "$work/astray" >"$work/kind"
	all=$(samples_in "$work/kind")
	grep -F "$kind;[cut: $reason]" "$work/kind" >"$work/right"
	right=$(samples_in "$work/right")
	[ "$all" -gt 0 ] || blame "$kind: no samples"
	[ "$right" = "$all" ] ||
		blame "$kind: of $all samples $right say '$reason'" "$work/kind"
	checked=$((checked + right))
done <<'END'
itself stack address did not rise
each_other stack address did not rise
downwards stack address did not rise
endless more frames than the limit
far_apart stack memory unreadable
narrow more frames than the limit
unmapped stack memory unreadable
kernel stack memory unreadable
non_canonical stack memory unreadable
wraps stack memory unreadable
odd address in no known mapping
edge stack memory unreadable
wild_rsp stack memory unreadable
no_rsp stack memory unreadable
deref_itself stack address did not rise
deref_wild stack memory unreadable
signals stack address did not rise
END
[ "$checked" = "$(samples_in "$work/astray")" ] ||
	blame "$checked of $(samples_in "$work/astray") samples are of a kind"
verdict "17 kinds of stacks that lead astray: $checked/$checked samples cut for their reason"

# The pages between are harmed by another thread, thousands of times a second.
start_tcl
honest=$target
start "$PROGRAMS/hostile_stack" storm
profile -p "$honest,$target" -d 4 -F 5000 --max-cost 100 -U --stats
status_is 0
kill -0 "$target" || blame 'the target has ended' "$work/target.out"
stop "$target" "$honest"
accounts "$work/out"
mean_below 20000
storm=$(grep '^storm;.*burn_fp' "$work/out" | awk '{ s += $NF } END { print s + 0 }')
whole=$(grep '^storm;\[cut: .*burn_fp' "$work/out" | awk '{ s += $NF } END { print s + 0 }')
[ "$storm" -gt 100 ] || blame "$storm samples of the storm" "$work/err"
[ "$whole" = "$storm" ] || blame "of $storm samples $whole say why they end"
! grep '^tclsh8\.6;' "$work/out" | grep '\[cut: ' >"$work/bad" ||
	blame 'the honest target suffers:' "$work/bad"
verdict "pages that change under the walk, 5,000 Hz: $whole/$storm samples say why"
exit "$failed"
