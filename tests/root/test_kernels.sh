#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Kernels that are too old are refused, and those that a sample may freeze unless
# that is forced.  A library in front of libc's uname() says which kernel it is.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need gcc tclsh8.6

cat >"$work/uname.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

int uname(struct utsname *u)
{
	*u = (struct utsname){ .sysname = "Linux", .machine = "x86_64" };
	snprintf(u->release, sizeof(u->release), "%s", getenv("KERNEL"));
	snprintf(u->version, sizeof(u->version), "%s", getenv("VERSION"));
	return 0;
}
EOF
gcc -shared -fPIC -o "$work/uname.so" "$work/uname.c" || skip 'no compiler'

# jpbpf_on KERNEL VERSION ARGS...: also built with the sanitizers, which want to be
# the first library.
jpbpf_on() {
	KERNEL=$1 VERSION=$2 ASAN_OPTIONS=verify_asan_link_order=0 \
		LD_PRELOAD=$work/uname.so
	shift 2
	export KERNEL VERSION ASAN_OPTIONS LD_PRELOAD
	"$JPBPF" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	unset KERNEL VERSION ASAN_OPTIONS LD_PRELOAD
}
old='#1 SMP Debian 5.10.223-1 (2024-08-10)'
fault='#1 SMP PREEMPT_DYNAMIC Debian 6.1.27-1 (2023-05-08)'
mended='#1 SMP PREEMPT_DYNAMIC Debian 6.1.37-1 (2023-07-03)'
start_tcl ""

for force in '' --force; do
	# shellcheck disable=SC2086 # an option or nothing
	jpbpf_on 5.10.0-32-amd64 "$old" $force -d 0.5 -p "$target"
	status_is 3
	says 'error: kernel: 5.10.223; boot Linux 6.1 or newer: the walk needs bpf_loop()'
done
jpbpf_on 5.10.0-32-amd64 "$old" check
status_is 3
says 'FAIL kernel          5.10.223' "$work/out"
verdict 'a kernel that is too old is refused'

jpbpf_on 6.1.0-9-amd64 "$fault" -d 0.5 -p "$target"
status_is 3
says 'error: kernel fault: 6.1.27 may freeze when a sample reads user memory; update to'
jpbpf_on 6.1.0-9-amd64 "$fault" check
status_is 3
says 'FAIL kernel fault    6.1.27 may freeze' "$work/out"
verdict 'a kernel that sampling may freeze is refused'

jpbpf_on 6.1.0-9-amd64 "$fault" --force -d 0.5 -p "$target"
status_is 0
says 'warning: kernel fault: 6.1.27 may freeze'
shows 'work'
jpbpf_on 6.1.0-9-amd64 "$fault" check --force
status_is 0
says 'note kernel fault    6.1.27 may freeze' "$work/out"
verdict 'it is sampled with --force'

jpbpf_on 6.1.0-10-amd64 "$mended" -d 0.5 -p "$target"
status_is 0
says 'samples: '
! grep -q 'kernel fault' "$work/err" || blame 'warns:' "$work/err"
verdict 'a kernel in which that is mended is not'
exit "$failed"
