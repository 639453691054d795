#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Processes that begin, fork, exec, load libraries and end under the profiler.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/truth_tcl.so" "$PROGRAMS/hop_one" \
	"$PROGRAMS/hop_two" "$PROGRAMS/hop_exec.so"

# -------------------------------------------------------------- fork and exec

# The functions of child and grandchild run there alone.
cat >"$work/fork.R" <<'EOF'
invisible(compiler::enableJIT(0))
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
in_child <- function() for (i in 1:300) spin(2000)
in_parent <- function() for (i in 1:300) spin(2000)
until <- commandArgs(TRUE)
while (!file.exists(until)) spin(2000)
job <- parallel::mcparallel(in_child())
in_parent()
invisible(parallel::mccollect(job))
EOF
start Rscript --vanilla "$work/fork.R" "$work/go"
until_true 30 has_mapped "$target" libR.so || blame 'no R' "$work/target.out"
profile_start -p "$target" -F 999
touch "$work/go"
profile_wait
status_is 0
accounts "$work/out"
shows '^R;(.*;)?in_parent;spin(;| )'
shows '^R;.*parallel::mcparallel;.*in_child;spin(;| )'
grep -E 'in_(child|parent)' "$work/out" >"$work/forked"
shows_no '\[cut' "$work/forked"
verdict 'fork: the child of mcparallel, under its parent'"'"'s frames'

cat >"$work/outer.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc outer {} {for {set n 0} {$n < 500} {incr n} {spin 5000}}
outer
exec [info nameofexecutable] [lindex $argv 0]
outer
EOF
cat >"$work/inner.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc inner {} {for {set n 0} {$n < 1500} {incr n} {spin 5000}}
inner
EOF
profile -F 999 -- tclsh8.6 "$work/outer.tcl" "$work/inner.tcl"
status_is 0
accounts "$work/out"
shows '^tclsh8.6;outer;spin(;| )'
shows '^tclsh8.6;inner;spin(;| )'
verdict '-- COMMAND: the command, and what it executes'

# The same process executes another program.
# shellcheck disable=SC2016 # $0 is of the inner shell
profile -F 999 -- sh -c 'exec tclsh8.6 "$0"' "$work/inner.tcl"
status_is 0
accounts "$work/out"
shows '^tclsh8.6;inner;spin(;| )'
verdict 'exec: a shell becomes a tclsh'

