# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a program that raises 10,000 errors a second loses to having them shown: CPU time
# of it and of the profiler, with and without, in turn.
package Errors;
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my ($ROUNDS, $INTERVAL) = (4, 3);

# Percent of a CPU that the processes take.
sub share {
	my (@pids) = @_;
	my ($before, $from) = (0, time);
	$before += Scale::cpu_ns($_) for @pids;
	sleep $INTERVAL;
	my $ns = -$before;
	$ns += Scale::cpu_ns($_) for @pids;
	return $ns / ((time - $from) * 1e7);
}

sub rate {
	my ($bench) = @_;
	my $pid = Run::start('tclsh8.6', "$bench->{source}/bench_errors.tcl");
	my ($with, $without) = (0, 0);
	sleep 1;
	for (1 .. $ROUNDS) {
		$without += share($pid) / $ROUNDS;
		my $agent = Run::start($bench->{jpbpf}, 'errors', '-v', '-p', $pid,
			'-o', "$bench->{tmp}/errors");
		sleep 0.05 until Run::said($agent) =~ / probe in /;
		sleep 0.5;
		$with += share($pid, $agent) / $ROUNDS;
		Run::stop($agent);
	}
	Run::stop($pid);
	Table::row('10,000 errors a second, not shown', $without, '% of one CPU');
	Table::row('the same, and what shows them', $with, '% of one CPU');
	Table::row('that is', $with - $without, '% of one CPU', '<= 5');
}

1;
