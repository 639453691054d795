#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# A Tcl that calls itself another version: taken when it is proven, else refused
# with words that help.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 perl

level=$(echo 'puts [info patchlevel]' | tclsh8.6)
scripts=$(echo 'puts [info library]' | tclsh8.6)
cp -r "$scripts" "$work/library"
sed -i 's/^package require -exact .*//' "$work/library/init.tcl"
start tclsh8.6 "$work/busy.tcl"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
libtcl=$(awk '$6 ~ /\/libtcl8\.6\.so/ { print $6; exit }' "/proc/$target/maps")
stop "$target"
[ -n "$libtcl" ] || skip 'tclsh8.6 has no libtcl8.6.so'

# start_as VERSION SCRIPT: a tclsh with a library that says so.
start_as() {
	version=$1
	mkdir -p "$work/$version"
	# shellcheck disable=SC2016 # perl's
	perl -0777 -pe '
		BEGIN { ($level, $new) = splice @ARGV, 0, 2 }
		$short = $level =~ s/\.\d+$//r;
		$new_short = $new =~ s/\.\d+$//r;
		$padded = $new . "\0" x (length($level) - length $new);
		s/\0\K\Q$level\E(?=\0)/$padded/g;
		s/\Q$short\E(?=\0)/$new_short/g;
	' "$level" "$version" <"$libtcl" >"$work/$version/${libtcl##*/}"
	start env LD_LIBRARY_PATH="$work/$version" \
		TCL_LIBRARY="$work/library" tclsh8.6 "$2"
	until_true 20 has_run "$target" 10 || blame "it does not run" \
		"$work/target.out"
}

for version in "${level%.*}.99" 8.9.1; do
	start_as "$version" "$work/busy.tcl"
	profile -v -p "$target" -F 999 --max-cost 100 -d 1 -U
	stop "$target"
	status_is 0
	accounts "$work/out"
	says "Tcl $version (not known; tried as 8."
	shows '^tclsh8.6;work;spin'
	shows_no '\[libtcl'
	verdict "Tcl $version: not known, proven on the process, and used"
done

# Without a proc nothing shows where the fields of a proc are.
cat >"$work/bare.tcl" <<'END'
foreach name [info procs ::*] {rename $name {}}
while 1 {apply {{} {for {set i 0} {$i < 5000} {incr i} {}}}}
END
start_as 8.9.1 "$work/bare.tcl"
profile -p "$target" -F 999 --max-cost 100 -d 2 -U
stop "$target"
status_is 0
accounts "$work/out"
says 'Tcl frames cannot be shown yet: Tcl 8.9.1 is not known here; tried as 8.7.0 to 8.7.x, but its interpreter at 0x'
says 'has too little in it to prove it on (no procs are seen, or few commands)'
says "please report it, with the output of \"jpbpf info $target\""
shows_no ';apply '
verdict 'Tcl 8.9.1: not known and not proven, not used'

start_as 8.4.20 "$work/busy.tcl"
profile -p "$target" -F 999 --max-cost 100 -d 0.5 -U
stop "$target"
status_is 0
accounts "$work/out"
says 'Tcl frames cannot be shown: Tcl 8.4.20 is not supported, versions from 8.5.0 on are'
shows_no ';work;'
verdict 'Tcl 8.4.20: refused, and why'

# The code of 8.6 is not that of 8.5.
start_as 8.5.19 "$work/busy.tcl"
profile -p "$target" -F 999 --max-cost 100 -d 0.5 -U
stop "$target"
status_is 0
accounts "$work/out"
says 'Tcl 8.5.19, compiled in a way not understood: the bytecode engine was not found'
shows_no ';work;'
verdict 'Tcl 8.5.19 with the code of 8.6: refused, and why'
exit "$failed"
