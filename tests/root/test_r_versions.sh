#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# An R that calls itself another version: taken when it is proven, else refused
# with words that help.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" Rscript perl nm

home=$(Rscript --vanilla -e 'cat(R.home())')
version=$(Rscript --vanilla -e 'cat(format(getRversion()))')
libr=$home/lib/libR.so
[ -r "$libr" ] || skip 'R has no libR.so'

# code_as FUNCTION PERL FILE: libR with that done to the function's code.
code_as() {
	# shellcheck disable=SC2046 # two numbers
	set -- "$2" "$3" $(nm -DS "$libr" |
		awk -v name="$1" '$4 == name { print $1, $2 }')
	mkdir -p "${2%/*}"
	perl -0777 -pe '
		BEGIN { ($do, $at, $size) = splice @ARGV, 0, 3 }
		$_ = do {
			my ($all, $code) = ($_, substr $_, hex $at, hex $size);
			local $_ = $code;
			eval $do;
			substr($all, hex $at, hex $size) = $_;
			$all;
		};' "$1" "$3" "$4" <"$libr" >"$2"
}
# start_as VERSION SCRIPT: an R with a library that says so.
start_as() {
	# shellcheck disable=SC2016 # perl's
	code_as R_Serialize '
		sub word { my ($a, $b, $c) = split /[.]/, shift;
			pack "V", $a << 16 | $b << 8 | $c }
		my ($old, $new) = (word("'"$version"'"), word("'"$1"'"));
		s/\Q$old\E/$new/g;' "$work/$1/libR.so"
	! cmp -s "$libr" "$work/$1/libR.so" || blame 'no version was replaced'
	start env R_HOME="$home" LD_LIBRARY_PATH="$work/$1" \
		"$home/bin/exec/R" --vanilla --no-echo --file="$2"
	until_true 20 has_run "$target" 50 ||
		blame "it does not run" "$work/target.out"
}

for other in 4.9.0 5.0.1; do
	start_as $other "$work/busy.R"
	profile -v -p "$target" -F 999 --max-cost 100 -d 1 -U
	status_is 0
	accounts "$work/out"
	says "R $other (not known; tried as "
	shows '^R;work;spin'
	shows_no '\[libR'
	profile info "$target"
	status_is 0
	grep -q '^ *known *no$' "$work/out" || blame 'known' "$work/out"
	grep -q '^ *proven *yes$' "$work/out" || blame 'not proven' "$work/out"
	stop "$target"
	verdict "R $other: not known, proven on the process, and used"
done

# Something else is where a closure of package base would be.
cat >"$work/odd.R" <<'END'
invisible(compiler::enableJIT(0))
base <- baseenv()
unlockBinding("Sys.getenv", base)
assign("Sys.getenv", list(1), base)
spin <- function(n) { x <- 0; for (i in 1:n) x <- x + i %% 7; x }
while (TRUE) spin(2000)
END
start_as 4.9.0 "$work/odd.R"
profile -p "$target" -F 999 --max-cost 100 -d 2 -U
stop "$target"
status_is 0
accounts "$work/out"
says 'R 4.9.0 is not known here; tried as '
says ', but the parts of its closures are not where they would be'
says "please report it, with the output of \"jpbpf info $target\""
shows_no ';spin'
verdict 'R 4.9.0: not known and not proven, refused'

# The last fields of a context at other places.
# shellcheck disable=SC2016 # perl's
code_as Rf_begincontext '
	s/([\x68\x70\x78\x80])\x01\0\0/chr(ord($1) + 0x30) . "\x01\0\0"/ge;' \
	"$work/odd/libR.so"
profile info "$work/odd/libR.so"
status_is 0
says "R $version has contexts of a layout not known here (srcref at " \
	"$work/out"
says 'supported are R 3.4 to 4.6 built for x86-64 glibc' "$work/out"
verdict 'an unknown layout: refused, and what would be taken'
exit "$failed"
