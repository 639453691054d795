#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# shellcheck disable=SC2034
#
# What the tests with other Tcls and Rs stand on; sourced, not run.
#
# A test names a Tcl: packaged() one from a Debian release, built() one made here
# from Debian's source; or an R: packaged_r(), built_r().  truth_of() then profiles the
# ground-truth programs in it, with the profiler outside: every sample must be
# exact, and there must be enough of them.  Each interpreter gives one line, and
# one in $BUILD/matrix/table for `tests/matrix/table`.
#
# Environment: BUILD (build), JPBPF, JPBPF_TEST_DIR, DURATION (5, seconds a program).

set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(realpath "$here/../..")
BUILD=$(realpath "${BUILD:-$top/build}")
JPBPF=$(realpath "${JPBPF:-$BUILD/jpbpf}")
tests=$(realpath -m "${JPBPF_TEST_DIR:-$BUILD/tests}")
matrix=$BUILD/matrix
export BUILD JPBPF DURATION="${DURATION:-5}"
least=1000	# samples of one interpreter
# What is profiled besides the program "tcl", and besides "r".
more=${more-lines threads itcl tk}
more_r=${more_r-rpackages rprocesses rnames rpromises rexpr rlines rscript tcltk}
failed=0
mkdir -p "$matrix/bin"
# What root has made here, the user must be able to remove.
[ -z "${SUDO_UID:-}" ] ||
	trap 'chown -R "$SUDO_UID" "$matrix"' EXIT

