#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Script frames from a program's beginning on: what is not known of an interpreter when
# it starts cannot be had later.  Environment: LOADED (4, programs for each CPU that
# use it besides).
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript perl

# Programs of about half a second.
cat >"$work/half.tcl" <<'EOF'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc work n {for {set k 0} {$k < $n} {incr k} {spin 500}}
work 37500
EOF
cat >"$work/half.R" <<'EOF'
invisible(compiler::enableJIT(0))
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
work <- function(n) for (k in 1:n) spin(2000)
work(800)
EOF

# A name of its own: other programs of Tcl may run here.
ln -s "$(command -v tclsh8.6)" "$work/early_tcl"

# early_of COMM HIDDEN MOST: its stacks are exact or say that script frames are HIDDEN,
# MOST % of them at most.  spin is called by work only, which nothing but the script's
# beginning calls.
early_of() {
	status_is 0
	accounts
	grep "^$1;" "$work/out" >"$work/own"
	shows_no '\[cut' "$work/own"
	awk -v hidden=";$2" -v wrong="$work/wrong" '
		index($0, hidden) { early += $NF; next }
		!/;(work|spin)[; ]/ { next }
		{ good += $NF }
		!/^[^;]*;work[; ]/ || /;spin.*;(work|spin)[; ]/ { print >wrong }
		END { print good + 0, early + 0 }' "$work/own" >"$work/counts"
	read -r good early <"$work/counts"
	[ ! -s "$work/wrong" ] || blame 'wrong stacks:' "$work/wrong"
	[ "$good" -ge 100 ] || blame "only $good samples of work" "$work/out"
	[ $((early * 100)) -le $(((good + early) * $3)) ] ||
		blame "$early of $((good + early)) samples lack their frames" \
			"$work/err"
	figures="$good of $((good + early)) with all frames"
}

# ------------------------------------------------- known before anything starts

profile -v -- sh -c :
says 'libtcl8.6.so: Tcl 8.6'
says_no 'libR.so: R '
profile -v -- Rscript --version
says 'libR.so: R '
profile -v -d 0.1
says 'libtcl8.6.so: Tcl 8.6'
start sleep 60
profile -v -d 0.1 -p "$target"
says_no 'libtcl8.6.so'
stop "$target"
verdict 'interpreters of this host are known where one may be started'

# ------------------------------------------------------------- half a second

# scenes MOST WHEN: programs that begin by way of others.
scenes() {
	# shellcheck disable=SC2016 # the shell that is profiled expands them
	profile -U -F 999 -- sh -c '"$0" "$1"; :' "$work/early_tcl" "$work/half.tcl"
	early_of early_tcl '[tcl frame]' "$1"
	verdict "tclsh by way of a shell, $2: $figures"

	profile_start -U -F 999
	"$work/early_tcl" "$work/half.tcl"
	profile_end INT
	early_of early_tcl '[tcl frame]' "$1"
	verdict "tclsh that was found, $2: $figures"

	profile -U -F 999 -- Rscript --vanilla "$work/half.R"
	early_of R '[r frame]' "$1"
	verdict "R by way of Rscript, $2: $figures"
}
scenes 10 'idle machine'
n=$((${LOADED:-4} * $(nproc)))
while [ $n -gt 0 ]; do
	start perl -e '1 while 1'
	n=$((n - 1))
done
scenes 25 'busy machine'
exit "$failed"
