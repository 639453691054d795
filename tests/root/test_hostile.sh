#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Targets that do everything wrong: the profiler neither fails, hangs, grows nor
# writes a line that is not one.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 iconv "$PROGRAMS/hostile.so"
chmod 755 "$work"

# lines_are_sound FILE: each is "frame;frame;... COUNT", text without controls.
lines_are_sound() {
	! LC_ALL=C grep -avE '^[^;]+(;[^;]+)* [0-9]+$' "$1" >"$work/bad" ||
		blame 'lines that are not stack and count:' "$work/bad"
	! LC_ALL=C tr -d '\n' <"$1" | LC_ALL=C grep -aqP '[\x00-\x1f\x7f]' ||
		blame 'control bytes in the output'
	! LC_ALL=C grep -aP '\xc2[\x80-\x9f]' "$1" >"$work/bad" ||
		blame 'control characters in the output:' "$work/bad"
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>"$work/bad" ||
		blame 'not UTF-8:' "$work/bad"
	bytes=$(wc -c <"$1")
	[ "$bytes" -le 100000000 ] || blame "$bytes bytes of output"
	longest=$(awk -F';' 'NF > n { n = NF } END { print n + 0 }' "$1")
	[ "$longest" -le 32768 ] || blame "a stack of $longest frames"
}
# What the profiler itself used, in KiB; --stats says it.
stays_small() {
	used=$(sed -n 's/.*agent resident \([0-9]*\) KiB.*/\1/p' "$work/err")
	[ "${used:-999999}" -le 300000 ] || blame "used $used KiB" "$work/err"
}
counter() {
	awk -v name="$1" '$2 == "stats:" && $3 == name { n = $4 }
		END { print n + 0 }' "$work/err"
}

# ------------------------------------------------ everything that goes wrong

start tclsh8.6 "$sources/faults.tcl" 5
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
profile -p "$target" -F 2000 --stats --max-cost 100
status_is 0
accounts "$work/out"
lines_are_sound "$work/out"
stays_small
wait "$target" || blame 'faults.tcl has failed' "$work/target.out"
grep -q 'done' "$work/target.out" || blame 'faults.tcl is not done' "$work/target.out"
verdict "faults.tcl at 2,000 Hz: $kept samples, every line sound"

# --------------------------------------------------------------------- names

# Each name gets samples: the leaf is the same for all of them.
cat >"$work/names.tcl" <<'EOF'
fconfigure stdout -encoding utf-8
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
set until [lindex $argv 0]
set names [list "semi;colon" "new\nline" "tab\there" "a 12" "\x1b\[31mred" \
	"bell\x07" "del\x7f" "next\u0085line" "nul\x00in" "back\\slash" \
	"euro\u20ac" "kernel_\[k\]" [string repeat "long;" 2000]]
foreach name $names {
	proc $name {} {spin 3000}
}
while {![file exists $until]} {
	foreach name $names {$name}
}
EOF
start tclsh8.6 "$work/names.tcl" "$work/until"
profile_start -p "$target" -F 999 --stats --max-cost 100
run_on "$target" 150
touch "$work/until"
profile_wait
status_is 0
accounts "$work/out"
lines_are_sound "$work/out"
for name in 'semi\x3bcolon' 'new\x0aline' 'tab\x09here' 'a 12' '\x1b[31mred' \
	'bell\x07' 'del\x7f' 'next\xc2\x85line' 'nul\xc0\x80in' 'back\x5cslash' \
	'euro€' 'kernel_\x5bk]'; do
	grep -qF -e "tclsh8.6;$name;" "$work/out" || blame "no name $name"
done
shows 'tclsh8.6;(long\\x3b)+[^;]*\.\.\.;'
[ ! -s "$work/blame" ] || blame 'the stacks:' "$work/out"
verdict 'hostile names are written as text'
rm "$work/until"

# -------------------------------------------------------- damaged structures

cat >"$work/damaged.tcl" <<'EOF'
lassign $argv so kinds until
load $so Hostile
set out [open $kinds.part w]
puts $out [join [hostile::kinds] \n]
close $out
file rename $kinds.part $kinds
proc inner n {hostile::burn $n 20; set ignored 1}
proc outer n {inner $n; set ignored 1}
# A second evaluator around the one that is damaged.
proc main n {time {outer $n}}
set n 0
while {![file exists $until]} {
	main [expr {$n % [llength [hostile::kinds]] + 1}]
	incr n
}
puts done
EOF
start tclsh8.6 "$work/damaged.tcl" "$PROGRAMS/hostile.so" "$work/kinds" \
	"$work/until"
until_true 20 test -s "$work/kinds" || blame 'does not begin' "$work/target.out"
profile_start -p "$target" -F 499 -U --stats --max-cost 100
run_on "$target" 300
touch "$work/until"
profile_wait
status_is 0
accounts "$work/out"
lines_are_sound "$work/out"
stays_small
wait "$target" || blame 'the target has failed' "$work/target.out"
grep -q 'done' "$work/target.out" || blame 'the target is not done' "$work/target.out"
verdict "damaged interpreter: $kept samples, neither failure nor growth"

# At least one reason for every sample, but for damage that only makes names odd, and for
# what no walk looks at: there the stacks are right.
n=0
expected=0
while read -r kind; do
	n=$((n + 1))
	samples=$(awk -v leaf="$(printf ';truth_leaf_%02d ' $n)" \
		'index($0, leaf) { s += $NF } END { print s + 0 }' "$work/out")
	[ "$samples" -gt 0 ] || blame "$kind: no samples"
	case $kind in
	lambda_cycle | name_endless) ;;
	frame_cycle | name_at_page_end)
		grep -F "$(printf ';truth_leaf_%02d ' $n)" "$work/out" >"$work/right"
		! grep -vE '^tclsh8.6;main;time;outer;inner;::hostile::burn;truth_leaf_[0-9]+ ' \
			"$work/right" >"$work/wrong" || blame "$kind:" "$work/wrong"
		;;
	*) expected=$((expected + samples)) ;;
	esac
done <"$work/kinds"
[ $n -ge 20 ] || blame "$n kinds of damage"
counted=$(($(awk '$2 == "stats:" && $3 ~ /^TCL_/ { n += $4 }
	END { print n + 0 }' "$work/err") + $(counter CUT_DEPTH)))
[ "$counted" -ge $expected ] ||
	blame "$expected samples of damaged chains, but $counted reasons"
for reason in TCL_READ TCL_LIMIT TCL_LEVEL TCL_BAD_INTERP TCL_NAME \
	TCL_COROUTINE_EDGE CUT_DEPTH; do
	[ "$(counter $reason)" -gt 0 ] || blame "$reason is never counted"
done
verdict "damaged interpreter: $counted reasons for $expected samples of $n kinds"

mean=$(sed -n 's/^jpbpf: cost: \([0-9]*\).*/\1/p' "$work/err")
[ "${mean:-999999}" -le 20000 ] || blame "a sample costs $mean us" "$work/err"
verdict 'damaged interpreter: the cost of a sample is bounded'
exit "$failed"
