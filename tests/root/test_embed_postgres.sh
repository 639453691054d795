#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# R and Tcl in a PostgreSQL backend, PL/R calling PL/Tcl through SPI: every sample has the
# backend's frames in their places, from the first call on.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119,SC2120
. "$(dirname "$0")/scene.sh"
need "$JPBPF" setpriv psql "$PROGRAMS/truth_r.so" "$PROGRAMS/truth_tcl.so"
for plr in /usr/lib/postgresql/*/lib/plr.so; do
	need "$plr" "${plr%/*}/pltcl.so"
	bin=${plr%/lib/*}/bin
done

# A server of our own, which only its socket in our folder leads to.
export TMPDIR="$work/server"
mkdir "$TMPDIR"
cp "$PROGRAMS/truth_r.so" "$PROGRAMS/truth_tcl.so" "$work/server"
chown -R postgres "$work/server"
chmod 711 "$work"
as_postgres() {
	cd "$work/server" || exit
	exec setpriv --reuid postgres --regid postgres --clear-groups "$@"
}
(as_postgres "$bin/initdb" -D "$work/server/data" -A trust -U postgres --no-sync \
	--no-locale -E UTF8) >"$work/initdb" 2>&1 || blame 'no cluster' "$work/initdb"
start as_postgres "$bin/postgres" -D "$work/server/data" -k "$work/server" \
	-c listen_addresses= -c fsync=off -c shared_buffers=16MB
server=$target
sql() {
	"$bin/psql" -h "$work/server" -U postgres -X -q -A -t -v ON_ERROR_STOP=1 "$@" \
		postgres
}
until_true 20 sql -c 'create extension plr' 2>"$work/sql" ||
	blame 'no server' "$work/target.out"
sql >"$work/sql" 2>&1 <<END || blame 'no functions' "$work/sql"
create extension pltclu;
create function in_tcl(n int) returns int language pltclu as \$\$
	if {![llength [info commands ::truth::burn]]} {
		load $work/server/truth_tcl.so Truth
	}
	truth::burn \$1 4
	return 1
\$\$;
create function in_r(n int) returns int language plr as \$\$
	if (!is.loaded("truth_burn"))
		dyn.load("$work/server/truth_r.so")
	.Call("truth_burn", n, 4)
\$\$;
create function in_both(n int) returns int language plr as \$\$
	pg.spi.exec(sprintf("select in_tcl(%d)", n))
	n
\$\$;
END

# session BEFORE AFTER: statements of one backend, before and while it is profiled.
hosts=
session() {
	rm -f "$work/backend"
	cat >"$work/calls" <<END
$1
select pg_backend_pid() \\g $work/backend
\\! until [ -e $go ]; do sleep 0.05; done
$2
END
	start sql -f "$work/calls"
	until_true 20 test -s "$work/backend" || blame 'no backend' "$work/target.out"
	hosts="${hosts:+$hosts,}$(cat "$work/backend")"
}
# The first calls of a backend, which burn in a leaf that is not compared, and later ones.
session '' 'select in_r(0), in_tcl(0) from generate_series(1, 10);'
session 'select in_r(0), in_tcl(0);' \
	'select in_r(1), in_tcl(2), in_both(3) from generate_series(1, 30);'
profile_hosts
kill -INT "$server"
wait "$server"
verdict "two backends of PostgreSQL are profiled, $taken samples"

# Between the loading of a library and its unwind table some are cut, and say so.
begins postgres 'main;PostmasterMain;.*;?PostgresMain;|exit;|\[cut: '
grep -E ';(\[R interpreter\]|\[r frame\]|base::[^;]*|PLR[0-9]+)[; ]' "$work/host" |
	grep -vE ';(dlopen|exit|\[cut: [^;]*);' >"$work/with_r"
grep -E ';(\[Tcl interpreter\]|\[tcl frame\]|__PLTcl_proc_[0-9]+)[; ]' "$work/host" |
	grep -vE ';(dlopen|exit|\[cut: [^;]*);' >"$work/with_tcl"
shows ';PostgresMain;.*;plr_call_handler;.*plr_init;' "$work/host"
grep -vE ';PostgresMain;.*;plr_(call_handler|cleanup);' "$work/with_r" >"$work/others"
grep -vE ';PostgresMain;.*;(_PG_init|\[pltcl\.so\+0x[0-9a-f]+\]);' "$work/with_tcl" \
	>>"$work/others"
shows_no . "$work/others"
verdict "what calls R and Tcl stands outside of them, also while they start, $(awk \
	'{ n += $NF } END { print n }' "$work/with_r" "$work/with_tcl") samples"
in_backend='**~([A-Za-z_]+|\[postgres\+0x[0-9a-f]+\])'
backend="main;PostmasterMain;$in_backend;PostgresMain;$in_backend"
plr='plr_call_handler;call_r_func;~PLR[0-9]+'
# Its functions are static, and its handler ends in a jump to the first of them.
pltcl='*pltcl.so;*pltcl.so;~__PLTcl_proc_[0-9]+'
rows postgres <<END
01 $backend;$plr;.Call;truth_burn
02 $backend;$pltcl;::truth::burn
03 $backend;$plr;pg.spi.exec;.Call;plr_SPI_exec;SPI_execute;$in_backend;$pltcl;::truth::burn
END
exit "$failed"
