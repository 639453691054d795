#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f pprof, read by go tool pprof and by protoc.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need go protoc perl
export PPROF_TMPDIR="$dir" HOME="$dir"

pprof() {
	go tool pprof "$@" 2>/dev/null
}
# The rows of -top as by_function() has them.
top() {
	pprof -top -nodefraction=0 -nodecount=100000 "$@" |
		perl -ne 'BEGIN { $/ = "\n" }
			s/ \(inline\)$//;
			print "$1 $2 $3\n" if $on && /^\s*(\d+)\s+\S+%\s+\S+%\s+(\d+)\s+\S+%\s+(.*)/;
			$on ||= /flat%/' | LC_ALL=C sort -k 3
}
sums() {
	pprof -top "$@" | sed -n 's/.*Total samples = \([^ ]*\).*/\1/p
		s/^Showing.* of \(.*\) total/\1/p'
}

"$make_profile" pprof >a.pb.gz
"$make_profile" folded >a.folded
pprof -raw a.pb.gz >a.raw

same 'types of values' \
	'samples/count cpu/nanoseconds[dflt] samples-of-page-faults/count page-faults/faults' \
	"$(grep '\[dflt\]' a.raw)"
same 'samples in and under each function' \
	"$(by_function <a.folded | LC_ALL=C sort -k 3)" "$(top -sample_index=samples a.pb.gz)"
same 'time is the default' '2000ms' "$(sums a.pb.gz | tail -n 1)"
same 'page faults' '200faults' "$(sums -sample_index=page-faults a.pb.gz | tail -n 1)"
same 'time, duration, period, comments' 'Comment: host: lab1
Comment: kernel: 6.1.0-18-amd64
Comment: options: -F 100 -a --expr "</script>"
PeriodType: cpu nanoseconds
Period: 10000000
Time: 2025-10-09 08:53:20 +0000 UTC
Duration: 1s' "$(TZ=UTC pprof -raw a.pb.gz | head -n 7)"
same 'mappings' '1: 0x0/0x0/0x0 /usr/lib/R/bin/exec/R  [FN][FL][LN][IN]
2: 0x0/0x0/0x0 [Tcl]  [FN][FL][LN][IN]
3: 0x0/0x0/0x0 /usr/lib/x86_64-linux-gnu/libtcl8.6.so aa01bb02cc03dd04 [FN][FL][LN][IN]
4: 0x0/0x0/0x0 /usr/lib/x86_64-linux-gnu/libc.so.6 c0ffee00c0ffee00 [FN][FL][LN][IN]
5: 0x0/0x0/0x0 [kernel.kallsyms]  [FN][FL][LN][IN]
6: 0x0/0x0/0x0 /home/ann/model.so d00dfeedd00dfeed [FN][FL][LN][IN]
7: 0x0/0x0/0x0 [R]  [FN][FL][LN][IN]
8: 0x0/0x0/0x0 /usr/lib/R/lib/libR.so b1b2b3b4b5b6b7b8 [FN][FL][LN][IN]' \
	"$(sed '1,/^Mappings/d' a.raw)"
same 'an inlined function is in its caller'\''s location' \
	'0x4d00 M=6 fit::dot<double> /home/ann/model.h:33 s=0()
fit::Model<std::vector<double> >::solve(int, char const*) /home/ann/model.cpp:120 s=0()' \
	"$(grep -A 1 'fit::dot' a.raw | sed 's/^ *\([0-9]*: \)\?//')"
same 'it is marked' 'fit::dot<double> (inline)' \
	"$(pprof -top a.pb.gz | grep -o 'fit::dot.*')"
same 'names in angle brackets and with colons' '::app::run
<GC>
<anonymous model.R:12>
<b>bold</b>
stats:::fn1' "$(pprof -top -nodefraction=0 a.pb.gz |
	grep -oE '(<GC>|<anonymous .*|<b>.*|::app.*|stats:::fn1)$' | LC_ALL=C sort)"
same 'lines' '600ms /home/ann/main.tcl:40
300ms /home/ann/main.tcl:44' "$(pprof -top -lines a.pb.gz |
	awk '/main.tcl:4/ { print $1, $NF }')"
same 'callers' '            240ms   100% |   fit::Model<std::vector<double> >::solve(int, char const*) (inline)' \
	"$(pprof -peek 'fit::dot' a.pb.gz | grep '|.*solve' | head -n 1 |
		sed 's/^ */            /')"
same 'labels' 'comm: Total 2.0s
860.0ms (43.00%): wish
720.0ms (36.00%): R
280.0ms (14.00%): worker
140.0ms ( 7.00%): sh </script>
kind: Total 2.0s
1.1s (53.50%): Tcl
450.0ms (22.50%): native
320.0ms (16.00%): R
100.0ms ( 5.00%): jit
60.0ms ( 3.00%): kernel
pid: Total 2.0s
1.1s (57.00%): 100
720.0ms (36.00%): 200
140.0ms ( 7.00%): 300
tid: Total 2.0s
860.0ms (43.00%): 100
720.0ms (36.00%): 200
280.0ms (14.00%): 101
140.0ms ( 7.00%): 300' "$(pprof -tags a.pb.gz | sed 's/^ *//; /^$/d')"
same 'a label chooses' '320ms' "$(pprof -top -tagfocus=kind=R a.pb.gz |
	sed -n 's/^Showing nodes accounting for \([^,]*\),.*/\1/p')"
same 'scripts can be hidden by mapping' 0 \
	"$(pprof -top -hide '\[Tcl\]|\[R\]' a.pb.gz | grep -cE 'draw|optim')"

# What stricter readers ask for.
zcat a.pb.gz | protoc --decode_raw >a.decoded
for kind in '3 mappings' '4 locations' '5 functions'; do
	perl -ne 'push @ids, $1 if $in && /^  1: (\d+)/; $in = /^'"${kind% *}"' \{/;
		END { print "@ids\n" }' a.decoded >ids
	same "ids of ${kind#* }" "$(seq -s ' ' "$(wc -w <ids)")" "$(cat ids)"
done
same 'no system names' 0 "$(perl -ne '$in = /^5 \{/ if /^\S/; $n++ if $in && /^  3:/;
	END { print $n + 0 }' a.decoded)"

"$make_profile" pprof deep=5000 >deep.pb.gz
same 'a stack of 5,000 frames' '100 1000000000 5000' "$(pprof -raw deep.pb.gz |
	awk '/^ +[0-9]+ +[0-9]+ / { print $1, $2, NF - 4 }' | tr -d :)"
"$make_profile" pprof empty >empty.pb.gz
same 'an empty profile' '0' "$(sums empty.pb.gz | tail -n 1)"
"$make_profile" pprof untimed >untimed.pb.gz
same 'times that are not known are absent' '' \
	"$(pprof -raw untimed.pb.gz | grep -E '^(Time|Duration)')"
refuses pprof
exit $failed
