#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -e: each page fault is a sample, in the frames that it happened in, as often as the
# kernel counts it; what a machine has not, or cannot mean, is refused.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/touch" "$PROGRAMS/touch_tcl.so" \
	"$PROGRAMS/touch_r.so"

# faults PATTERN N: so many samples have such a stack.
faults() {
	n=$(grep -E -e "$1" "$work/out" | awk '{ n += $NF } END { print n + 0 }')
	[ "$n" = "$2" ] || blame "$n samples in '$1', not $2" "$work/out"
}

for event in page-faults minor-faults; do
	profile -e $event --max-cost 100 -- "$PROGRAMS/touch" 5000 1234
	status_is 0
	accounts
	says 'touch_pages 5000'
	says 'touch_kernel 1234'
	faults '^touch;main;touch_pages;touch_each ' 5000
		faults '^touch;main;touch_kernel;.*read.*_\[k\]' 1234
	verdict "$event: each is a sample, in user mode and in the kernel"
done

cat >"$work/touch.tcl" <<'END'
load [lindex $argv 0] Touch
proc first {} { touch 1000 }
proc second {} { list [touch 345] [first] }
after 300
touch 1
puts "counted [second] [first]"
END
profile -e page-faults --max-cost 100 -- tclsh8.6 "$work/touch.tcl" "$PROGRAMS/touch_tcl.so"
status_is 0
accounts
says 'counted 345 1000 1000'
faults ';second;touch;.*touch_each ' 345
faults ';second;first;touch;.*touch_each ' 1000
faults '(touch.tcl|tclsh8.6);(.*;)?first;touch;.*touch_each ' 2000
verdict 'Tcl: faults are in the procedure that they happen in'

cat >"$work/touch.R" <<'END'
dyn.load(commandArgs(TRUE))
first <- function() .Call("touch", 1000L)
second <- function() c(.Call("touch", 345L), first())
Sys.sleep(0.3)
.Call("touch", 1L)
cat("counted", second(), first(), "\n")
END
profile -e page-faults --max-cost 100 -- Rscript --vanilla "$work/touch.R" "$PROGRAMS/touch_r.so"
status_is 0
accounts
says 'counted 345 1000 1000'
faults ';second;\.Call;touch;.*touch_each ' 345
faults ';second;first;\.Call;touch;.*touch_each ' 1000
verdict 'R: faults are in the function that they happen in'

# A switch is told from inside the kernel; a sleep is one.
cat >"$work/sleep.tcl" <<'END'
proc doze {} { after 20 }
after 300
for {set i 0} {$i < 30} {incr i} doze
END
profile -e context-switches --max-cost 100 -- tclsh8.6 "$work/sleep.tcl"
status_is 0
accounts
n=$(grep -E ';doze;.*schedule.*_\[k\]' "$work/out" |
	awk '{ n += $NF } END { print n + 0 }')
[ "$n" -ge 30 ] || blame "$n switches in 30 sleeps" "$work/out"
[ "$n" -le 60 ] || blame "$n switches in 30 sleeps" "$work/out"
verdict 'context-switches: each sleep is one'

# Two events in one run: each has its own counts, and in the clock's every tick (10 ms) of
# the loop is a sample.
cat >"$work/both.tcl" <<'END'
load [lindex $argv 0] Touch
proc ticks {} { set f [open /proc/self/stat]; set s [read $f]; close $f
	expr {[lindex $s 13] + [lindex $s 14]} }
proc first {} { touch 1000 }
proc spin {} { while {[ticks] < $::until} {} }
after 300
touch 1
puts "counted [first]"
set ::until [expr {[ticks] + 100}]
spin
END
profile record -o "$work/run.jpb" -e page-faults -e cpu-clock -F 100 --max-cost 100 -- \
	tclsh8.6 "$work/both.tcl" "$PROGRAMS/touch_tcl.so"
