#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Libraries that are loaded while samples come fast, and plugins that are loaded and
# unloaded in turn: what the agent does not know yet is walked later.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript gcc "$PROGRAMS/truth_r.so"
fastest_hz 9999

# at_most_one_in N SUM ALL WHAT
at_most_one_in() {
	[ "$3" -gt 0 ] || blame "no samples" "$work/err"
	[ $(($2 * $1)) -le "$3" ] || blame "$2 of $3 $4" "$work/err"
}
sum_of() {
	grep -E "$1" "$work/out" | awk '{ n += $NF } END { print n + 0 }'
}

# --------------------------------------------------------------- fresh libraries

cat >"$work/load.R" <<'EOF'
invisible(compiler::enableJIT(0))
files <- commandArgs(TRUE)
began <- Sys.time()
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
while (Sys.time() - began < 0.3) spin(2000)
work <- function(so) {
	dll <- dyn.load(so)
	.Call(getNativeSymbolInfo("truth_burn", dll), 3L, 5L)
}
for (so in files) work(so)
for (i in 1:200) spin(2000)
EOF
for r in 1 2 3; do
	for i in 1 2 3 4 5 6 7 8; do
		mkdir -p "$work/$r/$i"
		cp "$PROGRAMS/truth_r.so" "$work/$r/$i"
	done
done
cat >"$work/three.sh" <<'EOF'
for r in 1 2 3; do Rscript --vanilla "$1/load.R" "$1/$r"/[1-8]/truth_r.so & done
wait
EOF
# all_fresh WHAT: at most one sample of a thousand of R is cut, but for walks that took too
# long on a busy machine, and those in the new libraries are exact.
all_fresh() {
	status_is 0
	accounts
	all=$(sum_of '^R;')
	cut=$(($(sum_of '^R;.*\[cut: ') - $(sum_of '^R;.*\[cut: walk of more')))
	at_most_one_in 1000 "$cut" "$all" 'are cut'
	grep 'truth_leaf_03 ' "$work/out" >"$work/leaf"
	shows '^R;' "$work/leaf"
	grep -vE '^R;([^;]*;)*work;(\.Call;)?truth_burn;truth_leaf_03 ' "$work/leaf" >"$work/wrong"
	shows_no . "$work/wrong"
	verdict "$1: $cut of $all cut, $lost lost"
}
profile -U -F "$hz" -- sh "$work/three.sh" "$work"
all_fresh "three R that load libraries, at $hz Hz"
profile_start -U -F "$hz"
sh "$work/three.sh" "$work"
profile_end INT
all_fresh 'the same, found on the whole host'
profile -U -F 4999 -- Rscript --vanilla "$work/load.R" "$work/1"/[1-8]/truth_r.so
all_fresh 'one R, at 4,999 Hz'

# ------------------------------------------------------------- plugins in turn

# plugin NUMBER: its frames have a size of their own.
plugin() {
	cat >"$work/plugin_$1.c" <<-END
	#define EXPORT __attribute__((noipa, visibility("default")))
	EXPORT void leaf_$1(unsigned long n)
	{
		volatile char room[$1 * 48];
		room[0] = 0;
		while (n--)
			__asm__ volatile("" : : "r"(room));
	}
	EXPORT void plugin(unsigned long n)
	{
		volatile char room[$1 * 80];
		room[0] = 0;
		leaf_$1(n);
		__asm__ volatile("" : : "r"(room) : "memory");
	}
	END
	gcc -O2 -fomit-frame-pointer -shared -fPIC "$work/plugin_$1.c" -o "$work/plugin_$1.so" ||
		blame "no plugin $1"
}
cat >"$work/turns.c" <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	unsigned long turns = strtoul(argv[1], NULL, 10);
	for (long i = 0; i < 1500000000l / (long)(turns + 100000); i++) {
		void *library = dlopen(argv[2 + i % (argc - 2)], RTLD_NOW);
		void (*run)(unsigned long) = (void (*)(unsigned long))dlsym(library, "plugin");
		run(turns);
		dlclose(library);
	}
	return 0;
}
EOF
gcc -O2 -fomit-frame-pointer -rdynamic "$work/turns.c" -o "$work/turns" || blame 'no program'
for i in 1 2 3 4 5; do
	plugin $i
done
# in_turn TURNS OPTION...: of the stacks in plugins at most one in a thousand is not exact.
# The way from a plugin to its leaf is a stub, which has no name.
in_plugin='^turns;main;plugin(;leaf_[1-5]|;\[plugin_[1-5]\.so\+0x10[0-9a-f]+\])? '
in_turn() {
	turns=$1
	shift
	profile -U "$@" -- "$work/turns" "$turns" "$work"/plugin_[1-5].so
	status_is 0
	accounts
	all=$(sum_of '^turns;')
	inside=$(sum_of '(leaf_|plugin)')
	exact=$(grep -E "$in_plugin" "$work/out" |
		awk '{ n += $NF } END { print n + 0 }')
	cut=$(sum_of '\[cut')
	grep -E 'leaf_|plugin[; ]' "$work/out" | grep -vE "$in_plugin" |
		grep -v '\[cut' >"$work/wrong"
	shows_no . "$work/wrong"
	at_most_one_in 1000 $((cut + lost)) "$taken" 'are cut or lost'
	verdict "plugins in turn, $turns turns each: $exact of $inside exact, $cut of $all cut, $lost lost"
}
for f in 999 4999; do
	for n in 10000 100000 1000000 10000000; do
		in_turn $n -F $f
	done
done
exit "$failed"
