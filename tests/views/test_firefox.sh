#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f firefox and -f perf, read by the Firefox profiler's own command line.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need node npm perl
(cd "$top" && tests/views/npm @firefox-devtools/profiler-cli) || exit 1
export HOME="$dir"
cli=$BUILD/npm/node_modules/.bin/profiler-cli

# reads FILE [EVENT]: the functions in functions, the rest in threads.
reads() {
	node "$here/firefox.js" "$cli" "$dir/$1" "${2:-}" >answer
	# One that began too slowly is not ended by its own command.
	pkill -f -- "--daemon $dir/"
	grep -E '^[0-9]' answer | sed 's/_\[i\]$//' | LC_ALL=C sort -k 3 >functions
	grep -vE '^[0-9]' answer >threads
}
# Samples are of 10 ms here.
times_ten() {
	perl -pe 's/^(\d+) (\d+)/10 * $1 . " " . 10 * $2/e' | LC_ALL=C sort -k 3
}

"$make_profile" firefox >a.json
"$make_profile" folded >a.folded
reads a.json cpu-clock
same 'firefox: ms in and under each function' "$(by_function <a.folded | times_ten)" \
	"$(cat functions)"
same 'firefox: threads, processes and marks' 'thread wish (cpu-clock) | wish main.tcl | 100
marker mark: fit at 600
marker mark: phase <b>2</b> at 300
marker lost: ring buffer full at 450
thread R (cpu-clock) | /usr/lib/R/bin/exec/R --file=model.R | 200
thread sh </script> (cpu-clock) | sh -c "x" | 300
thread worker (cpu-clock) | wish main.tcl | 100
thread R (page-faults) | /usr/lib/R/bin/exec/R --file=model.R | 200
thread wish (page-faults) | wish main.tcl | 100' "$(cat threads)"
reads a.json page-faults
same 'firefox: the other event in its own unit' 200 \
	"$(awk '{ n += $1 } END { print n }' functions)"
"$make_profile" firefox empty >empty.json
node -e 'JSON.parse(require("fs").readFileSync("empty.json"))'
same 'firefox: an empty profile is JSON' 0 $?

# perf has one list of samples for all events, and no fields for lines.
"$make_profile" perf >a.perf
reads a.perf
same 'perf: threads' 'thread wish | Parent Process | 100
thread R | Parent Process | 200
thread worker | Parent Process | 100
thread sh </script> | Parent Process | 300' "$(cat threads)"
same 'perf: samples in draw, by line' '60 126 draw (/home/ann/main.tcl:40)
30 30 draw (/home/ann/main.tcl:44)' "$(grep ' draw ' functions)"
same 'perf: a name that begins with ( is there' 9 \
	"$(awk '/proc:3/ { n += $1 } END { print n }' functions)"
refuses firefox
refuses perf
exit $failed
