#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf info: what a process or a file is, compared with what the interpreter
# itself says.
# Runs beside others.
# shellcheck disable=SC2016 # $ in quotes is tclsh's and perl's
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" tclsh8.6 Rscript perl setpriv "$PROGRAMS/static_tcl"

# The file with Tcl in it that tclsh loads.
libtcl=$(echo 'puts [exec grep -m 1 -o {/[^ ]*libtcl[^ ]*} /proc/[pid]/maps]' |
	tclsh8.6)
[ -r "$libtcl" ] || skip 'no libtcl'

# What the interpreter says: its keys; its keys and values.
echo 'foreach k [::tcl::pkgconfig list] { puts $k }' | tclsh8.6 >"$work/keys"
echo 'foreach k [::tcl::pkgconfig list] { puts [::tcl::pkgconfig get $k] }' |
	tclsh8.6 >"$work/values"

# config_is WHAT: list and get of this process or file are as tclsh has them.
config_is() {
	profile info "$1" list
	status_is 0
	cmp -s "$work/keys" "$work/out" ||
		blame "list of $1 is not tclsh's" "$work/out"
	# shellcheck disable=SC2046 # a list of words
	profile info "$1" get $(cat "$work/keys")
	status_is 0
	cmp -s "$work/values" "$work/out" ||
		blame "get of $1 is not tclsh's" "$work/out"
}
# field NAME VALUE: a line of the text.
field() {
	grep -qE "^ *$1 +$2\$" "$work/out" ||
		blame "no line '$1 $2'" "$work/out"
}
# json EXPRESSION: true of $_, what perl's parser made of the output.
json() {
	perl -MJSON::PP -0777 -e '$_ = JSON::PP->new->utf8->decode(<STDIN>);
		exit(!('"$1"'))' <"$work/out" 2>"$work/perl" ||
		blame "JSON, not true: $1 $(cat "$work/perl")" "$work/out"
}
patchlevel=$(echo 'puts [info patchlevel]' | tclsh8.6)

# ---------------------------------------------------------------------- files

config_is "$libtcl"
profile info "$libtcl"
status_is 0
field version "$patchlevel"
field found_by "Tcl's stub table at 0x[0-9a-f]+"
field proven no
verdict "a file: version and configuration as tclsh's"

cp "$PROGRAMS/static_tcl" "$work/static"
config_is "$work/static"
verdict 'Tcl in a stripped program at a fixed address: the same configuration'

profile info "$libtcl" --json
status_is 0
json '@{$_->{languages}} == 1 && $_->{languages}[0]{language} eq "Tcl"'
json '$_->{languages}[0]{version} eq "'"$patchlevel"'"'
json '$_->{languages}[0]{configuration}{optimized} =~ /^[01]$/'
profile info "$libtcl" list --json
json 'join("", map { "$_\n" } @{$_->{keys}}) eq `cat '"$work/keys"'`'
profile info "$libtcl" get threaded debug --json
json 'join(",", sort keys %$_) eq "debug,threaded"'
verdict 'JSON: what a parser reads is what there is'

profile info "$libtcl" get threaded nosuch
status_is 1
says "'nosuch' is not a key; there are: debug threaded profiled 64bit"
[ ! -s "$work/out" ] || blame 'a value in spite of the error' "$work/out"
verdict 'an unknown key: the known ones, status 1, no value'

# ------------------------------------------------------------------- linked with it

# linked_is FILE: the only language is in this file, and so says what to ask then.
linked_is() {
	status_is 0
	linked=$(sed -n 's/^  file  *//p' "$work/out")
	[ "$(realpath "$linked")" = "$(realpath "$1")" ] ||
		blame "linked with '$linked', not $1" "$work/out"
	says ": jpbpf info $linked"
}
tclsh=$(command -v tclsh8.6)
profile info "$tclsh"
linked_is "$libtcl"
field file "$tclsh"
field version "$patchlevel"
[ "$linked" = "$(ldd "$tclsh" | sed -n 's/.*libtcl.* => \(.*\) .*/\1/p')" ] ||
	blame "$linked is not ldd's"
