#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f sqlite, read by sqlite3; and the queries of the manual.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need sqlite3 perl

ask() {
	sqlite3 a.db "$1"
}

"$make_profile" sqlite >a.db
"$make_profile" folded >a.folded
same 'it is sound' 'ok' "$(ask 'PRAGMA integrity_check')"
same 'version and kind of file' '1 1785750118' \
	"$(ask 'PRAGMA user_version; PRAGMA application_id' | paste -sd ' ')"
same 'functions of the view flat' "$(by_function <a.folded)" \
	"$(ask "SELECT name, sum(samples_in), sum(samples_under) FROM
		(SELECT CASE kind WHEN 'inlined' THEN replace(name, '_[i]', '') ELSE name END
		AS name, samples_in, samples_under FROM flat WHERE event = 'cpu-clock')
		GROUP BY name" | awk -F '|' '{ print $2, $3, $1 }' | LC_ALL=C sort -k 3 |
		LC_ALL=C sort -s -k 3)"
same 'time is that of the samples' '200|2000000000
200|200' "$(ask "SELECT sum(samples_in), sum(value_in) FROM tree GROUP BY event")"
same 'the tree adds up' '0' "$(ask "SELECT count(*) FROM tree t WHERE samples_under !=
	samples_in + (SELECT coalesce(sum(samples_under), 0) FROM tree c
	WHERE c.parent = t.id AND c.event = t.event)")"
same 'samples by thread' '100|100|wish|86
100|101|worker|28
200|200|R|72
300|300|sh </script>|14' "$(ask "SELECT pid, tid, comm, sum(weight) FROM timeline
	WHERE event = 'cpu-clock' GROUP BY 1, 2, 3")"
same 'times' '0.0|0.993|400' \
	"$(ask 'SELECT min(seconds), max(seconds), count(*) FROM timeline')"
same 'programs' 'wish main.tcl' "$(ask "SELECT DISTINCT p.text FROM tasks
	JOIN strings p ON p.id = program WHERE pid = 100")"
same 'marks and losses' '0.3|phase <b>2</b>
0.6|fit
0.45|ring buffer full|17' "$(ask "SELECT (time - start) / 1e9, s.text FROM marks, run
	JOIN strings s ON s.id = marks.text;
	SELECT (time - start) / 1e9, s.text, samples FROM losses, run
	JOIN strings s ON s.id = reason")"
same 'the run' '1760000000000000000|1000000000|lab1|6.1.0-18-amd64|-F 100 -a --expr "</script>"' \
	"$(ask "SELECT start_real, end - start, h.text, k.text, o.text FROM run
	JOIN strings h ON h.id = host JOIN strings k ON k.id = kernel
	JOIN strings o ON o.id = options")"
same 'modules, files and lines' '/home/ann/model.so|d00dfeedd00dfeed|/home/ann/model.cpp|120|19712' \
	"$(ask "SELECT p.text, b.text, s.text, line, address FROM frames JOIN strings p ON p.id = path
	JOIN strings b ON b.id = build_id JOIN strings s ON s.id = file
	JOIN strings n ON n.id = name WHERE n.text LIKE 'fit::Model%'")"

# The manual's: each stands between ```sql and ```.
queries=$(grep -c '^```sql' "$top/docs/formats.md")
for n in $(seq "$queries"); do
	awk -v n="$n" '/^```/ { on = /^```sql/ && ++i == n; next } on' \
		"$top/docs/formats.md" >query
	sqlite3 -header a.db <query >"answer$n" 2>&1
done
same 'the manual has three queries' 3 "$queries"
same 'where the time goes, as a tree' 'under_ms|in_ms|function
1960.0|0.0|__libc_start_main
1140.0|0.0|  Tcl_MainEx
1140.0|0.0|    [Tcl interpreter]
1060.0|0.0|      ::app::run
760.0|600.0|        draw
100.0|100.0|          LazyCompile:~render_[j]
300.0|300.0|        draw
680.0|0.0|  Rf_mainloop
400.0|0.0|    stats::optim
400.0|0.0|      stats:::fn1
400.0|160.0|        fit::Model<std::vector<double> >::solve(int, char const*)
240.0|240.0|          fit::dot<double>_[i]
250.0|0.0|    <anonymous model.R:12>
200.0|0.0|      fib
200.0|0.0|        fib
200.0|80.0|          fib
120.0|120.0|            fib' "$(cat answer1)"
same 'what each phase spent' 'phase|comm|tid|ms
phase <b>2</b>|wish|100|260.0
phase <b>2</b>|R|200|150.0
phase <b>2</b>|worker|101|140.0
phase <b>2</b>|sh </script>|300|140.0
fit|R|200|410.0
fit|wish|100|200.0
fit|worker|101|80.0' "$(cat answer2)"
same 'who calls a function' 'caller|ms
::app::run|1060.0' "$(cat answer3)"

"$make_profile" sqlite empty >a.db
same 'an empty profile' '0|0|2' "$(ask 'SELECT (SELECT count(*) FROM tree),
	(SELECT count(*) FROM flat), (SELECT count(*) FROM events)')"
"$make_profile" sqlite deep=5000 >a.db
same 'a stack of 5,000 frames' '5000|100|100' "$(ask 'SELECT max(depth), sum(samples_in),
	max(samples_under) FROM tree')"
same 'recursion counts once' 'fib|100|100' "$(ask "SELECT name, samples_in, samples_under
	FROM flat WHERE name = 'fib'")"
refuses sqlite
exit $failed
