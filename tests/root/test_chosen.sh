#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Who is profiled, exactly: -p, --children, -- COMMAND, and among those --comm, --uid, -G;
# and the summary names them.
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript setpriv unshare

# Every program here burns under its own name: what was sampled is seen in the stacks.
cp "$(command -v dash)" "$work/sh"
for name in master backend helper grandchild other; do
	cp "$(realpath "$(command -v tclsh8.6)")" "$work/$name"
done
cat >"$work/burn.tcl" <<'END'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc burn {} {spin 5000}
set child [lassign $argv pids until]
set f [open $pids a]
puts $f "[file tail [info nameofexecutable]] [pid]"
close $f
if {$child ne ""} {exec {*}$child &}
while {![file exists $until]} burn
END

# pid_of NAME: of those that have begun.
pid_of() {
	sed -n "s/^$1 //p" "$work/pids" 2>/dev/null | tail -n 1
}
# begun NAME...: all of these burn.
# shellcheck disable=SC2317 # called by until_true
begun() {
	for one; do
		[ -n "$(pid_of "$one")" ] || return 1
		has_run "$(pid_of "$one")" 5 || return 1
	done
}
wait_for() {
	until_true 30 begun "$@" || blame "not all of $* have begun" "$work/target.out"
	for one; do
		started="$started $(pid_of "$one")"
	done
}
# begin PROGRAM PIDS UNTIL...: a tclsh of that name.
begin() {
	name=$1
	shift
	start "$work/$name" "$work/burn.tcl" "$@"
}
all_stop() {
	touch "$work/until"
	until_true 20 gone "$target" || blame 'the first one runs on'
	while read -r name pid; do
		until_true 20 gone "$pid" || blame "$name runs on"
	done <"$work/pids"
	rm -f "$work/until" "$work/pids"
}
# only NAME...: these have samples of their Tcl code, and no other has any.
only() {
	for one; do
		shows "^$one;burn;spin(;| )"
	done
	wanted=$(echo "$*" | tr ' ' '|')
	grep -vE "^($wanted);" "$work/out" >"$work/others"
	[ ! -s "$work/others" ] || blame 'others were profiled:' "$work/others"
}
# Takes away what such a program has of the kernel alone; NAMES: a pattern.
no_user() {
	sed -E "/^($1)(;[^;]*_\[k\])* [0-9]+\$/d" "$work/out" >"$work/rest"
	mv "$work/rest" "$work/out"
}
# names PID TEXT: the summary has a line for it.
names() {
	grep -qE "^jpbpf: +[0-9]+\.[0-9] % +$1  $2" "$work/err" ||
		blame "the summary does not name $1 $2:" "$work/err"
}
# Lines of processes in the summary, and what their shares sum up to.
shares() {
	sed -nE 's/^jpbpf: +([0-9]+\.[0-9]) % +[0-9]+  .*/\1/p' "$work/err"
}
shares_are_all() {
	shares | awk '{ s += $1 } NR > 1 && $1 > last { bad = 1 } { last = $1 }
		END { exit bad || s < 99 || s > 101 }' ||
		blame 'the shares do not sum up, most first:' "$work/err"
	[ "$(shares | wc -l)" = "$1" ] || blame "not $1 processes named:" "$work/err"
}

# ------------------------------------------- what exists already: a postmaster's way
# A master, which has started a backend, which has started another program.

begin master "$work/pids" "$work/until" "$work/backend" "$work/burn.tcl" \
	"$work/pids" "$work/until" "$work/grandchild" "$work/burn.tcl" \
	"$work/pids" "$work/until"
wait_for master backend grandchild
master=$(pid_of master) backend=$(pid_of backend)

profile -p "$master" -F 999 -d 1
status_is 0
accounts
only master
names "$master" 'master burn\.tcl '
shares_are_all 1
verdict '-p: not the children that exist, which run programs of their own'

profile -p "$master" --children -F 999 -d 1
status_is 0
accounts
only master backend grandchild
for name in master backend grandchild; do
	names "$(pid_of $name)" "$name burn\.tcl "
done
shares_are_all 3
verdict '-p --children: with the children and grandchildren that exist'

profile -p "$backend" --children -F 999 -d 1
status_is 0
accounts
only backend grandchild
verdict '-p --children: not its parent'

profile -p "$master" --children --comm '^(back|grand)' -F 999 -d 1
status_is 0
accounts
only backend grandchild
shares_are_all 2
verdict '--comm among descendants'

profile --comm 'end$' -F 999 -d 1
status_is 0
accounts
only backend
profile -a --comm '^master$' -F 999 -d 1
status_is 0
accounts
only master
profile -a --comm '^master$' --uid 65534 -F 999 -d 0.5
status_is 0
read_summary
[ "$taken" = 0 ] || blame "$taken samples" "$work/out"
says 'no process to profile was seen'
verdict '--comm among all Tcl and R processes, and with -a; none of these is of that user'
all_stop

