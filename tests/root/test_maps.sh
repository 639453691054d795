#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# jpbpf maps: what is at an address, compared with addr2line and /proc.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" "$PROGRAMS/parked" "$PROGRAMS/kinds" addr2line nm objdump perl python3 setpriv
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
awk '$2 ~ /x/ { split($1, a, "-"); print a[1], a[2] }' "/proc/$target/maps" | while read -r a b; do
	printf '0x%x, end 0x%x\n' "0x$a" "0x$b"
done >"$work/want"
grep -o '0x[0-9a-f]*, end 0x[0-9a-f]*' "$work/out" >"$work/got"
cmp -s "$work/want" "$work/got" || blame 'other ranges' "$work/got"
verdict 'without addresses: what code is mapped'

# Each function of the vDSO, whose symbols are those of a copy.
vdso=$(sed -n 's/-.*\[vdso\]$//p' "/proc/$target/maps")
perl -e 'open my $f, "<", "/proc/$ARGV[0]/mem" or die; seek $f, hex $ARGV[1], 0;
	read $f, my $b, hex($ARGV[2]); print $b' "$target" "$vdso" 2000 >"$work/vdso"
nm -D --defined-only "$work/vdso" | awk '$2 ~ /[TW]/ && !/ __vdso/ { print $1 }' | sort -u |
	while read -r at; do printf '%x\n' $((0x$vdso + 0x$at)); done >"$work/addresses"
"$JPBPF" maps -p "$target" - <"$work/addresses" >"$work/out" 2>"$work/err"
n=$(grep -c 'function .*, function_offset 0, module \[vdso\]' "$work/out")
if [ "$n" -lt 3 ] || [ "$n" != "$(wc -l <"$work/addresses")" ]; then
	blame 'the vDSO' "$work/out"
fi
verdict "the vDSO: $n functions"

maps 0x10
status_is 0
grep -q '0x10, mapping none' "$work/out" || blame 'a mapping' "$work/out"
maps zz
status_is 2
says "'zz' is not an address"
"$JPBPF" maps -p 4194303 0x10 >"$work/out" 2>"$work/err"
status=$?
status_is 1
says 'there is no process 4194303'
printf '10\n\nzz\n' | "$JPBPF" maps -p "$target" - >"$work/out" 2>"$work/err"
status=$?
status_is 2
says "standard input, line 3: 'zz' is not an address"
[ ! -s "$work/out" ] || blame 'writes to standard output' "$work/out"
"$JPBPF" maps -p "$target" - </ >"$work/out" 2>"$work/err"
status=$?
status_is 2
says 'standard input cannot be read: Is a directory'
setpriv --reuid=65534 --clear-groups "$JPBPF" maps -p "$target" >"$work/out" 2>"$work/err"
status=$?
status_is 3
says "as root it may: sudo jpbpf maps -p $target"
"$JPBPF" maps 0x10 >"$work/out" 2>"$work/err"
status=$?
status_is 2
says 'maps looks at one process'
verdict 'what cannot be is told'

# Mapped as code, and no ELF file.
head -c 4096 /dev/zero >"$work/zeros"
start python3 -c 'import mmap, sys, time
f = open(sys.argv[1], "rb")
m = mmap.mmap(f.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
time.sleep(60)' "$work/zeros"
until_true 10 has_mapped "$target" zeros
maps
status_is 0
grep -q "module $work/zeros, offset 0x0, symbols none: no ELF file can be read" "$work/out" ||
	blame 'a file without symbols' "$work/out"
[ "$(grep -c 'symbols none' "$work/out")" = 1 ] || blame 'files that have symbols' "$work/out"
verdict 'a mapping of code without an ELF file'

# Code made at run time, by the last name that its maker gave it.
start "$PROGRAMS/kinds" 20 "$work/kinds"
until_true 10 grep -q jit_inner "/tmp/perf-$target.map"
made=$(sed -n 's/ .* jit_inner$//p' "/tmp/perf-$target.map")
maps "$made" "$(printf %x $((0x$made - 60)))" "$(printf %x $((0x$made + 2048)))"
status_is 0
sed 's/^addresses//; s/^ *//' "$work/out" >"$work/got"
page=$((0x$made - 64))
printf '0x%x, %smodule anonymous, offset 0x%x\n' \
	$((page + 64)) 'function jit_inner, ' 64 \
	$((page + 4)) 'function jit outer;x, ' 4 $((page + 2112)) '' 2112 >"$work/want"
cmp -s "$work/want" "$work/got" || blame 'code made at run time' "$work/got"
rm -f "/tmp/perf-$target.map"
verdict 'code made at run time'
exit $failed
