#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Tcl in a program, as a library and linked into it, where functions of the program lie on
# both sides of Tcl's: every sample has every frame of the program's own.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" nm "$PROGRAMS/embed_tcl" "$PROGRAMS/embed_stripped"

cat >"$work/script.tcl" <<'END'
for {set i 0} {$i < 20} {incr i} {
	service::burn 8
	outer 9
}
END
for program in embed_tcl embed_static embed_stripped; do
	host "$PROGRAMS/$program" "$go" plain
	host "$PROGRAMS/$program" "$go" main "$work/script.tcl"
done
profile_hosts
verdict "programs with Tcl in them are profiled, $taken samples"

# Where functions begin that have no names: the linker knew them.
nm "$PROGRAMS/embed_static" | awk '$2 ~ /[tT]/ {
	sub(/^0+/, "", $1)
	printf("s/;\\[embed_stripped\\+0x%s\\]/;%s/\n", $1, $3)
}' >"$work/names"
shows '^embed_stripped;main;\[embed_stripped\+0x'
sed -E -i -f "$work/names" "$work/out"
shows_no ';\[embed_stripped\+0x[0-9a-f]*\];' # at the end one of the linker's stubs may be
verdict 'functions without a name are shown by where they begin, main() by its name'

for program in embed_tcl embed_static embed_stripped; do
	begins $program 'main(;service_| )|exit;'
	verdict "$program: all stacks have main() and the service"
	rows $program <<'END'
01 main;service_plain;service_loop;service_request;service_dispatch;outer;work;::service::burn;service_burn
02 main;service_plain;service_loop;service_request;service_dispatch;service_deeper;outer;work;::service::burn;service_burn
03 main;service_plain;service_loop;service_request;service_dispatch;late;::service::late;service_burn
04 main;service_plain;service_loop;service_request;service_dispatch;again;::service::again;service_deep;service_deeper;outer;work;::service::burn;service_burn
05 main;service_plain;service_loop;service_request;service_dispatch;writes;watch;service_burn
06 main;service_plain;service_loop;service_request;service_burn
07 main;~service_plain|service_main;?service_loop;service_events;service_tick;outer;work;::service::burn;service_burn
08 main;service_main;::service::burn;service_burn
09 main;service_main;outer;work;::service::burn;service_burn
10 main;service_plain;service_init;service_burn
11 main;service_main;service_app_init;outer;work;::service::burn;service_burn
12 main;service_main;service_app_init;service_init;service_burn
END
done
exit "$failed"
