#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf trace: each call of chosen functions, and how it ends.
# Runs beside others, long.
#
#   SEEDS (1): programs of each language; CYCLES (5): of attaching and detaching
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 perl
SEEDS=${SEEDS:-1}
source=$here/../programs

# ------------------------------------------ programs that count themselves

# counted PATTERN ROUNDS COMMAND...: as many programs as SEEDS says.
counted() {
	pattern=$1 rounds=$2
	shift 2
	for seed in $(seq "$SEEDS"); do
		"$here/counted" "$pattern" "$(($(date +%s) % 1000000 * 10 + seed))" "$rounds" "$@" \
			>"$work/counted" || failed=1
		cat "$work/counted"
	done
}
counted 'tcl:*' 3000 tclsh8.6 "$source/calls.tcl"
! command -v Rscript >/dev/null || counted 'r:*' 800 Rscript --vanilla "$source/calls.R"
counted 'c:calls_native:*' 300 "$PROGRAMS/calls_native"

# ---------------------------------------------------------- a program by hand

cat >"$work/f.tcl" <<'END'
proc f {n} { g $n }
proc g {n} { if {$n % 5 == 4} { error "no $n" }; return $n }
proc other {} {}
set n 0
while {[gets stdin line] >= 0} { other; catch {f [incr n]} }
puts $n
END
mkfifo "$work/in"
tclsh8.6 "$work/f.tcl" <"$work/in" >"$work/target.out" &
target=$!
started="$started $target"
exec 4>"$work/in"
lines=0
calls() {
	seq "$1" >&4
	lines=$((lines + $1))
	sleep 0.3
}
trace_end() {
	profile_end INT
	status_is 0
}

trace_start tcl:f tcl:g
calls 100
trace_end
shows '^ +100 .* tcl:f  \(20 error\)$'
shows '^ +100 .* tcl:g  \(20 error\)$'
shows_no 'other'
says 'calls: 200 of 2 functions, 0 of them open at the end'
grep -qE 'price of a call: [0-9.]+ us if the function is chosen, [0-9.]+ to [0-9.]+ us if it is native' "$work/err" ||
	blame 'no price' "$work/err"
verdict 'the table'

trace_start 'tcl:*' --not tcl:f --as both=tcl:g --as both=tcl:other
calls 50
trace_end
shows '^ +100 .* tcl:both  \(10 error\)$'
[ "$(grep -c 'tcl:' "$work/out")" = 1 ] || blame 'more than one' "$work/out"
verdict '--not, --as'

trace_start -f log --args 2 --value tcl:f tcl:g
calls 4
trace_end
sed 's/^ *[0-9.]* *[0-9]* //; s/[0-9.]* us/T/' "$work/out" >"$work/log"
head -n 4 "$work/log" >"$work/first"
printf '%s\n' '> f <int>' '  > g <int>' '  < g return T = <int>' '< f return T = <int>' \
	>"$work/want"
[ "$(wc -l <"$work/log")" = 16 ] || blame 'not 16 lines' "$work/log"
grep -q '< g error T = {no [0-9]*}' "$work/log" || blame 'no error' "$work/log"
sed 's/ [0-9]*$/ <int>/; s/= [0-9]*$/= <int>/' "$work/first" | cmp -s - "$work/want" ||
	blame 'other lines' "$work/first"
verdict 'one by one: arguments and values'

mknod "$work/null" c 1 3
chmod 666 "$work/null"
: >"$work/file"
for file in file null; do
	trace_start -f log -o "$work/$file" tcl:f
	calls 2
	trace_end
done
[ "$(stat -c %a "$work/file" "$work/null" | tr '\n' ' ')" = '600 666 ' ] ||
	blame "modes: $(stat -c %a "$work/file" "$work/null")"
[ "$(wc -l <"$work/file")" = 4 ] || blame 'not 4 lines' "$work/file"
verdict 'a file is its owner'"'"'s, a device stays as it is'