# A sleeping master whose child is busy: of the parent alone there is nothing.
cat >"$work/sleeps.tcl" <<'END'
exec {*}[lrange $argv 1 end] &
while {![file exists [lindex $argv 0]]} {after 20}
END
start "$work/master" "$work/sleeps.tcl" "$work/until" "$work/backend" \
	"$work/burn.tcl" "$work/pids" "$work/until"
master=$target
wait_for backend
profile_start -p "$master" --children -F 999
run_on "$(pid_of backend)" 30
all_stop
profile_wait
status_is 0
accounts
shows '^backend;burn;spin(;| )'
names '[0-9]+' 'backend burn\.tcl '
verdict '--children ends when the last of them has ended'

# ------------------------------------------------------------------ what begins later

cat >"$work/later.tcl" <<'END'
lassign $argv pids until go
while {![file exists $go]} {after 20}
exec {*}[lrange $argv 3 end] &
set argv [lrange $argv 0 1]
source [file join [file dirname [info script]] burn.tcl]
END
later() {
	start "$work/master" "$work/later.tcl" "$work/pids" "$work/until" \
		"$work/go" "$work/sh" -c "$1; :" "$work/backend" \
		"$work/burn.tcl" "$work/pids" "$work/until"
	master=$target
	until_true 20 has_mapped "$master" libtcl || blame 'no master' "$work/target.out"
}
# shellcheck disable=SC2016 # $0 is of the inner shell
later '"$0" "$@"'
profile_start -p "$master" -F 999
touch "$work/go"
wait_for master backend
run_on "$(pid_of backend)" 30
all_stop
profile_wait
status_is 0
accounts
# The fork is its parent's until the kernel has made the new program of it.
no_user 'sh|backend'
only master
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
! grep -E '^jpbpf: +[0-9.]+ % +[0-9]+  (sh|backend)' "$work/err" >"$work/unwanted" ||
	blame 'named:' "$work/unwanted"
verdict '-p: not the programs that it starts later'
rm -f "$work/go"

# shellcheck disable=SC2016 # $0 is of the inner shell
later '"$0" "$@"'
profile_start -p "$master" --children -F 999
touch "$work/go"
wait_for master backend
run_on "$(pid_of backend)" 30
all_stop
profile_wait
status_is 0
accounts
grep -v '^sh;' "$work/out" >"$work/tcl"
mv "$work/tcl" "$work/out"
only master backend
names '[0-9]+' 'backend burn\.tcl '
verdict '--children: also those, through a shell'
rm -f "$work/go"

# shellcheck disable=SC2016 # $0 is of the inner shell
later '"$0" "$@"'
profile_start -p "$master" --children --comm '^backend$' -F 999
touch "$work/go"
wait_for master backend
run_on "$(pid_of backend)" 30
all_stop
profile_wait
status_is 0
accounts
only backend
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
shares_are_all 1
verdict '--children --comm: one that two others, which are not wanted, start'
rm -f "$work/go"

# The listed process becomes another program, and another one.
cat >"$work/becomes.sh" <<'END'
while [ ! -e "$1" ]; do :; done
shift
exec "$@"
END
# shellcheck disable=SC2016 # $0 is of the inner shell
start "$work/sh" "$work/becomes.sh" "$work/go" "$work/sh" -c 'exec "$0" "$@"' \
	"$work/other" "$work/burn.tcl" "$work/pids" "$work/until"
profile_start -p "$target" -F 999
touch "$work/go"
wait_for other
run_on "$target" 30
all_stop
profile_wait
status_is 0
accounts
shows '^other;burn;spin(;| )'
names "$target" 'other burn\.tcl '
names "$target" 'sh becomes\.sh go '
verdict '-p: what executes another program stays'
rm -f "$work/go"

# ------------------------------------------------------------------- fork without exec

cat >"$work/apply.R" <<'END'
invisible(compiler::enableJIT(0))
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
in_child <- function(i) for (i in 1:150) spin(2000)
until <- commandArgs(TRUE)
while (!file.exists(until[1])) spin(2000)
invisible(parallel::mclapply(1:4, in_child, mc.cores = 2, mc.preschedule = FALSE))
system2(until[2], until[-(1:2)])
END
start Rscript --vanilla "$work/apply.R" "$work/go" "$work/other" "$work/burn.tcl" \
	"$work/pids" "$work/until"
until_true 30 has_mapped "$target" libR.so || blame 'no R' "$work/target.out"
profile_start -p "$target" -F 999
touch "$work/go"
wait_for other
run_on "$(pid_of other)" 20
all_stop
profile_wait
status_is 0
accounts
[ "$lost" = 0 ] || blame "$lost samples lost" "$work/err"
shows '^R;.*parallel::mclapply;.*in_child;spin(;| )'
no_user 'sh|other'
shows_no '^(other|sh);'
[ "$(shares | wc -l)" -ge 3 ] || blame 'children not named:' "$work/err"
[ "$(grep -cE "^jpbpf: +[0-9.]+ % +[0-9]+  R .*--file=apply\.R " "$work/err")" -ge 3 ] ||
	blame 'not named by their script:' "$work/err"
