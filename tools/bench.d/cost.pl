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

my $RUNS = 3;
my %seconds = (99 => 2, 999 => 1);

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
	for (	['Tcl', '<= 3', 'tclsh8.6', "$source/bench_tcl.tcl", 120],
		['R', '<= 15', qw(Rscript --vanilla), "$source/bench_r.R",
			120]) {
		my ($title, $target, @command) = @$_;
		my $pid = Run::target(@command);
		for my $hz (sort { $a <=> $b } keys %seconds) {
			my @p = Profile::runs($RUNS, $pid, $hz, $seconds{$hz});
			$bench->{profiles}{$title}{$hz} = \@p;
			rows("$title sample at $hz Hz", $target, @p);
		}
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

# Cost and depth of plain C, by run.
sub deep {
	my ($bench, $depth) = @_;
	my $pid = Run::target("$bench->{programs}/deep", 120, '/dev/null',
		$depth);
	my %by_hz = map {
		$_ => [Profile::runs($RUNS, $pid, $_, $seconds{$_})]
	} keys %seconds;
	Run::stop($pid);
	return \%by_hz;
}

# Cost of a frame more, in ns, from pairs of runs.
sub slope {
	my ($few, $many) = @_;
	return Profile::median(map {
		1000 * ($many->[$_]{median} - $few->[$_]{median}) /
			($many->[$_]{native} - $few->[$_]{native})
	} 0 .. $RUNS - 1);
}

sub frames {
	my ($bench) = @_;
	my %deep = map { $_ => deep($bench, $_) } 20, 190, 1000;
	my %slope;
	for my $hz (sort { $a <=> $b } keys %seconds) {
		$slope{$hz} = slope($deep{20}{$hz}, $deep{190}{$hz});
		Table::row("native frame, from 20 to 190 calls, $hz Hz",
			$slope{$hz}, 'ns', '<= 60');
		Table::row("native frame, from 190 to 1,000 calls, $hz Hz",
			slope($deep{190}{$hz}, $deep{1000}{$hz}), 'ns');
		Table::row("sample of $_ native calls, $hz Hz, median",
			Profile::median_of('median', @{$deep{$_}{$hz}}), 'us')
			for sort { $a <=> $b } keys %deep;
	}
	in_r($bench, $slope{99});
	Table::note('A frame\'s cost is the difference of two depths of the ' .
		'same C recursion, divided by the frames between them.  Its ' .
		'two functions stay in every cache; those of R do not.');
}

# The same program at two depths: what a frame of R's stack costs on the whole,
# and what is left for an R frame when native ones cost what they cost in C.
sub in_r {
	my ($bench, $native) = @_;
	my $much = $bench->{profiles}{R}{99} or return;
	my $pid = Run::target(qw(Rscript --vanilla),
		"$bench->{source}/bench_r.R", 120, 4);
	my $few = [Profile::runs($RUNS, $pid, 99, $seconds{99})];
	Run::stop($pid);
	my (@together, @script);
	for (0 .. $RUNS - 1) {
		my ($a, $b) = ($few->[$_], $much->[$_]);
		my $ns = 1000 * ($b->{median} - $a->{median});
		my $frames = $b->{native} - $a->{native};
		push @together, $ns / $frames;
		push @script, ($ns - $native * $frames) /
			($b->{script} - $a->{script});
	}
	Table::row('native frame in R, with its share of R frames, 99 Hz',
		Profile::median(@together), 'ns');
	Table::row('R frame, beside its native frames, 99 Hz',
		Profile::median(@script), 'ns');
	Table::row('sample of R 4 calls deep instead of 30, 99 Hz, median',
		Profile::median_of('median', @$few), 'us');
}

1;
