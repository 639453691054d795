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
	my %slope;
	for my $hz (frequencies()) {
		$slope{$hz} = slope('native', $deep{20}{$hz}, $deep{190}{$hz});
		Table::row("native frame, from 20 to 190 calls, $hz Hz",
			$slope{$hz}, 'ns', '<= 60');
		Table::row("native frame, from 190 to 1,000 calls, $hz Hz",
			slope('native', $deep{190}{$hz}, $deep{1000}{$hz}),
			'ns');
		Table::row("sample of $_ native calls, $hz Hz, median",
			Profile::median_of('median', @{$deep{$_}{$hz}}), 'us')
			for sort { $a <=> $b } keys %deep;
	}
	in_r($bench, $slope{99});
	Table::note('A frame\'s cost is the difference of two depths of the ' .
		'same recursion, divided by the frames between them.  The ' .
		'two functions of the C program stay in every cache; those ' .
		'of R do not.');
}

# The same program at two depths: what a frame of R's stack costs on the whole,
# and what is left for an R frame when native ones cost what they cost in C.
sub in_r {
	my ($bench, $native) = @_;
	my $much = $bench->{profiles}{R}{99} or return;
	my $few = profiles([99], qw(Rscript --vanilla),
		"$bench->{source}/bench_r.R", 120, 4)->{99};
	my (@together, @script);
	for (0 .. $Cost::RUNS - 1) {
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
