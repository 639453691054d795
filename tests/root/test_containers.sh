#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Targets with files, pids and users of their own, and the profiler among them.
# Runs beside others, long.
# shellcheck source=tests/root/scene.sh disable=SC2016,SC2119
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript unshare "$PROGRAMS/truth_tcl.so" \
	"$PROGRAMS/truth_r.so"

# The innermost of its youngest children, in $child.
innermost() {
	child=$1
	while next=$(cat "/proc/$child/task/$child/children" 2>/dev/null) &&
		[ -n "$next" ]; do
		child=$(echo "$next" | awk '{ print $NF }')
	done
}

# ------------------------------------------------- a tree with its own files

# Two programs of one path, with other functions at the same addresses; names are
# in debug files only, and those are in the container only.
mkdir "$work/shared" "$work/app"
has_overlay() {
	unshare --mount mount -t overlay overlay -o lowerdir=/usr:/etc \
		"$work/app" 2>/dev/null
}
can_build() {
	command -v gcc >/dev/null && command -v objcopy >/dev/null
}
worker() {
	gcc -O2 -g -fomit-frame-pointer -Wl,--build-id="$3" -DWHO="$1" -DROOM="$2" \
		"$sources/worker.c" -o "$work/$1" || blame "no program $1"
	objcopy --only-keep-debug "$work/$1" "$work/$1.debug"
	strip "$work/$1"
}
build_workers() {
	worker inside 64 sha1
	worker linked 128 none
	worker outside 4096 sha1
	(cd "$work" && objcopy --add-gnu-debuglink=linked.debug linked)
	cp "$work/outside" "$work/app/worker"
	cp "$work/outside" "$work/app/linked"
	id=$(readelf -n "$work/inside" | sed -n 's/.*Build ID: //p')
}

# container NAMESPACES SETUP COMMAND...: an overlay of this host's files in which SETUP
# (a shell's text, $root is its tree) has changed some; $target is the command's
# pid here.  What it makes in $work/shared is seen on both sides.
cat >"$work/container" <<'EOT'
set -e
work=$1 root=$1/root namespaces=$2 setup=$3
shift 3
mkdir -p "$root"
mount -t tmpfs none "$root"
mkdir "$root/upper" "$root/work" "$root/tree"
mount -t overlay overlay -o "lowerdir=/,upperdir=$root/upper,workdir=$root/work" \
	"$root/tree"
root=$root/tree
for folder in /dev /tmp "$work" "$SOURCES" "$PROGRAMS"; do
	mkdir -p "$root$folder"
	mount --rbind "$folder" "$root$folder"
done
# change NUMBER FILE: when asked for that number, replace the file (1) or remove it
# (2): in the container's tree, and in no other.
change() {
	(
		until [ -e "$work/shared/change.$1" ]; do sleep 0.05; done
		[ "$(stat -f -c %T "$root$2")" = overlayfs ] || exit
		case $1 in
		1) cp /bin/true "$root$2.new" && mv "$root$2.new" "$root$2" ;;
		2) rm "$root$2" ;;
		esac
		touch "$work/shared/changed.$1"
	) &
}
eval "$setup"
# What the runtimes write goes to folders of this namespace's own.
hide() {
	mkdir "$work/root/up$1" "$work/root/work$1"
	mount -t overlay overlay -o \
		"lowerdir=/$1,upperdir=$work/root/up$1,workdir=$work/root/work$1" "/$1"
}
case $ENTER in
runc)
	mkdir "$work/root/bundle"
	cd "$work/root/bundle"
	words=$(printf '"%s",' "$@")
	cat >config.json <<EOF
{ "ociVersion": "1.0.0", "root": { "path": "$root" }, "hostname": "container",
  "process": { "args": [${words%,}], "cwd": "/", "user": { "uid": 0, "gid": 0 },
    "env": ["PATH=$PATH"], "capabilities": {}, "noNewPrivileges": true },
  "mounts": [ { "destination": "/proc", "type": "proc", "source": "proc" } ],
  "linux": { "namespaces": [ { "type": "pid" }, { "type": "mount" },
    { "type": "ipc" }, { "type": "uts" }, { "type": "network" } ] } }