trace_start -f chrome tcl:f tcl:g
calls 20
trace_end
perl -MJSON::PP -0777 -ne 'my @e = grep { $_->{ph} eq "X" } @{decode_json($_)};
	my @f = grep { $_->{name} eq "f" } @e;
	my @g = grep { $_->{name} eq "g" } @e;
	for my $i (0 .. $#g) {
		die "not inside\n" if $g[$i]{ts} < $f[$i]{ts} ||
			$g[$i]{ts} + $g[$i]{dur} > $f[$i]{ts} + $f[$i]{dur};
	}
	print @f + 0, " ", @g + 0, " ", scalar(grep { $_->{args}{left} eq "error" } @e), "\n";' \
	"$work/out" >"$work/events" 2>&1
[ "$(cat "$work/events")" = '20 20 8' ] || blame 'other events' "$work/events"
verdict 'trace events of Chrome'

trace_start -f folded tcl:f tcl:g
calls 20
trace_end
shows '^tclsh8.6;f [0-9]+$'
shows '^tclsh8.6;f;g [0-9]+$'
[ "$(wc -l <"$work/out")" = 2 ] || blame 'other stacks' "$work/out"
# What is called behind the end is in none of both.
trace_start -f jsonl tcl:f
seq 150000 >&4 &
writer=$!
lines=$((lines + 150000))
sleep 0.2
trace_end
wait "$writer"
in_stacks=$(perl -MJSON::PP -ne 'my $l = decode_json($_); $n += $l->{weight} if $l->{stack} || $l->{frames};
	END { print $n + 0 }' "$work/out")
in_table=$(sed -n 's/^jpbpf: calls: \([0-9]*\) of .* \([0-9]*\) of them open.*/\1 \2/p' "$work/err" |
	awk '{ print $1 - $2 }')
[ "$in_stacks" = "$in_table" ] || blame "$in_stacks calls in stacks, $in_table in the table"
verdict "stacks by their own time: $in_stacks calls"

# The table is in a recording, too.
: >"$work/err"
"$JPBPF" record -v -p "$target" --trace tcl:f --as both=tcl:g -o "$work/calls.jpb" 2>"$work/err" \
	</dev/null 4>&- &
profiler=$!
started="$started $profiler"
until_true 20 grep -q '^jpbpf: tracing process' "$work/err" || blame 'no probes' "$work/err"
calls 20
trace_end
"$JPBPF" report "$work/calls.jpb" >"$work/out"
shows '^ +20( +[0-9.]+ [num]?s *){6} tcl:f  \(4 error\)$'
shows '^ +20( +[0-9.]+ [num]?s *){6} tcl:both  \(4 error\)$'
verdict 'the table in a recording'

trace_start --list -d 2 c:libtcl8.6.so:lsort c:libtcl8.6.so:Tcl_Eval 'tcl:*'
calls 2
wait "$profiler"
status=$?
status_is 0
shows '^ +[0-9.]+ us  libtcl8.6.so\+0x[0-9a-f]+ +c:Tcl_Eval$'
shows '^ +[0-9.]+ us  libtcl8.6.so\+0x[0-9a-f]+ +c:lsort$'
shows '^ +[0-9.]+ us  each call of Tcl +tcl:f$'
[ "$(wc -l <"$work/out")" = 6 ] || blame 'other functions' "$work/out"
verdict '--list'

trace_start --stacks tcl:g
calls 20
trace_end
shows '^tclsh8.6;f;g 20$'
[ "$(wc -l <"$work/out")" = 1 ] || blame 'other stacks' "$work/out"
verdict 'the stack at each call of Tcl'

cat >"$work/s.R" <<'END'
f <- function(n) if (n) f(n - 1) else 0
g <- function() { f(1); sapply(1:2, function(i) f(0)) }
h <- function(x, n) UseMethod("h")
h.default <- function(x, n) x
lines <- file("stdin", "r")
while (length(readLines(lines, 1))) { g(); h(3L, "a") }
END
# r_calls WORD...: twenty calls, traced.
r_calls() {
	: >"$work/err"
	"$JPBPF" trace -p "$calling" "$@" >"$work/out" 2>"$work/err" 5>&- &
	profiler=$!
	started="$started $profiler"
	until_true 20 grep -q '^jpbpf: tracing process' "$work/err" || blame 'no probes' "$work/err"
	seq 20 >&5
	sleep 0.3
	trace_end
}
if command -v Rscript >/dev/null; then
	mkfifo "$work/r"
	Rscript --vanilla "$work/s.R" <"$work/r" &
	calling=$!
	started="$started $calling"
	exec 5>"$work/r"
	echo >&5
	sleep 1
	r_calls --stacks r:f
	printf 'R;g;base::sapply;base::lapply;FUN;f 40\nR;g;f 20\nR;g;f;f 20\n' >"$work/want"
	cmp -s "$work/want" "$work/out" || blame 'other stacks' "$work/out"
	verdict 'the stack at each call of R'
	r_calls -f log --args 2 --value 'r:h*'
	sed 's/^ *[0-9.]* *[0-9]* //; s/[0-9.]* us/T/' "$work/out" | tail -n 4 >"$work/log"
	printf '%s\n' '> h h(3L, "a"): x = 3L, n = "a"' '  > h.default h.default(3L, "a"): x = 3L, n = "a"' \
		'  < h.default return T = 3L' '< h return T = 3L' >"$work/want"
	cmp -s "$work/want" "$work/log" || blame 'other lines' "$work/log"
	stop "$calling"
	verdict 'arguments and values of R'
fi

trace_start --max-rate 10 tcl:f
calls 1
calls 200
trace_end
read -r n _ <<END
$(grep 'tcl:f' "$work/out")
END
at_least 10 "$n" calls
at_most 30 "$n" calls
says "$((201 - n))  calls not counted: beyond --max-rate"
verdict "--max-rate: $n of 201 calls"

mkfifo "$work/control"
trace_start -o "$work/newest" --control "$work/control" tcl:f
calls 10
echo snapshot >"$work/control"
sleep 0.2
grep -qE '^ +10 .* tcl:f ' "$work/newest" || blame 'no snapshot' "$work/newest"
echo off >"$work/control"
sleep 0.3
calls 10
echo on >"$work/control"
sleep 0.3
calls 10
trace_end
mv "$work/newest" "$work/out"
shows '^ +20 .* tcl:f '
[ "$(wc -l <"$work/out")" = 2 ] || blame 'more than the newest' "$work/out"
verdict '--control: snapshot, off and on'

trace_start --duty 0.1/0.1 tcl:f
for _ in $(seq 20); do
	seq 5 >&4
	lines=$((lines + 5))
	sleep 0.05
done
trace_end
read -r n _ <<END
$(grep 'tcl:f' "$work/out")
END
at_least 1 "${n:-0}" calls
at_most 99 "${n:-0}" calls
verdict '--duty'

# rec calls itself: what is taken out of its total is not more than what is in it.
cat >"$work/rec.tcl" <<'END'
proc rec {n} { if {$n} { rec [incr n -1] } else { after 20 } }
while 1 { rec 50; after 1 }
END
tclsh8.6 "$work/rec.tcl" &
recursing=$!
started="$started $recursing"
"$JPBPF" trace -q -f json --net -d 0.5 -p "$recursing" tcl:rec >"$work/out" 2>"$work/err"
stop "$recursing"
perl -MJSON::PP -0777 -ne 'my ($f) = @{decode_json($_)->{functions}};
	my $share = $f->{self_ns} / $f->{total_ns};
	$share > 0.97 && $share < 1.03 or print "$share\n"' "$work/out" >"$work/differ"
[ ! -s "$work/differ" ] || blame 'self of total' "$work/differ"
verdict '--net: recursion'

# ------------------------------------------------------------- what is left

library=$(realpath "$(awk '/libtcl8/ { print $NF; exit }' "/proc/$target/maps")")
trace_start tcl:f
places=$(sed -n 's/.* probe in .* at 0x\([0-9a-f]*\)$/\1/p' "$work/err")
for at in $places; do
	case $(bytes "$library" "$at") in
	cc*) ;;
	*) blame "no breakpoint at $at" ;;
	esac
