#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Names that a target has made up do nothing to the terminal that they are shown on.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6

# Sets the title, clears the screen (7-bit and 8-bit), begins a line of its own.
evil=$(printf 'e\033]0;x\007\n\302\233\062Jx')
printable='e\x1b]0;x\x07\x0a\xc2\x9b2Jx'
cp "$(command -v tclsh8.6)" "$work/$evil"
cat >"$work/evil.tcl" <<'EOT'
set name [encoding convertfrom utf-8 "e\x1b\]0;x\x07\n\xc2\x9b2Jx"]
proc $name {} {for {set i 0} {$i < 100000} {incr i} {}}
while 1 {$name}
EOT
start "$work/$evil" "$work/evil.tcl"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'

# harmless FILE: no byte that a terminal would obey.
harmless() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$1" ||
		blame "control characters:" "$1"
}
for view in '' '--internals -v' '--lines --inlines' '-f rprof'; do
	# shellcheck disable=SC2086 # options
	profile -p "$target" -F 499 -d 1 $view
	status_is 0
	harmless "$work/out"
	harmless "$work/err"
	grep -qF 'e\x1b]0' "$work/out" || blame 'no such name' "$work/out"
	verdict "names with control characters, in a profile ($view)"
done
for what in "$target" "$work/$evil" "$work/$evil.none"; do
	for form in '' --json; do
		# shellcheck disable=SC2086 # an option
		"$JPBPF" info $form "$what" >"$work/out" 2>&1
		harmless "$work/out"
	done
done
"$JPBPF" info "$target" >"$work/out" 2>&1
says "$printable" "$work/out"
profile -d 1 -- "$work/$evil.none"
status_is 127
harmless "$work/err"
says "$printable"
verdict 'the same in what info and errors say'
stop "$target"
exit "$failed"
