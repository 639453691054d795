#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# 32-bit targets are refused, or counted where they were not asked for by name.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" gcc tclsh8.6

gcc -m32 -O2 -nostdlib -static -ffreestanding -fno-pic "$sources/code32.c" \
	-o "$work/code32" >"$work/build" 2>&1 ||
	blame 'does not build' "$work/build"
start "$work/code32"
code32=$target
run_on "$code32" 2
profile -p "$code32" -d 1
status_is 3
says "process $code32 runs 32-bit code, which is not supported"
verdict '-p of a 32-bit process: status 3 and why'

start_tcl
profile -p "$code32,$target" -F 999 -d 1
status_is 0
says "process $code32 runs 32-bit code, which is not supported"
accounts
shows '^tclsh8.6;work;spin'
shows_no code32
verdict 'of several processes the others are profiled'
stop "$target" "$code32"

profile -F 999 -- timeout 1 "$work/code32"
accounts
shows '^code32;\[cut: 32-bit code is not supported\]'
says '32-bit code is not supported'
verdict 'executed by the command: counted with the reason'
exit "$failed"
