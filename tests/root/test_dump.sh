#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf dump: the stack of every thread now, whatever the thread does.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/parked" perl

# dump OPTIONS...: to $work/out, messages to $work/err, $status.
dump() {
	"$JPBPF" dump "$@" >"$work/out" 2>"$work/err"
	status=$?
}
# rows: TID STATE FRAME;... of the JSON, the program's own frames only, sorted.
rows() {
	perl -MJSON::PP -e 'local $/; my $all = decode_json(<STDIN>);
		for my $t (@$all) {
			my @own = grep { /^(main|parked_)/ } map { $_->{name} } reverse @{$t->{frames}};
			print "$t->{thread_id} ", substr($t->{state}, 0, 1), " ", join(";", @own), "\n";
		}' <"$work/out" | sort
}
# is_equal [SED [SED]]: the JSON says what the table does, each edited.
is_equal() {
	rows | sed "${2:-}" >"$work/got"
	sort "$work/table" | sed "${1:-}" >"$work/want"
	right=$(comm -12 "$work/got" "$work/want" | wc -l)
	total=$(wc -l <"$work/want")
	cmp -s "$work/got" "$work/want" || {
		diff "$work/want" "$work/got" >"$work/diff"
		blame 'other stacks:' "$work/diff"
	}
}

"$PROGRAMS/parked" "$work/table" 100 &
target=$!
started="$started $target"
until_true 10 grep -q '^State:.D' "/proc/$target/status" || blame 'does not wait'
dump -p "$target" --json
status_is 0
is_equal
verdict "asleep, on a CPU, not to be interrupted, stack not in memory: exact/total = $right/$total"

# What is equal is one entry: 7 depths, of which the first also has the main thread's.
dump -p "$target"
status_is 0
[ "$(grep -c '^  [0-9]* threads: ' "$work/out")" -eq 7 ] || blame 'entries' "$work/out"
shows '^  Thread [0-9]* \(running\): parked$'
shows '^  Thread [0-9]* \(disk sleep in [a-z_]*\): parked$'
shows '^    C parked_deep \(parked\.c:[0-9]+\)$'
shows "^Process $target: parked$"
verdict 'for people: equal stacks are one entry'

# The main thread would take the signal, and cannot: tgkill(2) of another one.
tid=$(sed -n 's/ R .*//p' "$work/table")
perl -e 'syscall 234, map { $_ + 0 } @ARGV' "$target" "$tid" 19
until_true 5 grep -q '^State:.[tT]' "/proc/$target/task/$tid/status" || blame 'is not stopped'
dump -p "$target" --json
status_is 0
is_equal 's/ [SR] / T /'
verdict "stopped: exact/total = $right/$total"
kill -CONT "$target"

dump -p "$target" -f folded
status_is 0
[ "$(awk '{ n += $NF } END { print n }' "$work/out")" = 100 ] || blame 'not 100' "$work/out"
shows '^parked;parked_spins 1$'
verdict 'as folded stacks: 100 threads'

dump -t "$tid" --json
status_is 0
[ "$(rows)" = "$tid R parked_spins" ] || blame 'another thread' "$work/out"
verdict 'one thread'

# Frozen, where there is a place for that.
frozen=$(findmnt -nt cgroup2 -o TARGET | head -n 1)/jpbpf.$$
if mkdir "$frozen" 2>/dev/null; then
	echo "$target" >"$frozen/cgroup.procs"
	echo 1 >"$frozen/cgroup.freeze"
	until_true 5 grep -q 'frozen 1' "$frozen/cgroup.events" || blame 'is not frozen'
	dump -p "$target" --json
	status_is 0
	is_equal 's/ . / /' 's/ . / /'
	verdict "frozen: exact/total = $right/$total"
	echo 0 >"$frozen/cgroup.freeze"
	echo "$target" >"$(dirname "$frozen")/cgroup.procs"
	rmdir "$frozen"
fi

# Again and again.
"$JPBPF" dump -p "$target" --watch 0.3 >"$work/out" 2>"$work/err" &
watcher=$!
started="$started $watcher"
until_true 10 grep -q '^Unchanged since' "$work/out" || blame 'nothing is unchanged' "$work/out"
kill -KILL "$target"
until_true 10 gone "$watcher" || blame 'does not end with its target'
[ "$(grep -c '^Process' "$work/out")" -eq 1 ] || blame 'written again' "$work/out"
verdict '--watch: what is as it was is said, not shown'

# A tree of R's lazy evaluation: g is an argument that h made and f needs.
if command -v Rscript >/dev/null; then
	echo 'f <- function(x) x; g <- function() Sys.sleep(1000); h <- function() f(g()); h()' \
		>"$work/lazy.R"
	setsid Rscript --vanilla "$work/lazy.R" >"$work/target.out" 2>&1 &
	target=$!
	started="$started $target"
	until_true 10 grep -q poll "/proc/$target/wchan" || blame 'does not sleep'
	dump -p "$target"
	status_is 0
	sed -n 's/^    \( *R .*\)/\1/p' "$work/out" | sed 's/ (.*//' >"$work/tree"
	printf '%s\n' 'R base::Sys.sleep' 'R g' 'R <promise x>' '  R f' 'R h' 'R source lazy.R' \
		>"$work/want"
	cmp -s "$work/tree" "$work/want" || blame 'another tree:' "$work/out"
	verdict "R's lazy evaluation"
fi

# Between the frames of two Tcl interpreters stands the command that entered the inner one.
if command -v tclsh8.6 >/dev/null; then
	cat >"$work/nested.tcl" <<-'END'
		interp create child
		proc wait {} { vwait never }
		child alias outside wait
		child eval { proc inner {} { outside }; proc go {} { inner } }
		proc by_path {} { interp eval child go }
		proc by_command {} { child eval go }
		after 0 by_path
		by_command
	END
	setsid tclsh8.6 "$work/nested.tcl" >"$work/target.out" 2>&1 &
	target=$!
	started="$started $target"
	until_true 10 grep -q futex "/proc/$target/wchan" || blame 'does not sleep'
	dump -p "$target"
	status_is 0
	sed -n 's/^    T \(.*\)/\1/p' "$work/out" | sed 's/ (.*//' >"$work/tree"
	printf '%s\n' vwait wait outside inner go 'interp eval' by_path \
		vwait wait outside inner go child by_command 'source nested.tcl' >"$work/want"
	cmp -s "$work/tree" "$work/want" || blame 'another stack:' "$work/out"
	verdict 'Tcl interpreters within another'
fi

# ------------------------------------------------------------ random programs

# randoms WHAT SEED: stopped at random moments; many dumps of each.
randoms() {
	DUMP=1 DURATION=4 LEAST=5000 MARKED=100 "$here/truth" "$@" >"$work/random" || failed=1
	cat "$work/random"
}
randoms randomtcl "${1:-$(date +%s)}"
randoms randomr "${1:-$(date +%s)}"

# ------------------------------------------------------------ bad input

dump -p 4194303
status_is 1
says 'there is no process 4194303'
dump --comm '^no such name$'
status_is 0
says 'there is no thread to show'
dump -p 1 --json -f folded
status_is 2
says 'choose one'
dump word
status_is 2
verdict 'what cannot be is refused with a reason'

# A target that ends or begins another program midway leaves a whole answer.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	(sleep 0.2 && exec sleep 0.2) &
	dump -p $! --json
	rows >"$work/got" || blame 'no JSON' "$work/out"
	[ $status -le 1 ] || blame "status $status" "$work/err"
done
verdict 'targets that end or exec midway'
exit $failed