# obtain VERB SUITE PACKAGE...: a folder made by tools/matrix, in $got.
obtain() {
	got=$("$top/tools/matrix" "$@" 2>"$matrix/$name.error") && return
	case $got in
	skipped:*)
		echo "skipped - $label: ${got#skipped: }"
		;;
	*)
		not_ok "tools/matrix $*" "$matrix/$name.error"
		;;
	esac
	return 1
}
not_ok() {
	echo "not ok - $label: $1"
	[ -z "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
	failed=1 fine=no
}

# The interpreter is run by a script, which becomes it: its pid is the target's.  All
# paths of this machine that the programs use are in the root, too, in a mount
# namespace that ends with the target.  TMPDIR is the one that `truth` sets.
enter_root() {
	runs <<-END
	#!/bin/sh
	exec unshare --mount sh -c '
	for dir in /dev /proc "$top" "$BUILD" "\$(dirname "\$TMPDIR")"; do
		mkdir -p "$1\$dir" && mount --bind "\$dir" "$1\$dir" || exit 1
	done
	exec chroot "$1" "$2" "\$@"' "$2" "\$@"
	END
}
enter_build() {
	runs <<-END
	#!/bin/sh
	export LD_LIBRARY_PATH="$1" TCL_LIBRARY="$2/library"
	exec "$1/tclsh" "\$@"
	END
}
enter_build_r() {
	runs <<-END
	#!/bin/sh
	exec "$1/bin/Rscript" "\$@"
	END
}
runs() {
	cat >"$matrix/bin/$name.$$"
	chmod +x "$matrix/bin/$name.$$"
	mv "$matrix/bin/$name.$$" "$matrix/bin/$name"
}

# compile_programs VERSION HEADERS: against that release's headers and stubs.
compile_programs() {
	compile truth_tcl -DUSE_TCL_STUBS -I"$2/usr/include/tcl$1" \
		"$(find "$2/usr/lib" -name "libtclstub$1.a" | head -n 1)"
}
# The type of R's truth values is an `enum : int` where the compiler that made
# that R has it, which this machine's may not have; an enum is the same.
compile_programs_r() {
	programs=$matrix/programs/$name
	mkdir -p "$programs"
	cat >"$programs/Rconfig.h" <<-END
	#include_next <Rconfig.h>
	#undef HAVE_ENUM_BASE_TYPE
	END
	compile truth_r -fopenmp -I"$programs" -I"$1"
}
# compile NAME OPTION...: tests/programs/NAME.c, for the interpreter's release.
compile() {
	file=$1
	shift
	# What a release's headers lack would be taken to return an int.
	compile_as "gcc -std=gnu11 -Werror=implicit-function-declaration" \
		"$file.c" "$@"
}
compile_as() {
	programs=$matrix/programs/$name compiler=$1 file=$2
	mkdir -p "$programs"
	shift 2
	# shellcheck disable=SC2086 # a command and an option
	$compiler -O2 -fomit-frame-pointer -g0 -s -fPIC -shared -Wall \
		"$top/tests/programs/$file" "$@" \
		-o "$programs/${file%.*}.so" >"$matrix/$name.error" 2>&1 && return
	not_ok "$file does not compile" "$matrix/$name.error"
	return 1
}

# packaged SUITE VERSION PACKAGE...: tclshVERSION of that Debian release.
packaged() {
	suite=$1 version=$2 language=Tcl
	shift 2
	name=$suite-$version label="Tcl $version of $suite" kind="$suite package"
	programs=$tests/programs
	obtain root "$suite" "$@" || return
	enter_root "$got" "tclsh$version"
	# One build of an extension serves every 8.6.
	[ "$version" != 8.6 ] || return 0
	obtain files "$suite" "tcl$version-dev" || return
	compile_programs "$version" "$got"
}

# packaged_r SUITE: R of that Debian release, with what its scripts run.
packaged_r() {
	suite=$1 language=R
	name=$suite-R label="R of $suite" kind="$suite package"
	obtain root "$suite" r-base-core r-cran-r6 r-cran-rcpp \
		r-cran-data.table bash coreutils dash debianutils grep sed ||
		return
	enter_root "$got" Rscript
	compile_programs_r "$got/usr/share/R/include" || return
	compile_as g++ truth_rcpp.cpp \
		-I"$programs" -I"$got/usr/share/R/include" \
		-I"$got/usr/lib/R/site-library/Rcpp/include" || return
	# tcltk is with Tcl 8.6 everywhere.
	cp "$tests/programs/truth_tcl.so" "$programs"
}

# built NAME CC CFLAGS CONFIGURE-OPTION...: bookworm's tcl8.6, stripped.
built() {
	language=Tcl name=built-$1 kind="built: $2 $3${4:+ $4}"
	label="Tcl $kind"
	compiler=$2 flags=$3
	programs=$tests/programs
	shift 3
	command -v "$compiler" >/dev/null ||
		{ echo "skipped - $label: no $compiler"; return 1; }
	obtain source bookworm tcl8.6 || return
	enter_build "$matrix/$name" "$got"
	(flock 8 && make_tcl "$got" "$@") 8>"$matrix/$name.lock" && return
	not_ok 'it cannot be built' "$matrix/$name/log"
	return 1
}
make_tcl() {
	[ ! -e "$matrix/$name/finished" ] || return 0
	rm -rf "${matrix:?}/$name"
	mkdir "$matrix/$name" && cd "$matrix/$name" && exec >log 2>&1 || return
	source=$1
	shift
	CC=$compiler CFLAGS=$flags "$source/unix/configure" "$@" &&
		nice make -j"$(nproc)" CFLAGS_OPTIMIZE="$flags" binaries || return
	strip -s tclsh
	[ ! -e libtcl8.6.so ] || strip -s libtcl8.6.so
	rm -f ./*.o ./*.a
	: >finished
}

# built_r NAME CFLAGS CONFIGURE-OPTION...: bookworm's R, stripped.  What it is
# compiled against need not be on this machine, but what it runs with must.
built_r() {
	language=R name=built-R-$1 kind="built: gcc $2${3:+ $3}"
	label="R $kind"
	flags=$2
	shift 2
	command -v gfortran >/dev/null ||
		{ echo "skipped - $label: no gfortran"; return 1; }
	obtain root bookworm libblas-dev libbz2-dev libcurl4-openssl-dev \
		libicu-dev liblapack-dev liblzma-dev libpcre2-dev \
		libtirpc-dev zlib1g-dev || return
	headers=$got
	obtain source bookworm r-base || return
	enter_build_r "$matrix/$name"
	(flock 8 && make_r "$got" "$@") 8>"$matrix/$name.lock" ||
		{ not_ok 'it cannot be built' "$matrix/$name/log"; return 1; }
	compile_programs_r "$matrix/$name/include"
}
make_r() {
	[ ! -e "$matrix/$name/finished" ] || return 0
	rm -rf "${matrix:?}/$name"
	mkdir "$matrix/$name" && cd "$matrix/$name" && exec >log 2>&1 || return
	source=$1 libs=$headers/usr/lib/$(gcc -print-multiarch)
	shift
	PATH=$PATH:$headers/usr/bin
	"$source/configure" --with-blas --with-lapack --with-x=no \
		--with-readline=no --with-tcltk=no --with-cairo=no \
		--with-libpng=no --with-jpeglib=no --with-libtiff=no \
		--disable-java --disable-nls --without-recommended-packages \
		R_BROWSER=false CC=gcc CFLAGS="$flags" \
		CPPFLAGS="-I$headers/usr/include -I$headers/usr/include/${libs##*/}" \
		LDFLAGS="-L$libs -L$libs/blas -L$libs/lapack" "$@" &&
		nice make -j"$(nproc)" R || return
	find . -name '*.so' -exec strip -s {} + && strip -s bin/exec/R &&
		find . -name '*.[oa]' -delete
	: >finished
}

