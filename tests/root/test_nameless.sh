#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Functions without a symbol: one frame each, by where they begin; what the summary says
# of them; main() and start_thread() in a stripped program.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" gcc nm strip readelf

cat >"$work/hot.c" <<'EOF'
#include <pthread.h>
#define KEEP __attribute__((noinline, noclone))
volatile unsigned sum;
KEEP static void hot(void)
{
	for (unsigned i = 0; i < 3000; i++)
		sum = sum * 3 + (i % 7 ? i / 3 : i % 11);
}
/* The C library has a function of that name. */
KEEP static void *start_thread(void *arg)
{
	for (;;)
		hot();
	return arg;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, start_thread, NULL);
	for (;;)
		hot();
}
EOF
gcc -O2 -pthread -Wl,--build-id -o "$work/hot" "$work/hot.c" || blame 'gcc'
# place NAME: its frame.
place() {
	nm "$work/hot" | awk -v name="$1" \
		'$3 == name { sub(/^0*/, "", $1); print "[hot+0x" $1 "]" }'
}
hot=$(place hot)
thread=$(place start_thread)
id=$(readelf -n "$work/hot" | awk '/Build ID/ { print $3 }')

# frames [OPTION]: those of the program, in $work/frames.
frames() {
	profile -p "$target" -F 999 --max-cost 100 -d 1 -U "$@"
	status_is 0
	accounts "$work/out"
	awk '{ sub(/ [0-9]+$/, ""); n = split($0, part, ";")
		for (i = 2; i <= n; i++) print part[i] }' "$work/out" |
		sort -u >"$work/frames"
}
are() {
	printf '%s\n' "$@" | sort -u | cmp -s - "$work/frames" ||
		blame "other frames than $*:" "$work/frames"
}

start "$work/hot"
until_true 20 has_run "$target" 10 || blame 'it does not run'
frames
are main hot start_thread
shows '^hot;main;hot [0-9]+$'
shows '^hot;start_thread;hot [0-9]+$'
says_no 'without a name'
verdict 'with symbols: a function called as one of the C library is shown'
stop "$target"

strip -s "$work/hot"
start "$work/hot"
until_true 20 has_run "$target" 10 || blame 'it does not run'
frames
are main "$hot" "$thread"
says "%  hot, build-id $id"
says 'DEBUGINFOD_URLS'
# All frames but main().
share=$(awk '{ bare += gsub(/\[hot\+/, "&") * $NF; all += gsub(/;/, "&") * $NF }
	END { printf("%.1f", 100 * bare / all) }' "$work/out")
says "native frames without a name: $share %"
verdict "stripped: one frame a function, main() by its name, and the summary says so"

frames --addresses
instructions=$(grep -c '^\[hot+0x' "$work/frames")
at_least 5 "$instructions" 'instructions'
grep -q '^main$' "$work/frames" || blame 'no main' "$work/frames"
verdict '--addresses: one frame an instruction'
stop "$target"
exit "$failed"
