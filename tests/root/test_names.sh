#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What frames are called: packages, namespaces, demangled symbols, the kernel; and names
# that would be taken for something else.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript "$PROGRAMS/mangled"

# --------------------------------------------------------------- R and Tcl

cat >"$work/names.R" <<'EOF'
invisible(compiler::enableJIT(0))
burn <- function() { x <- 0; for (i in 1:20000) x <- x + i %% 7; x }
obj <- list(run = function() burn())
`%op%` <- function(a, b) burn()
optim <- function(x) burn()
`;` <- function() burn()
`\\x3b` <- function() burn()
`[cut: fake]` <- function() burn()
`run_[k]` <- function() burn()
`<anonymous>` <- function() burn()
`a@b` <- function() burn()
repeat {
	stats::optimize(function(x) { burn(); x^2 }, c(0, 1), tol = 0.5)
	obj$run()
	1 %op% 2
	optim(1)
	lapply(1, function(i) burn())
	(function() burn())()
	`;`()
	`\\x3b`()
	`[cut: fake]`()
	`run_[k]`()
	`<anonymous>`()
	`a@b`()
	tools::toTitleCase(rep("the names of functions", 50))
}
EOF
sed -i "s/a@b/a$(printf '\342\200\213')b/" "$work/names.R"
start Rscript --vanilla "$work/names.R"
until_true 30 has_mapped "$target" libR.so || blame 'no R'
until_true 30 has_run "$target" 50 || blame 'R does not run'
profile_start -p "$target" -F 999 --max-cost 100 -U
run_on "$target" 120
profile_end INT
status_is 0
accounts "$work/out"
shows '^R;stats::optimize;.*;stats::<anonymous>;f;burn(;| )'
shows '^R;obj[$]run;burn(;| )'
shows '^R;%op%;burn(;| )'
shows '^R;optim;burn(;| )'
shows '^R;base::lapply;FUN;burn(;| )'
shows '^R;<anonymous>;burn(;| )'
shows '^R;tools::toTitleCase;'
shows_no '(stats::optim|base::burn|stats::burn);'
verdict "R: a package's functions by pkg::name, others as they were called"
hostile='\\x3b \\x5cx3b \\x5bcut:\\x20fake\] run_\\x5bk\] a\\xe2\\x80\\x(ae|8b)b'
for name in $hostile '\\x3canonymous>'; do
	shows "^R;$name;burn(;| )"
done
shows_no '(^|;)(\[cut: fake|;|run_\[)'
verdict 'R: names are escaped, none is taken for a marker'
stop "$target"

cat >"$work/names.tcl" <<'EOF'
proc burn {} {for {set i 0} {$i < 5000} {incr i} {}}
namespace eval ::app::deep {proc work {} {::burn}}
namespace eval ::app {proc outer {} {deep::work}}
oo::class create ::bank::Account {method pay {} {burn}}
bank::Account create account
set hostile [list {} {;} {\x3b} {[cut: fake]} {run_[k]} a\u202eb {coroutine x}]
foreach name $hostile {proc $name {} burn}
while 1 {
	foreach name $hostile {$name}
	app::outer
	account pay
	apply {x {burn}} 1
	lsort -command {apply {{a b} {burn; return 0}}} {2 1}
}
EOF
start tclsh8.6 "$work/names.tcl"
until_true 20 has_run "$target" 10 || blame 'tclsh does not run'
profile_start -p "$target" -F 999 --max-cost 100 -U
run_on "$target" 60
profile_end INT
status_is 0
accounts "$work/out"
shows '^tclsh8.6;::app::outer;::app::deep::work;burn(;| )'
shows '^tclsh8.6;::bank::Account pay;burn(;| )'
shows '^tclsh8.6;apply \{x\};burn(;| )'
shows '^tclsh8.6;lsort;apply \{a b\};burn(;| )'
shows_no '::burn'
verdict 'Tcl: qualified names, methods, lambdas, commands'
for name in $hostile '\[empty name\]' 'coroutine\\x20x'; do
	shows "^tclsh8.6;$name;burn(;| )"