EOF
	exec runc --root "$work/root/state" run --pid-file "$work/shared/pid" \
		"jpbpf-$$"
	;;
podman)
	hide etc
	hide var
	mount -t tmpfs none /run
	# Its own limits are higher than everybody may set.
	exec podman --runtime runc --cgroup-manager cgroupfs --events-backend none \
		--root "$work/root/podman" --runroot "$work/root/podman.run" run \
		--rm --network none --ulimit nofile=1024:1024 \
		--ulimit nproc=1024:1024 --cgroup-parent "/$GROUP" --pidfile "$work/shared/pid" \
		--rootfs "$root" "$@"
	;;
esac
# shellcheck disable=SC2086 # options
if [ "$ENTER" = chroot ]; then
	exec unshare $namespaces --fork --kill-child chroot "$root" "$@"
fi
# As container runtimes do it: nothing of the old tree is left.
mount --rbind /proc "$root/proc"
cd "$root"
mkdir .old
pivot_root . .old
cd /
umount -l /.old
exec unshare $namespaces --fork --kill-child "$@"
EOT
group=jpbpf-test-$$
life=300	# seconds: of a target, that outlives what is done with it
container() {
	SOURCES=$sources PROGRAMS=$PROGRAMS ENTER="$enter" GROUP=$group \
		start unshare --mount sh "$work/container" "$work" "$@"
	until_true 20 test -s "$work/shared/table" ||
		blame 'no table' "$work/target.out"
	host=$target
	if [ -s "$work/shared/pid" ]; then
		child=$(cat "$work/shared/pid")
		started="$started $child"
	else
		innermost "$host"
	fi
	target=$child
}
changed() {
	touch "$work/shared/change.$1"
	until_true 20 test -e "$work/shared/changed.$1" || blame "no change $1"
}
is_deleted() {
	grep -q "$2 (deleted)\$" "/proc/$1/maps"
}
leave() {
	[ ! -s "$work/shared/pid" ] || stop "$target"
	stop "$host"
	rm -rf "$work/shared"
	mkdir "$work/shared"
}
# in_container NAMESPACES: both programs.  The debug file goes to where Debian's
# packages put it.
in_container() {
	install_worker='
		mount -t tmpfs none "$root$work/app"
		cp "$work/inside" "$root$work/app/worker"
		cp "$work/linked" "$root$work/app/linked"
		debug=$root/usr/lib/debug
		mkdir -p "$debug/.build-id/'"${id%"${id#??}"}"'" "$debug$work/app"
		cp "$work/inside.debug" "$debug/.build-id/'"${id%"${id#??}"}/${id#??}.debug"'"
		cp "$work/linked.debug" "$debug$work/app/"'
	for program in worker linked; do
		container "$1" "$install_worker" \
			"$work/app/$program" $life "$work/shared/table"
		# It ends before it is named.
		profile_start -p "$target" -F 999 --max-cost 100
		run_on "$target" 100
		stop "$target"
		profile_wait
		status_is 0
		accounts
		exactly "$work/shared/table"
		verdict "container ($1, $2), debug file by $(
			[ $program = worker ] && echo build-id || echo debuglink
		): $exact exact"
		leave
	done
}
own_files() {
	build_workers
	enter=pivot_root
	in_container '--mount' pivot_root
	in_container '--mount --pid --user --map-root-user' pivot_root
	enter=chroot
	in_container '--mount --pid' chroot
}

# ------------------------------------------------------- Tcl and R in containers