done
kill -KILL "$profiler"
until_true 5 gone "$profiler"
wait "$profiler" 2>/dev/null
for at in $places; do
	case $(bytes "$library" "$at") in
	cc* | '') blame "still there at $at" ;;
	esac
done
[ -n "$places" ] || blame 'no places'
calls 10
gone "$target" && blame 'the target has ended'
verdict 'killed: no breakpoint is left'

# Attached and detached while the program calls.
for cycle in $(seq "${CYCLES:-5}"); do
	trace_start -f json tcl:f tcl:g
	seq 3000 >&4 &
	writer=$!
	lines=$((lines + 3000))
	sleep 0.2
	trace_end
	perl -MJSON::PP -0777 -ne 'for my $f (@{decode_json($_)->{functions}}) {
		my $left = 0;
		$left += $_ for values %{$f->{left}};
		$f->{calls} == $left + $f->{open} && $f->{open} <= 1 or print "$f->{name}\n";
	}' "$work/out" >"$work/differ"
	[ ! -s "$work/differ" ] || blame "cycle $cycle:" "$work/differ"
	says_no 'how they were left'
	wait "$writer"
done
gone "$target" && blame 'the target has ended'
verdict 'attached and detached under load: begun = ended + open'

# --------------------------------------------------------------- bad input

