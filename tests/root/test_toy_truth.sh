#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# A third walker from a folder of its own (tests/toy): its frames are exact, also where
# those of R stand between them, which belong to addresses on the stack too.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
JPBPF=${BUILD:-build}/toy/jpbpf
. "$(dirname "$0")/scene.sh"
need "$JPBPF" R "$PROGRAMS/toy"

"$JPBPF" info "$PROGRAMS/toy" >"$work/info"
says 'Toy, file' "$work/info"
verdict 'the file is known'

R_HOME=$(R RHOME)
export R_HOME
host "$PROGRAMS/toy" "$go"
profile_hosts --stats
says ' Toy, 0 native only' "$work/err"
says 'stats: TOY_UNPLACED 0' "$work/err"
says 'stats: R_UNPLACED 0' "$work/err"
verdict "a program with Toy and R in it is profiled, $taken samples"
rows toy <<'END'
01 main;first;toy_leaf
02 main;outer;middle;plain;toy_leaf
03 main;outer;middle;pair;twin;toy_leaf
04 main;outer;middle;asks;toy_ask;work;burn;.Call;toy_burn
05 main;outer;middle;asks;again;toy_ask;again;.Call;toy_again;last;toy_leaf
06 main;outer;middle;asks;toy_ask;again;.Call;toy_again;last;toy_ask;work;burn;.Call;toy_burn
END
exit "$failed"