interpreters() {
	enter=chroot
	everything='--mount --pid --user --map-root-user --uts --ipc'
	library=$(ldd "$(command -v tclsh8.6)" |
		sed -n 's,.*=> \(.*libtcl[^ ]*\).*,\1,p')
	library=$(readlink -f "$library")
	container "$everything" "change 1 '$library'; change 2 '$library'" \
		tclsh8.6 "$sources/truth_tcl.tcl" "$PROGRAMS/truth_tcl.so" \
		"$work/shared/table" $life procs c
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U
	status_is 0
	accounts
	exactly "$work/shared/table"
	verdict "Tcl in a container: $exact exact"
	"$JPBPF" info "$target" >"$work/info" 2>&1 || blame 'info fails' "$work/info"
	says "process     $target" "$work/info"
	says "${library##*/}" "$work/info"
	verdict 'info of a process in a container, by its number here'
	changed 1
	is_deleted "$target" "$library" || blame 'not replaced'
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U
	status_is 0
	exactly "$work/shared/table"
	first=$exact
	changed 2
	profile -p "$target" -F 999 --max-cost 100 -d 2 -U
	status_is 0
	exactly "$work/shared/table"
	verdict "Tcl in a container, its library replaced, removed: $first, $exact exact"
	leave

	library=$(R RHOME)/lib/libR.so
	container "$everything" "change 1 '$library'; change 2 '$library'" \
		Rscript --vanilla "$sources/truth_r.R" "$PROGRAMS/truth_r.so" \
		"$work/shared/table" $life default
	profile -p "$target" -F 999 --max-cost 100 -d 3 -U
	status_is 0
	accounts
	exactly "$work/shared/table"
	first=$exact
	changed 1
	is_deleted "$target" "$library" || blame 'not replaced'
	profile -p "$target" -F 999 --max-cost 100 -d 3 -U
	status_is 0
	exactly "$work/shared/table"
	second=$exact
	changed 2
	profile -p "$target" -F 999 --max-cost 100 -d 3 -U
	status_is 0
	exactly "$work/shared/table"
	verdict "R in a container, its library replaced, removed: $first, $second, $exact exact"
	leave
}

# ----------------------------------------------------------- container runtimes

# runs RUNTIME: does it run anything here? If not, says why.
runs() {
	if ! command -v "$1" >/dev/null; then
		echo "skipped - containers of $1: it is not installed"
		return 1
	fi
	enter=$1
	container '' '' sh -c "echo >'$work/shared/table'"
	until_true 10 gone "$host"
	[ -s "$work/shared/table" ] && ! [ -s "$work/blame" ] && : >"$work/blame" &&
		leave && return
	echo "skipped - containers of $1: $(head -n 1 "$work/target.out")"
	: >"$work/blame"
	leave
	return 1
}
# podman leaves its groups behind when its container is killed.
# shellcheck disable=SC2317 # called by until_true
no_groups() {
	find /sys/fs/cgroup -depth -type d -path "*/$group*" \
		-exec rmdir {} + 2>/dev/null
	[ -z "$(find /sys/fs/cgroup -name "$group" 2>/dev/null)" ]
}
runtimes() {
	for runtime in runc podman; do
		runs "$runtime" || continue
		container '' '' tclsh8.6 "$sources/truth_tcl.tcl" "$PROGRAMS/truth_tcl.so" \
			"$work/shared/table" $life procs c
		profile -p "$target" -F 999 --max-cost 100 -d 2 -U
		status_is 0
		accounts
		exactly "$work/shared/table"
		leave
		verdict "Tcl in a container of $runtime: $exact exact"
		container '' '' Rscript --vanilla "$sources/truth_r.R" \
			"$PROGRAMS/truth_r.so" "$work/shared/table" $life default
		profile -p "$target" -F 999 --max-cost 100 -d 2 -U
		status_is 0
		accounts
		exactly "$work/shared/table"
		leave
		verdict "R in a container of $runtime: $exact exact"
	done
	until_true 10 no_groups || echo "# groups are left: $group"
}

if ! has_overlay; then
	echo 'skipped - containers with files of their own: no overlay file system'
else
	if can_build; then
		own_files
	else
		echo 'skipped - programs with files of their own: no compiler'
	fi
	interpreters
	runtimes
fi
enter=pivot_root

# ------------------------------------------------- replaced under the profiler

mkdir "$work/copy"
cp "$(readlink -f "$(command -v tclsh8.6)")" "$work/copy/tclsh"
cp "$(ldd "$(command -v tclsh8.6)" | sed -n 's,.*=> \(.*libtcl[^ ]*\).*,\1,p')" \
	"$work/copy"
