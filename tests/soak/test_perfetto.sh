#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f perfetto, read by Perfetto itself: trace_processor_shell, by its name on the PATH or as
# $TRACE_PROCESSOR.  Debian's package has the recorder alone; the reader is built from
# Perfetto's source (gn, ninja) in half an hour.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/../views/reader.sh"
shell=${TRACE_PROCESSOR:-trace_processor_shell}
need perl "$shell"

# ask QUERY: rows of trace, fields separated by "|".
ask() {
	printf '%s\n' "$1" >query
	"$shell" -q query trace 2>log | sed '1d; s/^"//; s/"$//; s/","/|/g; s/",/|/g; s/,"/|/g' |
		sed 's/""/"/g'
}

"$make_profile" perfetto >trace
"$make_profile" folded >a.folded
same 'no errors, and what was lost' 'perf_cpu_lost_records|17' "$(ask "SELECT name || '|' || value AS t
	FROM stats WHERE severity != 'info' AND value > 0")"
same 'samples of each thread' '100|100|wish|86
100|101|worker|28
200|200|R|72
300|300|sh </script>|14' "$(ask "SELECT p.pid || '|' || t.tid || '|' || t.name || '|' || count(*) AS t
	FROM perf_sample s JOIN thread t USING (utid) JOIN process p USING (upid)
	WHERE s.perf_session_id = 0 GROUP BY p.pid, t.tid ORDER BY p.pid, t.tid")"
same 'processes' '100 wish main.tcl
200 /usr/lib/R/bin/exec/R --file=model.R
300 sh -c "x"' "$(ask "SELECT pid || ' ' || name AS t FROM process WHERE pid > 0 ORDER BY pid")"
same 'values and times' 'cpu-clock 200 2000000000 5000000000000 5000993000000
page-faults 200 200 5000000000000 5000993000000' "$(ask "
	INCLUDE PERFETTO MODULE linux.perf.counters;
	SELECT t.name || ' ' || count(*) || ' ' || cast(sum(counter_value) AS INT) || ' ' ||
	min(s.ts) || ' ' || max(s.ts) AS t FROM linux_perf_sample_with_counters s
	JOIN perf_counter_track t ON t.id = s.track_id GROUP BY t.name ORDER BY t.name")"
same 'the clock on the wall' '1760000000000000000' "$(ask "SELECT clock_value AS t
	FROM clock_snapshot WHERE clock_name = 'REALTIME'")"
same 'marks and losses' '5000300000000 marks: phase <b>2</b>
5000450000000 lost samples: ring buffer full
5000600000000 marks: fit' "$(ask "SELECT s.ts || ' ' || t.name || ': ' || s.name AS t
	FROM slice s JOIN track t ON t.id = s.track_id ORDER BY s.ts")"
same 'attributes' 'trace_attribute.host=lab1
trace_attribute.kernel=6.1.0-18-amd64
trace_attribute.options=-F 100 -a --expr "</script>"' "$(ask "SELECT name || '=' || str_value AS t
	FROM metadata WHERE name LIKE 'trace_attribute.%' ORDER BY name")"
same 'lines of one function' '40 44' "$(ask "SELECT line_number AS t FROM stack_profile_symbol
	WHERE name = 'draw' ORDER BY 1" | paste -sd ' ')"
same 'modules' '/usr/lib/R/lib/libR.so b1b2b3b4b5b6b7b8' "$(ask "SELECT m.name || ' ' || m.build_id
	AS t FROM stack_profile_mapping m JOIN stack_profile_frame f ON f.mapping = m.id
	WHERE f.name = 'Rf_mainloop'")"

# Stacks as Perfetto has them.
stacks() {
	ask "WITH RECURSIVE up(leaf, id, text) AS (
		SELECT c.id, c.parent_id, f.name FROM stack_profile_callsite c
		JOIN stack_profile_frame f ON f.id = c.frame_id
		UNION ALL SELECT leaf, c.parent_id, f.name || ';' || text FROM up
		JOIN stack_profile_callsite c ON c.id = up.id
		JOIN stack_profile_frame f ON f.id = c.frame_id)
		SELECT 'R;' || text || ' ' || (SELECT count(*) FROM perf_sample
			WHERE callsite_id = leaf AND perf_session_id = 0) AS t FROM up WHERE id IS NULL"
}
stacks | grep -v ' 0$' >a.stacks
same 'samples in and under each function' "$(by_function <a.folded)" "$(by_function <a.stacks)"
"$make_profile" perfetto deep=5000 >trace
same 'a stack of 5,000 frames' '4999' "$(ask 'SELECT max(depth) AS t FROM stack_profile_callsite')"
"$make_profile" perfetto empty >trace
same 'an empty profile' '0' "$(ask 'SELECT count(*) AS t FROM perf_sample')"
"$make_profile" perfetto stacks=100000 depth=40 >trace
same '100,000 stacks' "$("$make_profile" folded stacks=100000 depth=40 |
	awk '{ n += $NF } END { print n }')" "$(ask 'SELECT count(*) AS t FROM perf_sample')"
exit $failed
