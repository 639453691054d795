#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What the agent takes is limited: unwind tables that do not fit all at once take
# turns, and what finds no room is told.
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/bounds" gcc
bounds=$PROGRAMS/bounds

# library NUMBER FUNCTIONS [TURNS [NAME]]: many rows before and behind the two that run; a
# leaf is long, so that its samples are at ever new addresses, and goes through that so often.
library() {
	frame=$((${1#0} * 16))
	made=$work/${4:-$1}
	cat >"$made.S" <<-END
	.macro filler
	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	push %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset rbp, -24
	sub \$$((frame + 8)), %rsp
	.cfi_def_cfa_offset $((frame + 32))
	nop
	add \$$((frame + 8)), %rsp
	.cfi_def_cfa_offset 24
	pop %rbp
	.cfi_def_cfa_offset 16
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.endm
	.text
	.rept $(($2 + ${1#0} * 10))
	filler
	.endr
	.globl bounds_outer_$1
	.type bounds_outer_$1, @function
	bounds_outer_$1:
	.cfi_startproc
	sub \$$((frame + 8)), %rsp
	.cfi_def_cfa_offset $((frame + 16))
	call *%rdi
	add \$$((frame + 8)), %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size bounds_outer_$1, . - bounds_outer_$1
	.globl truth_leaf_$1
	.type truth_leaf_$1, @function
	truth_leaf_$1:
	.cfi_startproc
	sub \$$((frame + 24)), %rsp
	.cfi_def_cfa_offset $((frame + 32))
	mov \$${3:-1000}, %ecx
	1:
	.rept 30000
	nop
	.endr
	dec %ecx
	jnz 1b
	add \$$((frame + 24)), %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size truth_leaf_$1, . - truth_leaf_$1
	.rept $2
	filler
	.endr
	.section .note.GNU-stack,"",@progbits
	END
	gcc -shared -nostdlib -Wl,--build-id -s "$made.S" -o "$made.so"
}
# The large one is made beside the others, before anything is measured.
library 01 220000 1000 large &
large=$!
libraries=
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
	library "$i" 22000 200 || blame "no library $i"
	libraries="$libraries $work/$i.so"
done
wait "$large" || blame 'no large library'

# take_turns MB: all tables together do not fit.
take_turns() {
	# shellcheck disable=SC2086 # a list
	start_table "$bounds" turn 14 "$work/table" $libraries
	profile_start -p "$target" -F 499 -U --stats --max-memory "$1"
	profile_wait
	accounts_exact
	only_memory
	at_least 10 "$(figure 'tables dropped')" 'tables dropped'
	at_least 10 "$(figure 'built again')" 'tables built again'
	tables=$(sed -nE 's/^jpbpf: stats: agent .* tables ([0-9]+) KiB/\1/p' \
		"$work/err")
	at_most $(($1 * 1024)) "$tables" 'KiB of tables'
	at_most "$1" "$used" MiB
	figures="$figures; $(figure 'tables dropped') tables dropped"
	figures="$figures, $(figure 'built again') built again, $tables KiB"
}
take_turns 44
verdict "tables take turns: $figures"

# No room for one: what needs it is cut, and says so.
start_table "$bounds" turn 3 "$work/table" "$work/large.so" "$work/02.so"
profile_start -p "$target" -F 499 -U --stats --max-memory 32
until_true 15 gone "$profiler" || blame 'does not end'
profile_wait
status_is 0
accounts
only_memory
says 'no room for the unwind table (see --max-memory)'
shows '^bounds;\[cut: no room for the unwind table'
at_most 32 "$used" MiB
verdict "a table that does not fit at all is said: $taken taken, $kept kept, $used MiB"

# ------------------------------------------------------------ files that change

for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
	library "$i" 40 800
done
mkdir "$work/copies"
# change SECONDS MB: a target maps new files all the time, far more than there
# is room for at once.
change() {
	# shellcheck disable=SC2086 # a list
	start_table "$bounds" change "$1" "$work/table" "$work/copies" $libraries
	profile_start -p "$target" -F 499 -U --stats --max-memory "$2" -d "$1"
	until_true "$1" gone "$profiler"
	profile_wait
}
change 30 32
accounts_exact
only_memory
at_most 32 "$used" MiB
at_least 1850 "$(figure files,)" files
at_least 200 "$(figure 'files closed')" 'files closed'
figures="$figures; $(figure files,) files, $(figure 'files closed') closed"
verdict "files that nobody maps any more make room: $figures"

# replaced WHAT FRAME: the target puts libraries to the place of others, and every
# sample is exact: what was taken before that was seen is kept.
replaced() {
	profile_start -p "$target" -F 999 --stats -d 6
	profile_wait
	status_is 0
	accounts
	[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
	# A page that a forked child writes to is nowhere while it is being copied.
	grep -vE ';\[cut: stack memory unreadable\];.*;do_wp_page_\[k\]' "$work/out" \
		>"$work/others"
	shows_no '\[cut: ' "$work/others"
	grep '^bounds;.*truth_leaf_' "$work/out" >"$work/leaves"
	grep -vE "^bounds;$2;bounds_outer_([0-9]+);truth_leaf_\\1(;[^;]*_\\[k\\])* " \
		"$work/leaves" >"$work/wrong" && blame 'wrong stacks:' "$work/wrong"
	all=$(awk '{ n += $NF } END { print n + 0 }' "$work/leaves")
	wrong=$(awk '{ n += $NF } END { print n + 0 }' "$work/wrong")
	late=$(sed -nE 's/.* records, ([0-9]+) of them walked late/\1/p' "$work/err")
	at_least 500 "$all" 'samples in libraries'
	at_least 20 "$late" 'samples walked late'
	verdict "$1: exact/total = $((all - wrong))/$all, $late of them walked late"
}
# shellcheck disable=SC2086 # a list
start_table "$bounds" reuse 6 "$work/table" "$work/copies" $libraries
replaced 'libraries one after the other at one address' main
mkdir "$work/forked"
# shellcheck disable=SC2086 # a list
start_table "$bounds" fork 6 "$work/table" "$work/forked" $libraries
replaced 'the same in children that were just forked' '\[bounds\+0x[0-9a-f]+\]'
exit "$failed"
