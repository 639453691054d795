#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Stock Lua tells its activations (examples/lua): they are Lua's own, and stand between the
# right C functions.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
lua=$(dirname "$0")/../../examples/lua
LUA_CPATH="${BUILD:-build}/examples/lua/?.so"
export LUA_CPATH
need "$JPBPF" lua5.4 "${BUILD:-build}/examples/lua/jpbpf.so"

for seed in ${SEEDS:-1 2}; do
	lua5.4 -l jpbpf "$lua/check.lua" "$seed" >"$work/out" 2>&1 || blame 'not exact' "$work/out"
	verdict "seed $seed: $(tail -n 1 "$work/out")"
done

lua5.4 -l jpbpf "$lua/stacks.lua" &
target=$!
started="$started $target"
sleep 0.3
"$JPBPF" -U -p "$target" -d 2 -F 2000 --max-cost 100 --stats -f folded >"$work/all" 2>"$work/err"
kill "$target"
says 'stats: SHADOW_UNPLACED 0' "$work/err"
says 'stats: SHADOW_NAME 0' "$work/err"
# Of the frames, Lua's; of them, those down to the leaf that burns.
sed -E 's/\[[^];]*\];?//g; s/;(lua|luaL)_[a-z]+//g' "$work/all" |
	grep -E ';burn[; ]' | sed -E 's/^.*;(main chunk.*;burn)(;.*)? ([0-9]+)$/\1 \3/' |
	awk '{ n = $NF; $NF = ""; sum[$0] += n } END { for (s in sum) print s sum[s] }' >"$work/out"
for stack in 'first;burn' 'calls_tail;first;burn' 'calls_tail;burn' 'catches;pcall;function:6;burn' \
	'catches;burn' 'resumes;step;coroutine function:8;function:8;burn' 'resumes;burn' \
	'sorts;table.sort;function:16;burn'; do
	grep -v "^main chunk;$stack [0-9]*\$" "$work/out" >"$work/rest"
	cmp -s "$work/out" "$work/rest" && blame "no stack $stack" "$work/out"
	mv "$work/rest" "$work/out"
done
[ -s "$work/out" ] && blame 'other stacks' "$work/out"
verdict 'stacks of Lua and C'
exit "$failed"