LD_LIBRARY_PATH=$work/copy start "$work/copy/tclsh" "$sources/truth_tcl.tcl" \
	"$PROGRAMS/truth_tcl.so" "$work/table" $life procs
until_true 20 test -s "$work/table" || blame 'no table' "$work/target.out"
profile_start -p "$target" -F 999 --max-cost 100 -U
run_on "$target" 100
for file in "$work/copy"/*; do
	cp /bin/true "$work/new"
	mv "$work/new" "$file"
done
run_on "$target" 100
rm "$work/copy"/*
run_on "$target" 100
profile_end INT
status_is 0
accounts
exactly "$work/table"
verdict "tclsh and libtcl replaced and removed while profiled: $exact exact"
profile -p "$target" -F 999 --max-cost 100 -d 2 -U
status_is 0
accounts
exactly "$work/table"
verdict "the same, profiled after that: $exact exact"
stop "$target"

# ------------------------------------------------ the profiler in a container

# Runs the rest of its arguments; targets are numbered as in there.
cat >"$work/inner" <<'EOT'
work=$1
tclsh8.6 "$SOURCES/truth_tcl.tcl" "$PROGRAMS/truth_tcl.so" "$work/table.1" $LIFE procs &
first=$!
unshare --mount --pid --fork --mount-proc tclsh8.6 "$SOURCES/truth_tcl.tcl" \
	"$PROGRAMS/truth_tcl.so" "$work/table.2" $LIFE procs &
nested=$!
until [ -s "$work/table.1" ] && [ -s "$work/table.2" ]; do sleep 0.05; done
read -r second <"/proc/$nested/task/$nested/children"
echo "$first $second" >"$work/pids"
"$JPBPF" -p "$first" -F 999 -d 2 -U -o "$work/by_pid" || exit
"$JPBPF" -p "${second% }" -F 999 -d 2 -U -o "$work/by_nested_pid" || exit
"$JPBPF" -t "$first" -F 999 -d 2 -U -o "$work/by_thread" || exit
"$JPBPF" -F 999 -d 2 -U -o "$work/by_host" || exit
kill -KILL "$first" "${second% }"
wait "$first" "$nested"
"$JPBPF" -F 999 -U -o "$work/by_command" -- sh -c \
	"tclsh8.6 '$work/inner.tcl'; exec tclsh8.6 '$work/inner.tcl'"
EOT
cat >"$work/inner.tcl" <<'EOT'
proc spin n {for {set i 0} {$i < $n} {incr i} {}}
proc inner {} {for {set n 0} {$n < 1500} {incr n} {spin 5000}}
inner
EOT
rm -rf "$work"/table*
start tclsh8.6 "$work/busy.tcl"
outside=$target
export SOURCES="$sources" PROGRAMS JPBPF LIFE="$life"
unshare --mount --pid --fork --mount-proc sh "$work/inner" "$work" \
	>"$work/out" 2>"$work/err" || blame 'fails in there' "$work/err"
for way in pid nested_pid thread host; do
	[ "$way" = nested_pid ] && table=$work/table.2 || table=$work/table.1
	exactly "$table" "$work/by_$way"
	# What runs outside has no number in there.
	shows_no ';work;spin' "$work/by_$way"
	verdict "in a pid namespace, by $way: $exact exact"
done
shows '^tclsh8.6;inner;spin' "$work/by_command"
shows_no ';work;spin' "$work/by_command"
verdict 'in a pid namespace, a command and what it forks and executes'

unshare --pid --fork "$JPBPF" -d 1 >"$work/out" 2>"$work/err"
status=$?
status_is 3
says '/proc is that of another pid namespace'
verdict "in a pid namespace with the host's /proc: status 3 and why"
unshare --user --map-root-user "$JPBPF" -d 1 >"$work/out" 2>"$work/err"
status=$?
status_is 3
says 'BPF: no map can be made'
verdict 'in a user namespace: status 3 and why'
stop "$outside"
exit "$failed"
