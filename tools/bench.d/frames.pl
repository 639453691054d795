# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a frame more costs: the difference of two depths of the same stack,
# divided by the frames between them.  And whether a very deep stack of Tcl is
# whole.
package Frames;
use strict;
use warnings;

my $DEEPEST = 1000;    # procs

# The profiles of a program, by frequency.
sub profiles {
	my ($frequencies, @command) = @_;
	my $pid = Run::target(@command);
	my %by_hz = map {
		$_ => [Profile::runs($Cost::RUNS, $pid, $_,
			$Cost::seconds{$_})]
	} @$frequencies;
	Run::stop($pid);
	return \%by_hz;
}

# Cost of a frame more, in ns, from pairs of runs; the field says of which kind.
sub slope {
	my ($field, $few, $many) = @_;
	return Profile::median(map {
		1000 * ($many->[$_]{median} - $few->[$_]{median}) /
			($many->[$_]{$field} - $few->[$_]{$field})
	} 0 .. $Cost::RUNS - 1);
}

sub frequencies {
	return sort { $a <=> $b } keys %Cost::seconds;
}

sub native {
	my ($bench) = @_;
	my %deep = map {
		$_ => profiles([frequencies()], "$bench->{programs}/deep", 120,
			'/dev/null', $_)
	} 20, 190, 1000;
	for my $hz (frequencies()) {
		Table::row("native frame, from 20 to 190 calls, $hz Hz",
			slope('native', $deep{20}{$hz}, $deep{190}{$hz}),
			'ns', '<= 60');
		Table::row("native frame, from 190 to 1,000 calls, $hz Hz",
			slope('native', $deep{190}{$hz}, $deep{1000}{$hz}),
			'ns');
		Table::row("sample of $_ native calls, $hz Hz, median",
			Profile::median_of('median', @{$deep{$_}{$hz}}), 'us')
			for sort { $a <=> $b } keys %deep;
	}
	Table::note('A frame\'s cost is the difference of two depths of the ' .
		'same recursion, divided by the frames between them.  The ' .
		'two functions of the C program stay in every cache; those ' .
		'of R do not.');
}

# What a native frame costs in R: the same functions with more braces in them.  And
# what is left for an R frame, from two depths, when its native frames cost that.
sub r {
	my ($bench) = @_;
	my @command = (qw(Rscript --vanilla), "$bench->{source}/bench_r.R", 120);
	my @hz = frequencies();
	my ($few, $much, $braces) = map { profiles(\@hz, @command, @$_) }
		[4], [30], [30, 4];
	for my $hz (reverse @hz) {
		my (@native, @script, @call);
		for (0 .. $Cost::RUNS - 1) {
			my ($a, $b, $c) = ($few->{$hz}[$_], $much->{$hz}[$_],
				$braces->{$hz}[$_]);
			my $one = 1000 * ($c->{median} - $b->{median}) /
				($c->{native} - $b->{native});
			push @native, $one;
			push @call, 1000 * ($b->{median} - $a->{median}) /
				($b->{script} - $a->{script});
			push @script, (1000 * ($b->{median} - $a->{median}) -
				$one * ($b->{native} - $a->{native})) /
				($b->{script} - $a->{script});
		}
		Table::row("R frame, from 4 to 30 calls, $hz Hz",
			Profile::median(@script), 'ns', '<= 60');
		Table::row("R frame with its native frames, $hz Hz",
			Profile::median(@call), 'ns');
		Table::row("native frame in R, $hz Hz",
			Profile::median(@native), 'ns');
		Table::row("sample of R $_->[0], $hz Hz, median",
			Profile::median_of('median', @{$_->[1]{$hz}}), 'us')
			for ['4 calls deep', $few], ['30 calls deep', $much],
			['30 calls deep, more native frames', $braces];
	}
	Table::note('An R frame: the difference of two depths of R code, less ' .
		'what its native frames cost, divided by the R frames between ' .
		'them.  A native frame in R: the difference to the same code ' .
		'with more braces in it, each of which is interpreted by C ' .
		'functions of R.');
}

# N distinct procs on each other; only the number of Tcl frames grows.
sub tcl {
	my ($bench) = @_;
	my @command = ('tclsh8.6', "$bench->{source}/bench_deep.tcl", 120);
	my %deep = map { $_ => profiles([frequencies()], @command, $_) }
		11, 43, 200;
	for my $hz (reverse frequencies()) {
		Table::row("Tcl frame, from 11 to 43 procs, $hz Hz",
			slope('script', $deep{11}{$hz}, $deep{43}{$hz}), 'ns',
			$hz == 999 ? '<= 50' : '');
		Table::row("Tcl frame, from 43 to 200 procs, $hz Hz",
			slope('script', $deep{43}{$hz}, $deep{200}{$hz}), 'ns');
		Table::row("sample of $_ Tcl procs, $hz Hz, median",
			Profile::median_of('median', @{$deep{$_}{$hz}}), 'us')
			for sort { $a <=> $b } keys %deep;
	}
	deepest(@{profiles([999], @command, $DEEPEST)->{999}});
}

sub deepest {
	my (@p) = @_;
	my ($all, $whole, $fewest) = (0, 0, $DEEPEST);
	for my $p (@p) {
		my ($n, $good, $least) = whole($p->{folded});
		$all += $n;
		$whole += $good;
		$fewest = $least if $least < $fewest;
	}
	Table::row('Tcl frames in a sample 1,000 procs deep',
		Profile::median_of('script', @p), 'frames');
	Table::row('procs in a sample 1,000 procs deep, fewest', $fewest,
		'procs', ">= $DEEPEST");
	# Cut, not rounded: 100 % means all of them.
	Table::row('stacks of 1,000 procs that are whole',
		int(10000 * $whole / $all) / 100, '%', '>= 100');
	Table::row('samples taken 1,000 procs deep', $all, 'samples');
	Table::row('sample of 1,000 Tcl procs, 999 Hz, median',
		Profile::median_of('median', @p), 'us');
}

# Of the samples in a file: their number, how many have every proc in its place,
# and the procs in the sample that has the fewest.
sub whole {
	my ($folded) = @_;
	my $expected = join ';', map { "level$_" } 1 .. $DEEPEST;
	my ($all, $whole, $fewest) = (0, 0, $DEEPEST);
	open my $in, '<', $folded or die "$folded: $!\n";
	while (<$in>) {
		my ($stack, $count) = /^(.*) (\d+)$/ or next;
		$all += $count;
		$whole += $count if index(";$stack;", ";$expected;") >= 0;
		my $procs = () = $stack =~ /\blevel\d+\b/g;
		$fewest = $procs if $procs < $fewest;
	}
	return ($all, $whole, $fewest);
}

1;