status_is 0
says 'counted 1000' "$work/out"
read_summary
total=$kept
if [ "$total" -le 1000 ] || [ "$lost" != 0 ]; then
	blame "$kept kept, $lost lost"
fi
"$JPBPF" convert -e page-faults "$work/run.jpb" >"$work/out"
faults ';first;touch;.*touch_each ' 1000
of_faults=$(awk '{ n += $NF } END { print n }' "$work/out")
"$JPBPF" convert -e cpu-clock "$work/run.jpb" >"$work/out"
of_clock=$(awk '{ n += $NF } END { print n }' "$work/out")
[ "$total" = $((of_faults + of_clock)) ] ||
	blame "$total samples, but $of_faults faults and $of_clock of the clock"
n=$(grep -E ';spin(;| )' "$work/out" | awk '{ n += $NF } END { print n + 0 }')
if [ "$n" -lt 65 ] || [ "$n" -gt 140 ]; then
	blame "$n samples in 100 ticks" "$work/out"
fi
"$JPBPF" report "$work/run.jpb" >"$work/out"
says ' · cpu-clock' "$work/out"
says "kept of page-faults: $of_faults"
says "kept of cpu-clock: $of_clock"
verdict 'two events in one run: each has its own counts'

# A flood of one event takes nothing from the other: each has its part of --max-cost.
cat >"$work/flood.tcl" <<'END'
load [lindex $argv 0] Touch
proc ticks {} { set f [open /proc/self/stat]; set s [read $f]; close $f
	expr {[lindex $s 13] + [lindex $s 14]} }
after 300
set until [expr {[ticks] + 150}]
while {[ticks] < $until} { incr sum [touch 4000] }
puts "counted $sum"
END
profile record -o "$work/run.jpb" -e page-faults,cpu-clock,major-faults -F 100 --max-cost 2 \
	-- tclsh8.6 "$work/flood.tcl" "$PROGRAMS/touch_tcl.so"
status_is 0
mv "$work/out" "$work/flood"
# Where the host has dropped pages of its files, some come again by a major fault.
major=$(sed -n 's/.*kept of major-faults: //p' "$work/err")
if [ "${major:-0}" = 0 ]; then
	says 'no samples of major-faults: the processes had no major page faults'
else
	"$JPBPF" convert -e major-faults "$work/run.jpb" >"$work/out"
	n=$(awk '{ n += $NF } END { print n + 0 }' "$work/out")
	[ "$n" = "$major" ] || blame "$n of $major major faults" "$work/out"
fi
"$JPBPF" convert -e cpu-clock "$work/run.jpb" >"$work/out"
"$JPBPF" convert -e page-faults "$work/run.jpb" >"$work/faults"
counted=$(sed -n 's/^counted //p' "$work/flood")
n=$(sed -n 's/.*kept of cpu-clock: //p' "$work/err")
[ "${n:-0}" -ge 100 ] || blame "only ${n:-0} samples in 150 ticks" "$work/err"
n=$(sed -n 's/.*kept of page-faults: //p' "$work/err")
[ "${n:-0}" -lt $((counted / 2)) ] || blame "$n of $counted faults: no flood" "$work/err"
n=$(grep ';touch;' "$work/faults" | awk '{ n += $NF } END { print n + 0 }')
if [ "$n" -le $((counted * 9 / 10)) ] || [ "$n" -gt "$counted" ]; then
	blame "$n of $counted faults" "$work/faults"
fi
verdict 'a flood of faults leaves the clock its samples'

profile -e major-faults -- "$PROGRAMS/touch" 10
status_is 0
says 'no samples: the processes had no major page faults'
verdict 'it is said what did not happen'

# What only the processor counts: it can or it cannot.
for event in cycles instructions cache-misses branch-misses; do
	profile -e $event -- "$PROGRAMS/touch" 10
	[ "$status" = 0 ] || {
		status_is 3
		says "this machine has no event '$event': use -e cpu-clock"
	}
done
verdict 'an event of the processor is sampled or refused, with what to do'