# One process that is three programs in turn, each of which has others at the same
# addresses and is looked at when it is about to become the next one.  What was sampled
# in one must never be told by the mappings of another.
export PROGRAMS
cat >"$work/hops" <<'EOF'
hop_one one_leaf hop_one;main;one_outer;one_inner;one_leaf
hop_two two_leaf hop_two;main;two_outer;two_inner;two_leaf
hop.tcl truth_leaf_01 hop.tcl;hop_outer;hop_inner;::truth::burn;truth_leaf_01
EOF
# Before its interpreter is examined Tcl's frames cannot be read: one stands for all, and
# its commands are C functions.
# hops_are_exact [PROGRAM...]: these have samples, else all three.
hops_are_exact() {
	sed -E 's/(;[^;]*_\[k\])* ([0-9]+)$/ \2/' "$work/out" |
		awk -v ours="${*:-hop_one hop_two hop.tcl}" '
	NR == FNR { leaf[$1] = $2; want[$1] = $3; next }
	{
		count = $NF
		sub(/ [0-9]+$/, "")
		if (!match($0, /^hop(_one|_two|\.tcl);/))
			next
		comm = substr($0, 1, RLENGTH - 1)
		all += count
		cut += /\[cut: / ? count : 0
		for (other in leaf)
			if (other != comm && index($0, leaf[other]))
				print "of " other ": " $0
		if (comm != "hop.tcl" && /[Tt]cl/ && !/\[cut: /)
			print "Tcl: " $0
		if (!index($0, ";" leaf[comm]))
			next
		total[comm] += count
		if ($0 == want[comm])
			exact[comm] += count
		else if (/^hop\.tcl;\[tcl frame\];\[truth_tcl\.so\+0x[0-9a-f]+\];truth_leaf_01$/)
			early += count
		else
			print count, $0
	}
	END {
		for (comm in leaf)
			printf("%s %d/%d exact, ", comm, exact[comm], total[comm]) \
				>"/dev/stderr"
		printf("%d early, %d of %d cut\n", early, cut, all) >"/dev/stderr"
		split(ours, names, " ")
		for (i in names)
			if (total[comm = names[i]] < 40)
				print "only " total[comm] " samples of " comm
		if (cut * 20 > all)
			print cut " of " all " are cut"
	}' "$work/hops" - >"$work/wrong" 2>"$work/figures"
	[ ! -s "$work/wrong" ] || blame 'other stacks:' "$work/wrong"
	figures=$(cat "$work/figures")
}
hop() {
	"$@" "$PROGRAMS/hop_one" 300 2 "$sources/hop.tcl" "$PROGRAMS/hop_one" \
		"$PROGRAMS/hop_two" "$PROGRAMS/hop_one"
}
hop profile -F 999 --
status_is 0
accounts
hops_are_exact
verdict "exec all the time: $figures"
profile_start -a -F 999
hop start
until_true 60 gone "$target" || blame 'does not end' "$work/target.out"
profile_end INT
status_is 0
accounts
hops_are_exact
verdict "the same on the whole host: $figures"

# Two of the three are none of ours; what is sampled in them while the kernel makes one
# out of the other has no frames of theirs.
profile_start -F 999
hop start
until_true 60 gone "$target" || blame 'does not end' "$work/target.out"
profile_end INT
status_is 0
accounts
sed -E 's/(;[^;]*_\[k\])* ([0-9]+)$/ \2/' "$work/out" |
	grep -E '^hop_(one|two);' | grep -vE '^[^;]*;\[cut: [^;]*$' >"$work/wrong"
[ ! -s "$work/wrong" ] || blame 'others were looked at:' "$work/wrong"
hops_are_exact hop.tcl
verdict "the same among all Tcl and R processes: $figures"

# ------------------------------------------------------------------- dlopen

cat >"$work/loads.tcl" <<'EOF'
lassign $argv so until
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc before {} {spin 5000}
proc after_load {} {truth::callv ::truth::burn 5 10}
while {![file exists $until]} before
load $so Truth
for {set n 0} {$n < 100} {incr n} after_load
EOF
start tclsh8.6 "$work/loads.tcl" "$PROGRAMS/truth_tcl.so" "$work/load"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
profile_start -p "$target" -F 999 -U
run_on "$target" 10
touch "$work/load"
profile_wait
status_is 0
accounts "$work/out"
shows '^tclsh8.6;before;spin(;| )'
shows '^tclsh8.6;after_load;::truth::callv;truth_outer;truth_inner;::truth::burn;truth_leaf_05 '
# It burns for a second; in the first moment, before the new mapping was looked
# at, what the interpreter had in its memory could not be read, which is said.
grep 'truth_leaf_05 ' "$work/out" >"$work/leaf"
shows_no '\[cut' "$work/leaf"
grep -vE '^tclsh8.6;(after_load;::truth::callv|\[tcl frame\];[^;]*);truth_outer;truth_inner;(::truth::burn|\[tcl frame\];[^;]*);truth_leaf_05 ' \
	"$work/leaf" >"$work/wrong"
[ ! -s "$work/wrong" ] || blame 'other stacks:' "$work/wrong"
awk '{ n += $NF } /\[tcl frame/ { early += $NF }
	END { exit !(early * 20 <= n) }' "$work/leaf" ||
	blame 'the extension was known late' "$work/leaf"
verdict "dlopen: an extension loaded half-way has names and reaches the root"

# ------------------------------------------------------------------- COMMAND

profile -F 999 -- tclsh8.6 "$work/inner.tcl"
status_is 0
accounts "$work/out"
shows '^tclsh8.6;inner;spin(;| )'
verdict '-- COMMAND: ends with it, status 0'

# shellcheck disable=SC2016 # $0 is of the inner shell
profile -F 999 -- sh -c 'echo said; tclsh8.6 "$0"; echo; echo last' "$work/inner.tcl"
status_is 0
accounts "$work/out"
shows '^tclsh8.6;inner;spin(;| )'
shows_no '^(said|last|)$'
says said
says last
verdict '-- COMMAND without -o: its output is not among the stacks'

cat >"$work/forever.tcl" <<'EOF'
set out [open [lindex $argv 0] w]
puts $out [pid]
close $out
proc forever {} {while 1 {incr i}}
forever
EOF
profile -F 999 -d 3 -- tclsh8.6 "$work/forever.tcl" "$work/pid"
status_is 0
accounts "$work/out"
shows '^tclsh8.6;forever(;| )'
read -r pid <"$work/pid"
started="$started $pid"
until_true 5 gone "$pid" || blame "the command, $pid, runs on"
says 'the command still runs: asked to end (SIGTERM)'
verdict '-d ends a command that would run on'

# The same with one that does not listen to SIGTERM.
cat >"$work/deaf.sh" <<'EOF'
trap '' TERM
echo $$ >"$1"
exec tclsh8.6 "$2" /dev/null
EOF
rm -f "$work/pid"
"$JPBPF" -F 999 -d 3 -o "$work/out" -- \
	sh "$work/deaf.sh" "$work/pid" "$work/forever.tcl" 2>"$work/err" &
profiler=$!
started="$started $profiler"
until_true 15 gone "$profiler" || blame 'waits for ever for its command' "$work/err"
read -r pid <"$work/pid"
started="$started $pid"
stop "$profiler"
shows '^tclsh8.6;forever(;| )'
says 'the command does not end when asked to: killed'
verdict '-d ends a command that ignores SIGTERM'

profile -d 1 -- "$work/nosuch"
status_is 127
says "cannot run '$work/nosuch': No such file or directory"
verdict 'a command that is not there: status 127 and a message'
profile -d 1 -- "$work/busy.tcl"
status_is 126
says "cannot run '$work/busy.tcl': Permission denied"
verdict 'a command that is no program: status 126 and a message'

# shellcheck disable=SC2016 # $i is of the inner shell
spin='i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
# ends_with STATUS SCRIPT SAID: its stacks are written all the same.
ends_with() {
	profile -F 999 -- sh -c "$spin; $2"
	status_is "$1"
	accounts
	says "$3"
}
ends_with 3 'exit 3' 'the command failed: exit status 3'
# shellcheck disable=SC2016 # $$ is of the inner shell
ends_with 139 'kill -SEGV $$' 'the command was ended by SIGSEGV'
ends_with 0 'exit 0' 'samples: '
says_no 'the command'
verdict '-- COMMAND: its exit status, and its signal, are handed on and said'
profile -o /dev/full -F 999 -- sh -c "$spin; exit 3"
status_is 1
verdict '-- COMMAND: an error of the profiler'"'"'s own stays one'

# ^C at a terminal ends both.
rm -f "$work/pid"
profile_start -F 999 -- tclsh8.6 "$work/forever.tcl" "$work/pid"
until_true 20 test -s "$work/pid" || blame 'does not begin' "$work/err"
read -r pid <"$work/pid"
started="$started $pid"
run_on "$pid" 5
kill -INT "$profiler" "$pid"
profile_wait
status_is 0
shows '^tclsh8.6;forever(;| )'
verdict '^C ends profiler and command: status 0'
exit "$failed"
