# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a recording costs beside folded stacks, how large it becomes, and how long
# reading a large one takes.
package Record;
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my $HZ = 99;
my $BUSY = 2;
my @LARGE = (10_000_000, 100_000, 40);    # samples, distinct stacks, their depth

sub cost {
	my ($bench) = @_;
	my $tmp = $bench->{tmp};
	my @pids = map { Run::target('tclsh8.6',
		"$bench->{source}/bench_tcl.tcl", 600) } 1 .. $BUSY;
	my ($folded) = Scale::agent_share($bench, $HZ, '-o', "$tmp/run.folded");
	# The names of the kernel's functions are read once, when a stack first has one:
	# before what is measured.
	my $early = Run::start('tclsh8.6',
		"$bench->{source}/bench_kernel.tcl", 2);
	my ($share, $all) = Scale::agent_share($bench, $HZ, 'record', '-o',
		"$tmp/run.jpb");
	Run::stop($early);
	my ($status, $said) = Run::output(60, $bench->{jpbpf}, 'record', '-F',
		10 * $HZ, '-d', 10, '-o', "$tmp/run.jpb");
	Run::stop_all(@pids);
	my ($bytes) = $said =~ /recording: \d+ bytes, ([\d.]+) a sample/ or
		die "no recording: $said\n";
	Table::row("agent at $HZ Hz, folded stacks", $folded, '% of one CPU');
	Table::row("agent at $HZ Hz, recording", $share, '% of one CPU');
	Table::row('a recording takes more than folded stacks',
		$share - $folded, '% of one CPU', '<= 0.3');
	Table::row("agent's resident memory, recording", $all, 'MiB', '<= 64');
	Table::row('bytes a sample', $bytes, 'bytes', '<= 24');
}

# Seconds and MiB of a command.
sub measure {
	my (@command) = @_;
	my ($begin, $most) = (time, 0);
	my $pid = Run::start(@command);
	my $status;
	until (defined($status = Run::finish($pid, 0.05))) {
		my ($now) = Run::slurp("/proc/$pid/status") =~ /^VmHWM:\s*(\d+)/m;
		$most = $now if defined $now && $now > $most;
		die "@command: too long\n" if time - $begin > 120;
	}
	$status and die "@command: " . Run::said($pid) . "\n";
	return (time - $begin, $most / 1024);
}

sub reading {
	my ($bench) = @_;
	my $file = "$bench->{tmp}/large.jpb";
	my $make = "$bench->{programs}/../views/make_recording";
	system("'$make' @LARGE >'$file'") and die "$make failed\n";
	Table::row('size of the recording', (-s $file) / (1 << 20), 'MiB');
	for (	['report', 5, qw(report --no-pager)],
		['html', 10, qw(convert -f html -o), "$file.html"],
		['pprof', 10, qw(convert -f pprof -o), "$file.pb.gz"]) {
		my ($title, $most, @words) = @$_;
		my ($s, $mib) = measure($bench->{jpbpf}, @words, $file);
		Table::row("$title of it", $s, 's', "<= $most");
		Table::row("most that was resident, $title", $mib, 'MiB',
			'<= 1024');
	}
	unlink glob "$file*";
}

1;