bad() {
	"$JPBPF" trace "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}
bad
status_is 2
says 'which functions?'
for pattern in f tcl: c:f perl:f c:libfoo.so: --as=tcl:f; do
	bad "$pattern"
	status_is 2
	says 'write LANGUAGE:NAME'
done
bad -f nothing tcl:f
status_is 2
says 'table json list log chrome'
bad -p 4194303 tcl:f
status_is 1
for option in '-t 1' '-C 0' '--max-cost 1' '--duty 1' '--duty 0/1' '--stacks -f json'; do
	# shellcheck disable=SC2086
	bad $option tcl:f
	status_is 2
done
for option in '' --stacks; do
	# shellcheck disable=SC2086 # an option or nothing
	trace_start $option tcl:othr c:libtcl8.6.so:nothing
	calls 5
	profile_end INT
	status_is 1
	says 'no function was called that the patterns choose; there were: tcl:other, '
done
trace_start --wait tcl:othr
calls 5
profile_end INT
status_is 0
# The folder of the result goes away.
mkdir "$work/away"
mkfifo "$work/later"
trace_start -o "$work/away/calls" --control "$work/later" tcl:f
calls 5
rm -r "$work/away"
echo snapshot >"$work/later"
until_true 20 gone "$profiler" || blame 'it goes on'
wait "$profiler"
status=$?
status_is 1
says 'cannot write to'
verdict 'bad input'

exec 4>&-
until_true 20 gone "$target" || blame 'the target has not ended'
[ "$(cat "$work/target.out")" = $lines ] ||
	blame "the target has read other than $lines lines" "$work/target.out"
verdict 'what the target does is unchanged'

# -------------------------------------------- what the languages count themselves

# beside COMMAND...: a program that counts as it goes by its language's own trace.
beside() {
	pattern=$1
	shift
	mkfifo "$work/$pattern"
	"$@" <"$work/$pattern" >"$work/own" &
	target=$!
	started="$started $target"
	exec 4>"$work/$pattern"
	echo >&4
	until_true 20 grep -q ready "$work/own" || blame 'it does not begin'
	trace_start -f json "$pattern"
	seq 200 >&4
	exec 4>&-
	until_true 20 gone "$target"
	wait "$profiler"
	status=$?
	status_is 0
	counted=$(sed -n 's/.*"calls":\([0-9]*\),.*/\1/p' "$work/out")
	[ "$counted" = "$(tail -n 1 "$work/own")" ] ||
		blame "counted ${counted:-nothing}, not $(tail -n 1 "$work/own")"
}
cat >"$work/own.tcl" <<'END'
set n 0
proc fib {n} { if {$n < 2} { return $n }; expr {[fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]} }
proc count args { incr ::n }
gets stdin
puts ready
flush stdout
gets stdin
trace add execution fib enter count
while {[gets stdin line] >= 0} { fib [expr {$line % 9}] }
puts $n
END
beside tcl:fib tclsh8.6 "$work/own.tcl"
verdict "as many calls as Tcl's own trace counts: $counted"
cat >"$work/own.R" <<'END'
calls <- 0
fib <- function(n) if (n < 2) n else fib(n - 1) + fib(n - 2)
lines <- file("stdin", "r")
readLines(lines, 1)
cat("ready\n")
invisible(suppressMessages(trace(fib, quote(calls <<- calls + 1), print = FALSE, where = globalenv())))
while (length(line <- readLines(lines, 1))) fib(as.integer(line) %% 7)
cat(calls, "\n", sep = "")
END
if command -v Rscript >/dev/null; then
	beside r:fib Rscript --vanilla "$work/own.R"
	verdict "as many calls as R's own trace() counts: $counted"
fi
exit "$failed"
