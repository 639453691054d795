#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf maps: what is at an address, compared with addr2line and /proc.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/parked" addr2line perl
program=$(realpath "$PROGRAMS/parked")

start "$program" "$work/table" 5
until_true 10 test -s "$work/table" || until_true 10 has_mapped "$target" libc
maps() {
	"$JPBPF" maps -p "$target" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}
# The address of vaddr 0 of a PIE.
bias=$(awk -v f="$program" '$NF == f { print $1; exit }' "/proc/$target/maps")
bias=${bias%%-*}

# Each instruction of the program's own functions, the first and the last ones included, but
# not what fills up between functions.
objdump -d --no-show-raw-insn "$program" | grep -v 'nop' |
	sed -nE '/<(parked_|note|start_absent|main)/,/^$/s/^ *([0-9a-f]+):.*/\1/p' >"$work/vaddrs"
addr2line -f -i -C -a -e "$program" <"$work/vaddrs" | perl -e '
	my @row;
	sub done { print join(" ", @row), "\n" if @row }
	while (<STDIN>) {
		chomp;
		if (/^0x0*([0-9a-f]+)$/) { done(); @row = ($1); next }
		my $name = $_;
		my ($file, $line) = <STDIN> =~ m{([^/:]+):(\d+|\?)};
		push @row, "$name\@$file:$line";
	}
	done()' >"$work/want"
perl -ne 'BEGIN { $bias = hex shift } chomp; printf "0x%x\n", hex($_) + $bias' "$bias" \
	<"$work/vaddrs" >"$work/addresses"
"$JPBPF" maps -p "$target" --json - <"$work/addresses" >"$work/out" 2>"$work/err" ||
	blame 'failed' "$work/err"
perl -MJSON::PP -e 'local $/; my $bias = hex shift; my $all = decode_json(<STDIN>)->{addresses};
	for my $a (@$all) {
		my @at = map { ($_->{function} // "??") . "\@" . ($_->{file} // "?") =~ s{.*/}{}r .
			":" . ($_->{line} // "?") } reverse($a, @{$a->{inlined} // []});
		printf "%x %s\n", hex($a->{address}) - $bias, join(" ", @at);
	}' "$bias" <"$work/out" >"$work/got"
# What addr2line knows no line of is not compared.
paste -d '\t' "$work/want" "$work/got" | grep -v '?.*	' >"$work/pairs"
cut -f 1 "$work/pairs" >"$work/want"
cut -f 2 "$work/pairs" >"$work/got"
total=$(wc -l <"$work/want")
right=$(paste -d '\n' "$work/want" "$work/got" | awk 'NR % 2 { w = $0; next } w == $0 { n++ } END { print n + 0 }')
if [ "$right" != "$total" ] || [ "$total" -lt 100 ]; then
	diff "$work/want" "$work/got" >"$work/diff"
	blame 'other answers' "$work/diff"
fi
verdict "as addr2line says, inlined functions too: exact/total = $right/$total"

# Module, offset and build-id of a library.
first=$(awk '/libc\.so/ && $2 ~ /x/ { print $1, $3; exit }' "/proc/$target/maps")
maps --json "0x$(printf %x $((0x${first%%-*} + 16)))"
status_is 0
library=$(awk '/libc\.so/ { print $NF; exit }' "/proc/$target/maps")
id=$(readelf -n "$library" | sed -n 's/.*Build ID: //p')
for text in "\"module\": \"$library\"" "\"build_id\": \"$id\"" \
	"\"offset\": \"0x$(printf %x $((0x${first##* } + 16)))\""; do
	grep -qF "$text" "$work/out" || blame "no $text" "$work/out"
done
verdict 'module, offset, build-id'

maps
status_is 0
[ "$(grep -c 'module' "$work/out")" = "$(awk '$2 ~ /x/' "/proc/$target/maps" | wc -l)" ] ||
	blame 'not every mapping of code' "$work/out"
verdict 'without addresses: what code is mapped'

maps 0x10
status_is 0
grep -q '0x10, mapping none' "$work/out" || blame 'a mapping' "$work/out"
maps zz
status_is 2
says "'zz' is not an address"
"$JPBPF" maps -p 4194303 0x10 >"$work/out" 2>"$work/err"
status=$?
status_is 1
says 'the mappings of process 4194303 cannot be read'
"$JPBPF" maps 0x10 >"$work/out" 2>"$work/err"
status=$?
status_is 2
says 'maps looks at one process'
verdict 'what cannot be is told'
exit $failed
