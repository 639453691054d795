# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What the profiler itself takes: time to its first sample, memory, CPU.
package Agent;
use strict;
use warnings;
use List::Util qw(min sum0);

my $STARTS = 5;

sub start {
	my ($bench) = @_;
	my $source = $bench->{source};
	for (	['tclsh', '<= 150', 'tclsh8.6', "$source/bench_tcl.tcl", 120],
		['R with BLAS', '<= 400', qw(Rscript --vanilla),
			"$source/bench_r.R", 120]) {
		my ($title, $target, @command) = @$_;
		my $pid = Run::target(@command);
		my @p = Profile::runs($STARTS, $pid, 99, 1);
		my $blas = Run::slurp("/proc/$pid/maps") =~ /blas/;
		Run::stop($pid);
		my @ms = grep { $_ > 0 } map { $_->{first_ms} } @p;
		@ms == $STARTS or die "$title: a run without a first sample\n";
		Table::row("$title, first sample after, median of $STARTS",
			Profile::median(@ms), 'ms', $target);
		Table::row("$title, first sample after, best of $STARTS",
			min(@ms), 'ms', $target);
		Table::row("$title, making the unwind tables, median",
			Profile::median_of('build_ms', @p), 'ms');
		Table::row("$title, rows in the unwind tables", $p[0]{rows},
			'rows');
		Table::row("$title, rows made in a second",
			Profile::median(map { $_->{rows} / $_->{build_ms} /
				1000 } @p), 'million',
			$title =~ /BLAS/ ? '>= 5' : '');
		Table::note('R had no BLAS mapped.')
			if $title =~ /BLAS/ && !$blas;
	}
}

sub size {
	my ($bench) = @_;
	my %profiles = %{$bench->{profiles}};
	%profiles or die "there are no profiles to look at\n";
	for my $title (sort keys %profiles) {
		my @p = @{$profiles{$title}{99}};
		Table::row("agent's resident memory at most, $title",
			Profile::median_of('resident', @p) / 1024, 'MiB');
		Table::row("memory of its maps, $title",
			Profile::median_of('maps', @p) / 1024, 'MiB');
		Table::row("memory of its unwind tables, $title",
			Profile::median_of('tables', @p) / 1024, 'MiB');
	}
	for my $title (sort keys %profiles) {
		for my $hz (sort { $a <=> $b } keys %{$profiles{$title}}) {
			Table::row("time in BPF at $hz Hz, $title",
				Profile::median(map { share($_) }
					@{$profiles{$title}{$hz}}),
				'% of one CPU');
		}
	}
	my ($title) = sort keys %profiles;
	my $program = $profiles{$title}{99}[0]{program};
	Table::row("verified instructions, $_", $program->{$_}{insns}, '',
		'<= 100000') for sort keys %$program;
}

# All the programs' time in a run, in percent of its duration.
sub share {
	my ($p) = @_;
	return 100 * sum0(map { $_->{ns} } values %{$p->{program}}) /
		($p->{seconds} * 1e9);
}

1;