config_is "$tclsh"
profile info "$tclsh" --json
json '@{$_->{languages}} == 1 && $_->{languages}[0]{file} eq "'"$linked"'"'
json '$_->{file} eq "'"$tclsh"'"'
r_home=$(R RHOME)
profile info "$r_home/bin/exec/R"
linked_is "$r_home/lib/libR.so"
grep -qx R "$work/out" || blame 'no R' "$work/out"
verdict 'a program that is linked with Tcl or R: that library, as ldd finds it'

# Through another library, and where the files themselves say.
if command -v gcc >/dev/null; then
	mkdir "$work/libs"
	cp "$libtcl" "$work/libs/libtcl8.6.so"
	echo 'int between(void) { return 0; }' >"$work/between.c"
	echo 'int main(void) { return 0; }' >"$work/program.c"
	gcc -shared -fPIC "$work/between.c" -o "$work/libs/libbetween.so" \
		-Wl,--no-as-needed "-L$work/libs" -l:libtcl8.6.so \
		-Wl,-rpath,\$ORIGIN || blame 'gcc'
	gcc "$work/program.c" -o "$work/program" -Wl,--no-as-needed \
		"-L$work/libs" -lbetween -Wl,-rpath,\$ORIGIN/libs \
		"-Wl,-rpath-link,$work/libs" || blame 'gcc'
	ln -s "$work/program" "$work/libs/link"
	for program in "$work/program" "$work/libs/link"; do
		profile info "$program"
		linked_is "$work/libs/libtcl8.6.so"
	done
	rm "$work/libs/libtcl8.6.so"
	profile info "$work/program"
	linked_is "$libtcl"
	rm "$work/libs/libbetween.so"
	profile info "$work/program"
	status_is 1
	says "there is no Tcl or R in $work/program, nor in libraries found for it"
	verdict 'through a library between, by DT_RUNPATH and $ORIGIN; what is not there is not shown'
else
	echo 'skipped - through a library between: no gcc'
fi
for name in ../../../.so 'libc.so.6\x00..' '\x1b[2J\xff\xc0....\x0a.'; do
	LC_ALL=C sed "s|libtcl8\.6\.so|$name|" "$tclsh" >"$work/names"
	profile info "$work/names"
	status_is 1
	says "there is no Tcl or R in $work/names"
done
verdict 'hostile names of libraries: nothing is found'

# cut_off FILE STEP: its first bytes, ever more of them.
cut_off() {
	n=0
	while [ $n -lt 60 ]; do
		head -c $((n * $2 + n)) "$1" >"$work/cut"
		profile info "$work/cut" --json
		[ "$status" -le 1 ] || blame "status $status at length $n" "$work/err"
		if [ "$status" = 0 ]; then
			json 'exists $_->{languages}'
		else
			says 'jpbpf: error:'
		fi
		n=$((n + 1))
	done
}
cut_off "$libtcl" 20011
verdict 'libtcl cut off anywhere: an answer or an error, never a crash'
cut_off "$(Rscript --vanilla -e 'cat(R.home())')/lib/libR.so" 59009
verdict 'libR cut off anywhere: the same'

# A text of the table is replaced by another of the same length.
LC_ALL=C sed 's|/usr/share/tcltk/tcl8.6|/usr/"\\\x1b[2J\xff\xc0\x80\n\t}{,]abc|g' \
	"$libtcl" >"$work/evil"
evil="$work/evil\"
.so"
mv "$work/evil" "$evil"
profile info "$evil" --json
status_is 0
json '$_->{languages}[0]{configuration}{"scriptdir,runtime"} eq
	"/usr/\"\\\x1b[2J\x{fffd}\x{fffd}\x{fffd}\n\t}{,]abc"'
