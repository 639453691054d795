#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth for Go: goroutines, calls of C and Tcl, and back (tests/programs/kinds.go),
# and a program without any C (tests/programs/goroutines.go).
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" go gcc

# Nothing is fetched, and nothing is kept.
export GO111MODULE=off GOPROXY=off GOFLAGS='' GOTOOLCHAIN=local GOCACHE="$work/cache" \
	HOME="$work"
CGO_CFLAGS="-O2 -fomit-frame-pointer $(pkg-config --cflags tcl8.6 2>/dev/null ||
	pkg-config --cflags tcl)"
CGO_LDFLAGS="-rdynamic -L$work -lleaves $(pkg-config --libs tcl8.6 2>/dev/null ||
	pkg-config --libs tcl)"
export CGO_CFLAGS CGO_LDFLAGS
(
	cd "$work" && gcc -O2 -g0 -fomit-frame-pointer -Dmain=unused -c \
		"$sources/leaves.c" && ar rc libleaves.a leaves.o
) || blame 'leaves.c does not build'

# one NAME OPTION...: as built with these options.
one() {
	name=$1
	shift
	build kinds "$@"
	profile -p "$target" -F 999 --max-cost 100 -d 4 -U
	stop "$target"
	shows ';main.clock;.*__vdso_clock_gettime'
	grep ';main.clock[; ]' "$work/out" >"$work/clock"
	shows_no '\[(cut|by)' "$work/clock"
	whole
	verdict "Go $name: $exact exact, $cut of $taken stacks cut"
}
# build PROGRAM OPTION...: and start it.
build() {
	program=$1
	shift
	rm -f "$work/table"
	go build -o "$work/$program" "$@" "$sources/$program.go" >"$work/build" 2>&1 ||
		blame "$program $* does not build" "$work/build"
	start "$work/$program" 60 "$work/table"
	until_true 30 test -s "$work/table" || blame 'no table' "$work/target.out"
}
# Only those may be cut that the runtime leaves a stack with for good.
whole() {
	status_is 0
	accounts
	exactly "$work/table"
	shows_no '\[by frame pointer'
	grep '\[cut' "$work/out" >"$work/cut"
	cut=$(awk '{ n += $NF } END { print n + 0 }' "$work/cut")
	[ "$cut" -le $((taken / 100)) ] || blame "$cut of $taken cut" "$work/err"
	shows_no '\[cut: [^s]' "$work/cut"
}
one 'as built by default'
one 'stripped' -ldflags '-s -w'
one 'position-independent' -buildmode=pie

export CGO_ENABLED=0
build goroutines
profile -p "$target" -F 999 --max-cost 100 -d 4 -U
whole
says '1 native only'
verdict "Go without C: $exact exact, $cut of $taken stacks cut"
profile -a -F 999 --max-cost 100 -d 4 -U
status_is 0
accounts
grep '^goroutines[; ]' "$work/out" >"$work/go"
exactly "$work/table" "$work/go"
verdict "the same among all processes: $exact exact"
stop "$target"
build goroutines -ldflags '-s -w'
profile -p "$target" -F 999 --max-cost 100 -d 4 -U
whole
verdict "Go without C, stripped: $exact exact, $cut of $taken stacks cut"
exit "$failed"
