# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# How long it takes to show the stacks of 100 threads, of which one never sleeps.
package Dump;
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my ($THREADS, $TIMES) = (100, 9);

sub median {
	my @sorted = sort { $a <=> $b } @_;
	return $sorted[$#sorted / 2];
}

sub threads {
	my ($bench) = @_;
	my $table = "$bench->{tmp}/parked";
	my $pid = Run::target("$bench->{programs}/parked", $table, $THREADS);
	my (@command, @pass, @missing);
	sleep 0.1 until -s $table;
	sleep 2;    # its main thread waits then
	for (1 .. $TIMES) {
		my $begin = time;
		my ($status, $said) = Run::output(60, $bench->{jpbpf}, qw(dump -v -p), $pid);
		push @command, 1000 * (time - $begin);
		$said =~ /look at $THREADS threads: (\d+) us, (\d+) missing/ or
			die "no dump: $said\n";
		push @pass, $1 / 1000;
		push @missing, $2;
	}
	Run::stop_all($pid);
	Table::row("a look at $THREADS threads", median(@pass), 'ms', '<= 50');
	Table::row('of these missing in the first look', median(@missing), 'threads');
	Table::row('the whole command', median(@command), 'ms', '<= 500');
}

1;
