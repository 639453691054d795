# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Whether profiles are right: exact against the ground truth, and whole.
#
# Nothing is timed here, so both languages are measured at once.
package Right;
use strict;
use warnings;

my $ENOUGH = 3000;    # samples that have to fall into the leaves

sub exact {
	my ($bench) = @_;
	local %ENV = (%ENV, JPBPF => $bench->{jpbpf}, FREQUENCY => 999,
		PROGRAMS => $bench->{programs}, DURATION => 8);
	my @run = map { [$_->[0], Run::start($bench->{truth}, $_->[1])] }
		['Tcl', 'tcl'], ['R', 'r'];
	for (@run) {
		my ($title, $pid) = @$_;
		defined Run::finish($pid, 90)
			or die "$title: the ground truth did not end\n";
		my $said = Run::said($pid);
		my ($good, $all) = $said =~ m{^exact/total = (\d+)/(\d+)}m
			or die "$title: ", $said =~ s/^# .*\n//mgr, "\n";
		Table::row("$title samples that are exact", "$good/$all",
			'samples', "all of >= $ENOUGH",
			$good == $all && $all >= $ENOUGH ? 'pass' : 'miss');
		my @bad = $said =~ /^not ok - (.*)/mg or next;
		my $more = @bad > 5 ? ' and ' . (@bad - 5) . ' more' : '';
		splice @bad, 5 if $more;
		Table::note("$title, not exact: " . join(', ', @bad) . $more);
	}
}

sub roots {
	my ($bench) = @_;
	my ($source, $seconds) = ($bench->{source}, 5);
	my @target = (
		['Tcl', Run::start('tclsh8.6', "$source/bench_busy.tcl", 60)],
		['R', Run::start(qw(Rscript --vanilla), "$source/bench_busy.R",
			60)],
	);
	sleep 1;    # their start is not what is asked for
	my @run = map { Run::start($bench->{jpbpf}, '--stats', '-p', $_->[1],
		qw(-F 999 -d), $seconds, '-o', '/dev/null') } @target;
	for (0 .. $#run) {
		my $title = $target[$_][0];
		my $status = Run::finish($run[$_], 60);
		my $said = Run::said($run[$_]);
		defined $status && $status == 0
			or die "$title: the profiler failed: $said\n";
		my $p = Profile::parse($said);
		Table::row("$title stacks that reach the root",
			int(10000 * $p->{root} / $p->{walked}) / 100,
			'%', '>= 99.9');
		Table::row("$title samples taken", $p->{taken}, 'samples');
		Table::row("$title $_", $p->{status}{$_}, 'times') for
			grep { $p->{status}{$_} } sort keys %{$p->{status}};
	}
	Run::stop($_->[1]) for @target;
}

1;