verdict '-p of Rscript: what mclapply() forks is profiled, what system() starts is not'
rm -f "$work/go"

# ------------------------------------------------------------------------ -- COMMAND

profile -F 999 --comm '^backend$' -- "$work/sh" -c "touch '$work/until'; '$work/master' '$work/burn.tcl' '$work/pids' '$work/until'; rm '$work/until'
	(sleep 1; touch '$work/until') & '$work/backend' '$work/burn.tcl' '$work/pids' '$work/until'; exit 7"
status_is 7
accounts
only backend
says 'the command failed: exit status 7'
verdict '--comm among what a command starts; its exit status'
rm -f "$work/until" "$work/pids"

# ------------------------------------------------------------------- users and cgroups

: >"$work/pids"
chmod 777 "$work" "$work/pids"
start setpriv --reuid=1 --clear-groups "$work/backend" "$work/burn.tcl" \
	"$work/pids" "$work/until"
begin master "$work/pids" "$work/until"
wait_for master backend
profile --uid daemon -F 999 -d 1
status_is 0
accounts
only backend
profile --uid 0,1 --comm '^(master|backend)$' -F 999 -d 1
status_is 0
accounts
only master backend
profile -p "$(pid_of master),$(pid_of backend)" --uid root -F 999 -d 1
status_is 0
accounts
only master
verdict '--uid: by name and number, with and without others'

cgroups=$(sed -n 's/^[^ ]* [^ ]* [^ ]* [^ ]* \([^ ]*\) .* - cgroup2 .*/\1/p' \
	/proc/self/mountinfo | head -n 1)
[ -n "$cgroups" ] || {
	mkdir -p "$work/cgroup" && mount -t cgroup2 none "$work/cgroup" 2>/dev/null &&
		cgroups=$work/cgroup
}
group=jpbpf_test_$$
if [ -n "$cgroups" ] && mkdir -p "$cgroups/$group/inner" "$cgroups/${group}x" 2>/dev/null; then
	# shellcheck disable=SC2317 # called at the end
	leave() {
		cat "$cgroups/$group/inner/cgroup.procs" \
			"$cgroups/${group}x/cgroup.procs" |
			while read -r p; do
				echo "$p" >"$cgroups/cgroup.procs"
			done
		rmdir "$cgroups/$group/inner" "$cgroups/$group" "$cgroups/${group}x"
		case $cgroups in "$work"*) umount "$cgroups" ;; esac
	}
	trap 'leave; cleanup' EXIT
	pid_of backend >"$cgroups/$group/inner/cgroup.procs"
	pid_of master >"$cgroups/${group}x/cgroup.procs"
	for path in "$cgroups/$group" "$cgroups/$group/" "$cgroups/$group/inner"; do
		profile -G "$path" -F 999 -d 0.5
		status_is 0
		accounts
		only backend
	done
	profile -p "$(pid_of master)" -G "$cgroups/$group" -F 999 -d 0.5
	status_is 0
	read_summary
	[ "$taken" = 0 ] || blame "$taken samples" "$work/out"
	profile -G "$cgroups" --comm '^(master|backend)$' -F 999 -d 0.5
	status_is 0
	accounts
	only master backend
	case $cgroups in
	/sys/fs/cgroup | /sys/fs/cgroup/*)
		below=${cgroups#/sys/fs/cgroup}/$group
		profile --cgroup="$below" -F 999 -d 0.5
		status_is 0
		accounts
		only backend
		profile -G "${below#/}" -F 999 -d 0.5
		status_is 0
		only backend
		;;
	esac
	profile -G "$cgroups/$group/none" -d 0.5
	status_is 2
	says "is not a cgroup (v2) of this host; give its folder"
	verdict '-G: this cgroup and those in it, no other'
else
	echo 'skipped - -G: no cgroup v2'
fi
all_stop

# --------------------------------------------------------------------------- summary

cat >"$work/many.sh" <<'END'
burn() { i=0; while [ $i -lt 40000 ]; do i=$((i + 1)); done; }
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
	(burn) &
done
burn
burn
burn
wait
END
profile -F 999 -- "$work/sh" "$work/many.sh" a/b "$(printf 'esc\033[2J')" \
	0123456789012345678901234567890123456789012345678901234567890123456789
status_is 0
accounts
[ "$(shares | wc -l)" = 10 ] || blame 'not ten named:' "$work/err"
says '  and 4 more'
names '[0-9]+' 'sh many\.sh a/b esc\\x1b\[2J 01234567890123.*[0-9]$'
[ "$(grep '^.\{81\}' "$work/err" | grep -cvE 'x1b|: memory: ')" = 0 ] || blame 'longer than a line' "$work/err"
profile -q -F 999 -- "$work/sh" "$work/many.sh"
status_is 0
[ ! -s "$work/err" ] || blame 'not quiet:' "$work/err"
verdict 'summary: ten processes at most, each in a line, what a terminal obeys escaped'
exit "$failed"