# What the interpreter says of itself.
ask() {
	printf 'puts [eval {%s}]' "$1" |
		TMPDIR=$matrix/bin "$matrix/bin/$name" 2>/dev/null
}
ask_r() {
	TMPDIR=$matrix/bin "$matrix/bin/$name" --vanilla -e "cat($1)" 2>/dev/null
}
ask_version() {
	case $language in
	Tcl) ask 'info patchlevel' ;;
	R) ask_r 'paste(unlist(getRversion()), collapse = ".")' ;;
	esac
}

# Has it what the program is about?
has_packages() {
	case $1 in
	threads) package=Thread ;;
	itcl) package=itcl ;;
	tk) package=Tk ;;
	rpackages)
		# In one line: older front ends of R take no other.
		asked='all(c("R6", "Rcpp", "data.table") %in% rownames(installed.packages()))'
		[ "$(ask_r "$asked")" = TRUE ]
		return
		;;
	tcltk) [ "$(ask_r 'capabilities("tcltk")')" = TRUE ]; return ;;
	*) return 0 ;;
	esac
	[ -n "$(ask "catch {package require none}; package versions $package" |
		tr -d '\n')" ]
}

# one_truth PROGRAM [GROUP...]: adds to $exact, $total, $reached and $taken.
one_truth() {
	keep=$matrix/results/$name.$1
	mkdir -p "$keep"
	# Some 330 paths, which must all have had their turn.
	seconds=$DURATION
	[ "$1" != r ] || seconds=$((DURATION * 3))
	TCLSH=$matrix/bin/$name DURATION=$seconds RSCRIPT=$matrix/bin/$name \
		PROGRAMS=$programs KEEP=$keep \
		"$top/tests/root/truth" "$@" >"$keep/log" 2>&1 ||
		{ not_ok "ground truth $1" /dev/null
		  grep -v '^ok' "$keep/log" | head -n 60 | sed 's/^not ok/# &/'; }
	grep '^skipped - ' "$keep/log"
	if grep -q '^skipped - ground truth' "$keep/log"; then
		return
	fi
	# shellcheck disable=SC2046 # four numbers
	set -- $(awk '
		/^exact\/total = / { split($3, n, "/") }
		/that reached the root:/ { r = $8; t = $10 }
		END { print n[1] + 0, n[2] + 0, r + 0, t + 0 }' "$keep/log")
	exact=$((exact + $1)) total=$((total + $2))
	reached=$((reached + $3)) taken=$((taken + $4))
}

# The errors that it raises.
count_errors() {
	language_word=$(echo "$language" | tr TR tr)
	TCLSH=$matrix/bin/$name RSCRIPT=$matrix/bin/$name "$top/tests/root/raised" \
		"$language_word" >"$matrix/results/$name.errors" 2>&1 ||
		{ not_ok "errors" /dev/null
		  sed 's/^not ok/# &/' "$matrix/results/$name.errors"; }
}

# The calls that it makes.  Tcl up to 8.5 and R up to 3 are refused.
count_calls() {
	case "$language $version" in
	'Tcl 8.5'* | 'R 3'*) return ;;
	Tcl*) set -- 'tcl:*' 1 3000 "$matrix/bin/$name" "$top/tests/programs/calls.tcl" ;;
	*) set -- 'r:*' 1 800 "$matrix/bin/$name" --vanilla "$top/tests/programs/calls.R" ;;
	esac
	pattern=$1
	: >"$matrix/results/$name.calls"
	shift
	for seed in $(seq "${SEEDS:-1}"); do
		shift
		set -- "$seed" "$@"
		"$top/tests/root/counted" "$pattern" "$@" >>"$matrix/results/$name.calls" 2>&1 ||
			{ not_ok "calls" /dev/null
			  sed 's/^not ok/# &/' "$matrix/results/$name.calls"; }
	done
}

# truth_of COMMAND...: of what packaged(), built() or packaged_r() makes.
truth_of() {
	begin=$(date +%s) fine=yes
	exact=0 total=0 reached=0 taken=0
	"$@" || return
	version=$(ask_version)
	[ -n "$version" ] || { not_ok 'it does not run'; return; }
	label="$language $version, $kind"
	case $language in
	Tcl) first=tcl others=$more ;;
	R) first=r others=$more_r ;;
	esac
	one_truth "$first"
	cost=$(sed -n 's/.*(median \(.*\) us).*/\1/p' \
		"$matrix/results/$name.$first/log")
	for program in $others; do
		has_packages "$program" && one_truth "$program"
	done
	count_errors
	count_calls
	[ "$total" -ge $least ] || not_ok "only $total samples"
	printf '%s %s\t%s\t%s/%s\t%s\t%s\t%s\n' \
		"$language" "$version" "$kind" "$exact" "$total" \
		"$(awk "BEGIN { printf \"%.2f %%\", 100 * $reached / ($taken + !$taken) }")" \
		"${cost:-?}" "$(($(date +%s) - begin))" >>"$matrix/table"
	[ $fine = no ] || echo "ok - $label: $exact/$total samples exact"
}
