#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf trace --mode watch: hardware watchpoints on chosen functions.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 perl
calls=$here/../programs/calls.tcl

# watched NAMES SEED: a program that counts itself.
watched() {
	options=--mode\ watch last=
	for name in $1; do
		[ -z "$last" ] || options="$options tcl:$last"
		last=$name
	done
	ONLY=$1 OPTIONS=$options "$here/counted" "tcl:$last" "$2" 10000 tclsh8.6 "$calls" \
		>"$work/counted" || failed=1
	cat "$work/counted"
	grep -q '^# watching' "$work/counted" || blame 'not watched' "$work/counted"
}
seed=$(($(date +%s) % 1000000))
watched 'rec fail caught_tail yields' "$seed"
verdict 'it was watched'

cat >"$work/f.tcl" <<'END'
proc hot {n} { return $n }
proc rare {n} { if {$n % 5 == 0} { error $n }; return $n }
proc rest {} { set x 1 }
proc other {} { set x 2 }
set n 0
while {[gets stdin line] >= 0} {
	for {set i 0} {$i < 100} {incr i} { hot $i }
	if {$line eq "again"} { proc rare {n} { incr n } }
	catch {rare [incr n]}
	rest
	other
}
END
mkfifo "$work/in"
tclsh8.6 "$work/f.tcl" <"$work/in" &
target=$!
started="$started $target"
exec 4>"$work/in"
watch_start() {
	trace_start "$@"
	seq 20 >&4
}
is_watched() {
	until_true 20 grep -q ': watching ' "$work/err" || blame 'not watched' "$work/err"
}
watch_end() {
	sleep 0.3
	profile_end INT
	status_is 0
}

watch_start --mode watch tcl:rare
is_watched
# Breakpoints are left where procedures are made and freed and coroutines change, and where
# calls begin and end none is.
changed() {
	library=$(realpath "$(awk '/libtcl8/ { print $NF; exit }' "/proc/$target/maps")")
	perl -e 'my ($pid, $file) = @ARGV;
		open my $maps, "<", "/proc/$pid/maps" or die;
		my ($start, $end, $offset) = map { hex } map { /^(\w+)-(\w+) r-xp (\w+) .*\Q$file\E$/ ? ($1, $2, $3) : () } <$maps>;
		my @bytes;
		for (["/proc/$pid/mem", $start], [$file, $offset]) {
			open my $in, "<:raw", $_->[0] or die;
			sysseek $in, $_->[1], 0;
			sysread $in, my $b, $end - $start;
			push @bytes, $b;
		}
		my $x = $bytes[0] ^ $bytes[1];
		print $x =~ tr/\0//c, "\n"' "$target" "$library"
}
# shellcheck disable=SC2317 # by until_true
three_are() {
	[ "$(changed)" = 3 ]
}
until_true 5 three_are || blame "$(changed) bytes are changed, not 3"
seq 1000 >&4
watch_end
shows '^ +1020 .* tcl:rare  \(204 error\)$'
grep -qE 'price of a call of a watched function: [0-9.]+ us' "$work/err" || blame 'no price' "$work/err"
verdict 'counts of one function, and no breakpoint'

watch_start --mode watch tcl:rare
is_watched
echo again >&4
until_true 20 grep -q ': following all calls of Tcl: ' "$work/err" ||
	blame 'the new one is not noticed' "$work/err"
sleep 0.3
seq 50 >&4
watch_end
# Its first call is missing.
shows '^ +70 .* tcl:rare  \(4 error\)$'
says 'chosen names were made while others were watched'
verdict 'defined anew while it is watched'

# A thread has four.
watch_start --mode watch tcl:hot tcl:rare tcl:rest tcl:other
is_watched
first=$profiler
cp "$work/err" "$work/first"
watch_start --mode watch tcl:rest
until_true 20 grep -q 'other programs, as debuggers, have the watchpoints' "$work/err" ||
	blame 'watched by a fifth' "$work/err"
seq 10 >&4
watch_end
shows '^ +30 .* tcl:rest$'
profiler=$first
watch_end
verdict 'no watchpoint is free: all calls are followed'

bad() {
	"$JPBPF" trace "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	status_is 2
}
bad --mode watch 'tcl:*'
says 'give whole names'
bad --mode watch r:f
says 'only functions of Tcl can'
bad --mode auto --net tcl:f
bad --mode auto --stacks tcl:f
bad --mode some tcl:f
verdict 'bad input'
stop "$target"
exit "$failed"