json '$_->{file} =~ /evil"\n\.so$/'
profile info "$evil"
grep -qF 'scriptdir,runtime   /usr/"\x5c\x1b[2J\xff\xc0\x80\x0a\x09}{,]abc' \
	"$work/out" || blame 'not escaped' "$work/out"
verdict 'hostile texts are escaped in both forms'

# ------------------------------------------------------------------ processes

cat >"$work/idle.tcl" <<'EOF'
package require Thread
interp create child
set thread [thread::create]
thread::send $thread {set ready 1}
puts ready
flush stdout
vwait forever
EOF
start tclsh8.6 "$work/idle.tcl"
until_true 20 grep -q ready "$work/target.out" || blame 'tclsh does not run'
config_is "$target"
profile info "$target"
status_is 0
field process "$target"
field executable "$(realpath "$(command -v tclsh8.6)")"
field threads "$(find "/proc/$target/task" -mindepth 1 -maxdepth 1 | wc -l)"
field version "$patchlevel"
field proven yes
field proof '3 live interpreters; agrees with the machine code'
[ "$(grep -cE '0x[0-9a-f]+, thread [0-9]+$' "$work/out")" = 3 ] ||
	blame 'not three interpreters' "$work/out"
[ "$(grep -cE "0x[0-9a-f]+, thread $target\$" "$work/out")" = 2 ] ||
	blame 'not two of them in the main thread' "$work/out"
profile info "$target" --json
json '(grep { -d "/proc/'"$target"'/task/$_->{thread}" }
	@{$_->{languages}[0]{interpreters}}) == 3'
json '$_->{languages}[0]{interpreters_complete} && $_->{process} == '"$target"
verdict 'tclsh with a child and a thread: interpreters, each in its thread'

stop "$target"

echo 'puts ready; flush stdout; vwait forever' >"$work/static.tcl"
start "$work/static" "$work/static.tcl"
until_true 20 grep -q ready "$work/target.out" || blame 'static does not run'
config_is "$target"
profile info "$target"
field proven yes
field file "$work/static"
verdict 'Tcl in the program itself: proven on its process'
stop "$target"

cp "$libtcl" "$work/second.so"
cat >"$work/two.R" <<EOF
dyn.load('$libtcl')
dyn.load('$work/second.so')
cat('ready')
Sys.sleep(300)
EOF
start Rscript --vanilla "$work/two.R"
until_true 30 grep -q ready "$work/target.out" || blame 'R does not run'
profile info "$target"
status_is 0
grep -qx R "$work/out" || blame 'no R' "$work/out"
[ "$(grep -cx Tcl "$work/out")" = 2 ] || blame 'not two Tcls' "$work/out"
field r_home "$(Rscript --vanilla -e 'cat(R.home())')"
field proven yes
grep -qE '^ *blas +/.*blas' "$work/out" || blame 'no BLAS' "$work/out"
profile info "$target" get threaded
status_is 0
says 'jpbpf: warning: this is the configuration of '
says 'there is also '
[ "$(cat "$work/out")" = 1 ] || [ "$(cat "$work/out")" = 0 ] ||
	blame 'not one value' "$work/out"
verdict 'R with two Tcl libraries: all three, and which one get means'
stop "$target"

cat >"$work/deep.R" <<'EOF'
soft <- extSoftVersion()
old <- compiler::enableJIT(2)
writeLines(c(format(getRversion()), R.home(), soft[["BLAS"]], La_library(),
	     compiler::enableJIT(-1)), commandArgs(TRUE))
