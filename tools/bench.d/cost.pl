# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a sample costs in the kernel, at 99 Hz (caches are cold, as for users) and
# at 999 Hz (warm).
#
# Two clocks: the profiler's own histogram of its walks, and the kernel's count
# of the time in the whole program (kernel.bpf_stats_enabled).  The latter also
# has the runs that find an idle CPU or a process which is not profiled; divided
# by the samples it is a little too much, divided by the runs too little.
package Cost;
use strict;
use warnings;

our $RUNS = 3;
our %seconds = (99 => 2, 999 => 1);

# The time in the whole program, in us, by samples kept or by runs.
sub by_kernel {
	my ($per, @p) = @_;
	return Profile::median(map {
		my $program = $_->{program}{on_sample};
		my $n = $per eq 'sample' ? $_->{kept} : $program->{runs};
		$n ? $program->{ns} / $n / 1000 : 0;
	} @p);
}

sub rows {
	my ($what, $target, @p) = @_;
	Table::row("$what, median", Profile::median_of('median', @p), 'us',
		$target);
	Table::row("$what, mean", Profile::median_of('mean', @p), 'us');
	Table::row("$what, kernel's clock, by samples",
		by_kernel('sample', @p), 'us');
	Table::row("$what, kernel's clock, by runs", by_kernel('run', @p),
		'us');
}

sub samples {
	my ($bench) = @_;
	my $source = $bench->{source};
	for (	['Tcl', { 99 => '<= 3', 999 => '<= 2' }, 'tclsh8.6',
			"$source/bench_tcl.tcl", 120],
		['R', { 99 => '<= 12', 999 => '<= 12' },
			qw(Rscript --vanilla), "$source/bench_r.R", 120]) {
		my ($title, $target, @command) = @$_;
		my $pid = Run::target(@command);
		for my $hz (sort { $a <=> $b } keys %seconds) {
			my @p = Profile::runs($RUNS, $pid, $hz, $seconds{$hz});
			$bench->{profiles}{$title}{$hz} = \@p;
			rows("$title sample at $hz Hz", $target->{$hz}, @p);
		}
		lines($pid) if $title eq 'Tcl';
		Run::stop($pid);
		my @p = @{$bench->{profiles}{$title}{99}};
		Table::row("$title native frames in a sample, mean",
			Profile::median_of('native', @p), 'frames');
		Table::row("$title interpreter frames in a sample, mean",
			Profile::median_of('script', @p), 'frames');
	}
	Table::note('Users see the cost at 99 Hz, which is the default; that ' .
		'at 999 Hz shows what is left when the caches are warm.');
	Table::note('Costs are the medians of ' . $RUNS . ' runs.');
}

sub lines {
	my ($pid) = @_;
	my @p = Profile::runs($RUNS, $pid, 999, $seconds{999}, '--lines');
	Table::row('Tcl sample at 999 Hz with --lines, median',
		Profile::median_of('median', @p), 'us');
}

1;
