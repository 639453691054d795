# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What jpbpf trace takes of each call, beside two empty probes on a function of jpbpf's own,
# and beside what Tcl and R have for it.
package Calls;
use strict;
use warnings;
use JSON::PP;
use Time::HiRes qw(sleep);

# ns of a call of leaf and of fib, while the program runs.
sub figures {
	my ($file) = @_;
	my @best = (1e9, 1e9);
	for my $round (0 .. 4) {
		unlink $file;
		my $tries = 600;
		sleep 0.05 until -s $file || !--$tries;
		$tries or die "the program says nothing\n";
		my @now = split ' ', Run::slurp($file);
		next if !$round;    # it was begun before
		$best[$_] = $now[$_] < $best[$_] ? $now[$_] : $best[$_] for 0, 1;
	}
	return @best;
}

# The same while jpbpf trace runs; its JSON besides.
sub traced {
	my ($bench, $pid, $file, @words) = @_;
	my $out = "$bench->{tmp}/calls.json";
	my $agent = Run::start($bench->{jpbpf}, 'trace', '-p', $pid, '-o', $out,
		@words);
	my $tries = 200;
	sleep 0.05 until Run::said($agent) =~ /^jpbpf: tracing/m || !--$tries;
	my @got = figures($file);
	kill 'INT', $agent;
	Run::finish($agent, 30);
	return (@got, $out);
}

sub tcl {
	my ($bench) = @_;
	my $file = "$bench->{tmp}/calls.tcl";
	my @program = ('tclsh8.6', "$bench->{source}/bench_calls.tcl", $file);
	my $own = Run::start(@program, 'trace');
	my (undef, $trace) = figures($file);
	Run::stop($own);
	my $pid = Run::start(@program);
	my ($leaf, $fib) = figures($file);
	my ($other) = traced($bench, $pid, $file, 'tcl:none');
	my ($chosen, $all, $out) = traced($bench, $pid, $file, '-f', 'json',
		'tcl:leaf', 'tcl:fib');
	my $price = decode_json(Run::slurp($out))->{price};
	my ($told) = traced($bench, $pid, $file, '-f', 'log', '--args', 3, '--value',
		'tcl:leaf');
	my ($watched) = traced($bench, $pid, $file, '--mode', 'watch', 'tcl:best');
	my $second = Run::start(@program[0, 1], "$file.2");
	my ($plain) = figures("$file.2");
	my ($beside) = (traced($bench, $pid, "$file.2", 'tcl:*'))[0];
	Run::stop_all($pid, $second);
	Table::row('two empty probes', $price->{nothing_ns}, 'ns');
	Table::row('a native call that is not chosen, of that',
		$price->{other_ns} / $price->{nothing_ns}, '', '<= 1.25');
	Table::row('a native call that is chosen, of that',
		$price->{chosen_ns} / $price->{nothing_ns}, '', '<= 1.6');
	Table::row('a call of Tcl', $leaf, 'ns');
	Table::row('it takes longer: not chosen', $other - $leaf, 'ns');
	Table::row('it takes longer: chosen', $chosen - $leaf, 'ns');
	Table::row('it takes longer: with words and value', $told - $leaf, 'ns');
	# Two empty probes where Tcl's calls begin and end.
	my $empty = ($other - $leaf) * $price->{nothing_ns} / $price->{other_ns};
	Table::row('  of two empty probes at its places: chosen',
		($chosen - $leaf) / $empty, '', '<= 1.6');
	Table::row('  of two empty probes at its places: with words and value',
		($told - $leaf) / $empty, '', '<= 2.2');
	Table::row("fib, all hooked, of Tcl's own trace", $all / $trace, '',
		'<= 1.3');
	Table::row('another procedure while one is watched', $watched / $leaf, '',
		'<= 1.02');
	Table::row('another process with the same library', $beside / $plain, '',
		'<= 1.02');
}

sub r {
	my ($bench) = @_;
	my $file = "$bench->{tmp}/calls.R";
	my @program = ('Rscript', '--vanilla', "$bench->{source}/bench_calls.R",
		$file);
	my $own = Run::start(@program, 'trace');
	my ($trace) = figures($file);
	Run::stop($own);
	my $pid = Run::start(@program);
	my ($leaf) = figures($file);
	my ($chosen) = traced($bench, $pid, $file, 'r:leaf');
	Run::stop($pid);
	Table::row('a call of R', $leaf, 'ns');
	Table::row('it takes longer: chosen', $chosen - $leaf, 'ns');
	Table::row("a chosen call, of R's trace()", $chosen / $trace, '', '<= 0.7');
}

1;