down <- function(n) if (n > 1) down(n - 1) else { cat("ready"); Sys.sleep(300) }
down(25)
EOF
start Rscript --vanilla "$work/deep.R" "$work/says"
until_true 30 grep -q ready "$work/target.out" || blame 'R does not run'
profile info "$target"
status_is 0
field version "$(sed -n 1p "$work/says")"
field r_home "$(sed -n 2p "$work/says")"
field blas "$(sed -n 3p "$work/says")"
field lapack "$(sed -n 4p "$work/says")"
field threads "$(find "/proc/$target/task" -mindepth 1 -maxdepth 1 | wc -l)"
field jit_level "$(sed -n 5p "$work/says")"
field known yes
field proven yes
field closures_running 26 # with Sys.sleep
verdict 'R: version, home, BLAS, LAPACK and JIT as it says itself, 25 calls deep'
profile info "$target" --json
status_is 0
json '@{$_->{languages}} == 1 && $_->{languages}[0]{layout}{proven}'
json '$_->{languages}[0]{builtins} > 700'
json '$_->{languages}[0]{contexts} >= 25'
json '$_->{languages}[0]{version} eq "'"$(sed -n 1p "$work/says")"'"'
profile info "$target" list
status_is 1
says 'R has no embedded configuration'
verdict 'R: proven; it has no configuration to list'
stop "$target"

# -------------------------------------------------------------------- refused

start sleep 300
profile info "$target"
status_is 1
says "there is no Tcl or R in process $target"
[ ! -s "$work/out" ] || blame 'writes to standard output' "$work/out"
profile info "$(command -v sleep)"
status_is 1
says "there is no Tcl or R in $(command -v sleep)"
stop "$target"
profile info "$target"
status_is 1
says "there is no process $target"
says "If a file is meant, write ./$target"
profile info tclsh8.6
status_is 1
says 'there is no file tclsh8.6; give a process id or the path'
says ": jpbpf info $tclsh"
for file in "$work/none" "$work/script/below" nosuchprogram; do
	profile info "$file"
	status_is 1
	says "there is no file $file; give a process id or the path of a program or library"
	says_no ': jpbpf info'
done
verdict 'no interpreter, no process: said plainly, status 1'

mkfifo "$work/fifo"
for file in "$work/fifo" "$work" /dev/null; do
	profile info "$file"
	status_is 1
	says 'is not a regular file'
done
echo 'puts hello' >"$work/script"
profile info "$work/script"
status_is 1
says 'is not a program or library'
verdict 'a pipe, a folder, a script: said at once, status 1'

start tclsh8.6 "$work/idle.tcl"
until_true 20 has_mapped "$target" libtcl || blame 'tclsh does not run'
chmod 755 "$work"
install -m 755 "$JPBPF" "$work/own" # one that nobody can reach
chmod 700 "$work/second.so"
for what in "$target" "$work/second.so"; do
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$work/own" info "$what" \
		>"$work/out" 2>"$work/err"
	status=$?
	status_is 3
	says "sudo jpbpf info $what"
done
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
	--bounding-set=-all "$work/own" info "$libtcl" >"$work/out" 2>"$work/err"
status=$?
status_is 0
field version "$patchlevel"
verdict 'without privileges: what is readable; for the rest status 3'
stop "$target"

# What an extension registers, as Tk itself says it.
tk=$(find /usr/lib -name libtk8.6.so | head -n 1)
if [ -n "$tk" ] && command -v Xvfb >/dev/null; then
	mkfifo "$work/display"
	Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$work/display" \
		>"$work/xvfb" 2>&1 &
	started="$started $!"
	read -r number <"$work/display"
	echo 'package require Tk
		foreach k [::tk::pkgconfig list] { puts "$k [::tk::pkgconfig get $k]" }
		exit' | DISPLAY=":$number" tclsh8.6 >"$work/want"
	"$JPBPF" info "$tk" list 2>"$work/err" | while read -r key; do
		echo "$key $("$JPBPF" info "$tk" get "$key")"
	done >"$work/got"
	[ -s "$work/want" ] || blame 'Tk says nothing'
	cmp -s "$work/want" "$work/got" || blame 'Tk says something else' "$work/got"
	verdict "Tk's configuration: $(tr '\n' ' ' <"$work/got")"
fi
exit "$failed"