done
shows_no '(^|;)(\[cut: fake|;|run_\[)'
verdict 'Tcl: names are escaped, none is taken for a marker, an empty one is told'
stop "$target"

# -------------------------------------------------------------------- native

start "$PROGRAMS/mangled" 1000
until_true 20 has_run "$target" 20 || blame 'mangled does not run'
profile -p "$target" -F 999 --max-cost 100 -d 0.5 -U
status_is 0
accounts "$work/out"
shows ';main;app::Model::step(\(.*\))?;app::sort<std::vector<int, .*>;crate::inner::work;mycrate::foo::bar;_ZNotMangled;truth_leaf_01 '
verdict 'native: C++ and Rust are demangled, what is neither stays'
stop "$target"

mkdir "$work/lazy"
# shellcheck disable=SC2016 # of the inner shell
start unshare -m --propagation private sh -c '
	mount -t tmpfs none "$1" && cp "$0" "$1/lazy" || exit
	{ until grep -q /lazy/lazy /proc/$$/maps; do sleep 0.05; done; umount -l "$1"; } &
	exec "$1/lazy" 1000' "$PROGRAMS/mangled" "$work/lazy"
# shellcheck disable=SC2317 # until_true calls it
unmounted() {
	has_run "$target" 20 && ! grep -q "$work/lazy" "/proc/$target/mountinfo"
}
until_true 20 unmounted || blame 'lazy does not run' "$work/target.out"
profile -p "$target" -F 999 --max-cost 100 -d 0.3 -U
status_is 0
accounts
shows ';\[lazy: not readable\] '
says 'its file system is not mounted any more'
verdict 'a binary whose file system was unmounted: it is said'
stop "$target"

# -------------------------------------------------------------------- kernel

cat >"$work/calls.tcl" <<'EOF'
set in [open /dev/zero rb]
set out [open /dev/null wb]
fconfigure $in -buffersize 1000000
set data [string repeat x 1000000]
namespace eval app {
	proc reads {} {read $::in 1000000}
	proc writes {} {puts -nonewline $::out $::data; flush $::out}
}
while 1 {
	app::reads
	app::writes
}
EOF
cat >"$work/calls.R" <<'EOF'
invisible(compiler::enableJIT(0))
f <- file("/dev/zero", "rb", raw = TRUE)
reads <- function() readBin(f, "raw", 4e6)
while (TRUE) reads()
EOF
start tclsh8.6 "$work/calls.tcl"
tcl=$target
start Rscript --vanilla "$work/calls.R"
until_true 20 has_run "$tcl" 20 || blame 'tclsh does not run'
until_true 30 has_mapped "$target" libR.so || blame 'no R'
until_true 30 has_run "$target" 60 || blame 'R does not run'
# observe [OPTION]
observe() {
	profile_start -p "$tcl,$target" -F 499 --max-cost 100 "$@"
	run_on "$tcl" 30
	run_on "$target" 30
	profile_end INT
	status_is 0
	accounts "$work/out"
}
observe
shows '^tclsh8.6;::app::reads;read(;[^;]*)*;[^;]*_\[k\] [0-9]+$'
shows '^R;reads;base::readBin(;[^;]*)*;[^;]*_\[k\] [0-9]+$'
shows 'vfs_read_\[k\]'
# Kernel frames are the innermost: none has a user frame inside.
shows_no '_\[k\];([^;]*[^];]|[^;]*[^k]\])(;| [0-9]+$)'
verdict 'kernel frames, with _[k], inside the user frames'
observe -U
shows '^tclsh8.6;::app::reads;read(;| )'
shows_no '_\[k\]'
verdict '-U: no kernel frames'
observe -K
shows '^tclsh8.6(;[^;]*_\[k\])+ [0-9]+$'
shows '^R(;[^;]*_\[k\])+ [0-9]+$'
shows '^(tclsh8.6|R);\[user mode\] [0-9]+$'
! grep -vE '^(tclsh8\.6|R)(;\[user mode\]|(;[^;]*_\[k\])+) [0-9]+$' "$work/out" >"$work/bad" ||
	blame 'neither kernel frames nor user mode:' "$work/bad"
verdict '-K: kernel frames only, and what was in user mode says so'
exit "$failed"
