# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# perf on the same programs, beside our own profiles at 99 Hz.
#
#  * Bytes of a sample: the size of perf.data divided by its samples, against the
#    records in our ring buffer divided by theirs.
#  * A perf stack reaches the root when it has a frame outside the leaf's and the
#    outermost is in the main executable (_start, main) or in the C library's
#    start-up code.  For ours the unwinder's own status counts, which takes less:
#    the frame whose return address is undefined.
#  * A stack shows a proc when one of its frames is named as one of the script's,
#    and a function of R when it is named so or as one of package base.
package Perf;
use strict;
use warnings;

my %names = (Tcl => 'work|level\d+', R => 'spin|down|base::[\w.]+');
my %kind = (Tcl => 'proc', R => 'function of R');
my @modes = (['perf -g', 'fp'], ['perf dwarf', 'dwarf']);

sub compare {
	my ($bench) = @_;
	my $profiles = $bench->{profiles} or die "no profiles to compare\n";
	my $why = missing();
	Table::note("perf is not compared with: $why.") if $why;
	for my $title (sort { $b cmp $a } keys %$profiles) {
		my @by = (['jpbpf', ours($profiles->{$title}{99},
			$names{$title})]);
		push @by, theirs($bench, $title) unless $why;
		line("$title: size of a sample", 'bytes', 'bytes', @by);
		line("$title: stacks that reach the root", '%', 'root', @by);
		line("$title: stacks that show a $kind{$title}", '%', 'named', @by);
		line("$title: frames in a sample", 'mean', 'frames', @by);
		line("$title: samples", '', 'samples', @by);
	}
	Table::note('perf: 99 Hz, 2 s, event cpu-clock, dwarf with the usual ' .
		'8 KiB of stack a sample; stacks as perf script shows them.')
		unless $why;
}

sub missing {
	return 'it is not installed (Debian: linux-perf)'
		unless Run::installed('perf');
	my ($status, $said) = Run::output(20, qw(perf record -q -e cpu-clock),
		'-o', '/dev/null', '--', 'true');
	return $status == 0 ? '' : "it does not work here: $said";
}

sub line {
	my ($name, $unit, $field, @by) = @_;
	Table::across($name, $unit, [map {
		[$_->[0], sprintf $field =~ /^(?:root|named)$/ ? '%.1f'
			: '%.0f', $_->[1]{$field}]
	} @by]);
}

sub ours {
	my ($profiles, $names) = @_;
	my %sum;
	for my $p (@$profiles) {
		$sum{$_} += $p->{$_} for qw(bytes records root walked);
		$sum{named} += Profile::named_share($p, $names) / @$profiles;
		$sum{frames} += ($p->{native} + $p->{script}) / @$profiles;
	}
	return {
		bytes	=> $sum{bytes} / $sum{records},
		root	=> 100 * $sum{root} / $sum{walked},
		named	=> $sum{named},
		frames	=> $sum{frames},
		samples => $sum{records},
	};
}

sub theirs {
	my ($bench, $title) = @_;
	my @command = $title eq 'Tcl'
		? ('tclsh8.6', "$bench->{source}/bench_tcl.tcl", 120)
		: (qw(Rscript --vanilla), "$bench->{source}/bench_r.R", 120);
	my $pid = Run::target(@command);
	my $exe = readlink "/proc/$pid/exe";
	my @by = map { [$_->[0], record($bench, $pid, $exe, $title, $_->[1])] }
		@modes;
	Run::stop($pid);
	return @by;
}

sub record {
	my ($bench, $pid, $exe, $title, $mode) = @_;
	my $data = "$bench->{tmp}/perf.data";
	my ($status, $said) = Run::output(30, qw(perf record -q -e cpu-clock),
		qw(-F 99 --call-graph), $mode, '-p', $pid, '-o', $data, '--',
		qw(sleep 2));
	$status == 0 or die "perf record: $said\n";
	my $size = -s $data;
	($status, $said) = Run::output(90, qw(perf script --max-stack 4000),
		qw(--no-inline -F), 'comm,pid,ip,sym,dso', '-i', $data);
	unlink $data;
	$status == 0 or die "perf script: $said\n";
	return stacks($said, $size, $exe, $names{$title});
}

# Stacks are separated by empty lines; a frame: address symbol (module).
sub stacks {
	my ($text, $size, $exe, $names) = @_;
	my ($n, $root, $named, $frames) = (0, 0, 0, 0);
	for my $stack (split /\n\n+/, $text) {
		my @frame = $stack =~ /^\s+[0-9a-f]+ (.* \(.*\))$/mg or next;
		$n++;
		$frames += @frame;
		$named++ if grep { /^(?:$names)(?:\+0x[0-9a-f]+)? \(/ } @frame;
		$root++ if @frame > 1 && ($frame[-1] =~ /\(\Q$exe\E\)$/ ||
			$frame[-1] =~ /^(?:_start|__libc_start_\w+)\b/);
	}
	$n or die "perf took no sample\n";
	return {
		bytes	=> $size / $n,
		root	=> 100 * $root / $n,
		named	=> 100 * $named / $n,
		frames	=> $frames / $n,
		samples => $n,
	};
}

1;
