#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# -f perfetto, decoded by protoc; perfetto.pl follows its ids as Perfetto does.  Debian's
# package of Perfetto has the recorder alone, no reader.
# shellcheck source=tests/views/reader.sh
. "$(dirname "$0")/reader.sh"
need protoc perl

decode() {
	"$make_profile" perfetto "$@" >trace &&
		protoc -I"$here" --decode=Trace perfetto.proto <trace >decoded &&
		perl "$here/perfetto.pl" <decoded
}

decode >a
"$make_profile" folded >a.folded
same 'clocks, attributes, processes and threads' 'clock 1 1760000000000000000
clock 3 5000000000000
host=lab1
kernel=6.1.0-18-amd64
options=-F 100 -a --expr "</script>"
process 100 wish main.tcl
process 100 wish main.tcl
process 200 /usr/lib/R/bin/exec/R --file=model.R
process 300 sh -c "x"
thread 100/100 wish
thread 100/101 worker
thread 200/200 R
thread 300/300 sh </script>
event cpu-clock 10000000' "$(sed '/^event/q' a)"
same 'samples in and under each function' "$(by_function <a.folded)" \
	"$(sed -n 's/^sample cpu-clock \S* \S* \(.*\)/R;\1 1/p' a | by_function)"
same 'values and times of an event' '280000000 ns 5000000000000 5000966000000' \
	"$(awk '/^sample cpu-clock/ { split($4, n, "/"); if ($4 ~ "^100/101/") t += n[4]
		if (!first || $3 < first) first = $3; if ($3 > last) last = $3 }
		END { printf "%.0f ns %.0f %.0f\n", t, first, last }' a)"
same 'the other event' '200 samples, 200' "$(awk '/^sample page-faults/ { n++
	split($4, of, "/"); v += of[4] } END { print n " samples, " v }' a)"
same 'CPU 0 and others' '0 1 2 3' "$(sed -n 's|^sample \S* \S* [0-9]*/[0-9]*/\([0-9]*\)/.*|\1|p' a |
	sort -u | paste -sd ' ')"
same 'frames' 'frame ::app::run [ ] /home/ann/main.tcl:12 Tcl
frame Rf_mainloop [/usr/lib/R/lib/libR.so b1b2b3b4b5b6b7b8] : native
frame [libc.so.6+0x8a1b2] [/usr/lib/x86_64-linux-gnu/libc.so.6 c0ffee00c0ffee00] : native
frame draw [ ] /home/ann/main.tcl:40 Tcl
frame draw [ ] /home/ann/main.tcl:44 Tcl
frame vfs_read_[k] [kernel ] : kernel' \
	"$(grep -E '^frame (::app|Rf_|\[libc|draw|vfs)' a | LC_ALL=C sort)"
same 'marks and losses' '5000300000000 marks: phase <b>2</b>
5000600000000 marks: fit
5000450000000 lost samples: ring buffer full samples=17
5000450000000 lost 17' "$(grep -E '^[0-9]+ ' a)"
decode empty >none
same 'an empty profile has its events' 'event cpu-clock 10000000
event page-faults 1' "$(grep -E '^(event|sample)' none)"
decode deep=5000 >deep
same 'a stack of 5,000 frames' '100 5000' "$(awk '/^sample/ { n++; sub(/.*\/[0-9]* /, "")
	d = split($0, f, ";") } END { print n, d }' deep)"
# More than is written at a time.
decode stacks=6000 depth=40 >large
"$make_profile" folded stacks=6000 depth=40 >large.folded
same 'a large trace' "$(by_function <large.folded | cksum)" \
	"$(sed -n 's/^sample cpu-clock \S* \S* \(.*\)/R;\1 1/p' large | by_function | cksum)"
refuses perfetto
exit $failed
