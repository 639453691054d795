# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a target loses to being profiled.
#
# One process does equal units of work on demand, through two fifos, while the
# profiler comes and goes.  Intervals of a second follow each other in mirrored
# order (off on, on off), so that a drift of the machine falls on both sides;
# the extra conditions stand behind them in every second pair of rounds.  Each
# interval gives the CPU time of a unit: the process sleeps when its clock is
# read, so that it is exact, and what neighbours on the machine take is not in
# it.  A sample is: it is taken in an interrupt, which the kernel charges to the
# interrupted process unless it keeps the time of interrupts apart; then elapsed
# time counts instead.
#
# Intervals of a round are divided, on by off.  Printed is the geometric mean of
# these ratios, with the 95 % confidence interval by Student's t on their
# logarithms.
package Slowdown;
use strict;
use warnings;
use Fcntl qw(O_RDWR);
use List::Util qw(sum0);
use POSIX qw(mkfifo);
use Time::HiRes qw(clock_gettime sleep time CLOCK_MONOTONIC);

my $ROUNDS = 12;
my $INTERVAL = 1;     # s
my $SETTLE = 0.25;    # s of work before an interval, and after a start
my $NOTICED = '< 1.002';

# Student's t, 97.5 %, by degrees of freedom.
my @t = (undef, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
	2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093);

my $irq_apart;

sub tcl {
	my ($bench) = @_;
	compare($bench, 'Tcl', ["tclsh8.6", "$bench->{source}/bench_units.tcl"],
		['the profiler at 99 Hz', profiler($bench, 99), $NOTICED],
		['the profiler at 99 Hz, --lines',
			profiler($bench, 99, '--lines')],
		['the profiler at 999 Hz', profiler($bench, 999)]);
}

sub r {
	my ($bench) = @_;
	compare($bench, 'R', [qw(Rscript --vanilla),
			"$bench->{source}/bench_units.R"],
		['the profiler at 99 Hz', profiler($bench, 99), $NOTICED],
		['Rprof every 20 ms', rprof($bench)],
		['the profiler at 999 Hz', profiler($bench, 999)]);
	Table::note("Slowdown: $ROUNDS pairs of intervals of $INTERVAL s, half " .
		'of that in rows without a target; geometric mean of the ' .
		'ratios and 95 % confidence interval (Student\'s t on their ' .
		'logarithms); ' . ($irq_apart ? 'elapsed' : 'CPU') . ' time ' .
		'of the target for a unit of work.  In a row of the middle ' .
		'half, only the units of an interval between its quartiles ' .
		'count.  Not measurable: the interval begins below 1.002.');
}

# A way to be profiled: what switches it on, and what switches it off again and
# dies when it was not on for so many seconds.
sub profiler {
	my ($bench, $hz, @more) = @_;
	my $pid;
	my $on = sub {
		my ($target) = @_;
		$pid = Run::start($bench->{jpbpf}, '-p', $target->{pid},
			'-F', $hz, @more, qw(-d 60 -o /dev/null));
		my $end = time + 20;
		sleep 0.01 until sampling($pid) || time > $end ||
			!readlink "/proc/$pid/exe";
	};
	my $off = sub {
		my ($target, $seconds) = @_;
		kill 'INT', $pid;
		my $status = Run::finish($pid, 20);
		my $said = Run::said($pid);
		defined $status && $status == 0
			or die "the profiler failed: $said\n";
		my ($kept) = $said =~ /samples: \d+ taken, (\d+) kept/;
		($kept // 0) >= 0.7 * $hz * $seconds
			or die "the profiler was not on: $said\n";
	};
	return { on => $on, off => $off };
}

sub sampling {
	my ($pid) = @_;
	return grep { (readlink($_) // '') =~ /\[perf_event\]/ }
		glob "/proc/$pid/fd/*";
}

sub rprof {
	my ($bench) = @_;
	my $file = "$bench->{tmp}/Rprof.out";
	my $on = sub { ask($_[0], "Rprof $file") };
	my $off = sub {
		ask($_[0], 'Rprof');
		my $ticks = () = Run::slurp($file) =~ /"down"/g;
		$ticks or die "Rprof took no sample\n";
		unlink $file;
	};
	return { on => $on, off => $off };
}

sub compare {
	my ($bench, $title, $command, @ways) = @_;
	$irq_apart //= Run::slurp('/proc/kallsyms') =~ /\birqtime_account_irq\b/;
	my $target = begin($bench, @$command);
	my $ratio = eval { rounds($target, @ways) };
	my $why = $@;
	finish($target);
	$ratio or die $why;
	for (@ways) {
		my ($way, undef, $bound) = @$_;
		my $name = "$title run time with $way, ratio";
		row($name, $bound, @{$ratio->{mean}{$way}});
		row("$name, middle half", $bound, @{$ratio->{middle}{$way}});
	}
}

# The logarithms of the ratios, by mean or middle and by way.
sub rounds {
	my ($target, @ways) = @_;
	units($target, 1);    # its start, and what it does once
	my %ratio;
	for my $round (0 .. $ROUNDS - 1) {
		my @way = grep { $_->[2] || $round % 4 < 2 } @ways;
		my @order = ([off => undef], @way);
		@order = reverse @order if $round % 2;
		my %cost = map {
			$_->[0] => interval($target, $_->[1])
		} @order;
		for my $way (map { $_->[0] } @way) {
			push @{$ratio{$_}{$way}}, log($cost{$way}{$_} /
				$cost{off}{$_}) for qw(mean middle);
		}
	}
	return \%ratio;
}

sub row {
	my ($name, $bound, @logs) = @_;
	my ($ratio, $from, $to) = interval_of(@logs);
	my $verdict = '';
	$verdict = $from < 1.002 ? 'pass' : 'miss' if $bound;
	Table::row($name, sprintf('%.4f (%.4f - %.4f)', $ratio, $from, $to),
		'on/off', $bound ? "low end $bound" : '', $verdict);
}

# Geometric mean and its 95 % confidence interval.
sub interval_of {
	my (@logs) = @_;
	my $n = @logs;
	my $mean = sum0(@logs) / $n;
	my $variance = sum0(map { ($_ - $mean)**2 } @logs) / ($n - 1);
	my $half = $t[$n - 1] * sqrt($variance / $n);
	return map { exp } $mean, $mean - $half, $mean + $half;
}

# The cost of a unit, in s: of all of them, and of the middle half of them.
sub interval {
	my ($target, $way) = @_;
	$way->{on}->($target) if $way;
	units($target, $SETTLE);
	my @unit = units($target, $INTERVAL);
	$way->{off}->($target, sum0(@unit)) if $way;
	my $quarter = int(@unit / 4);
	my @middle = (sort { $a <=> $b } @unit)[$quarter .. $#unit - $quarter];
	return {
		mean   => sum0(@unit) / @unit,
		middle => sum0(@middle) / @middle,
	};
}

# Has units done for so long; the cost of each.
sub units {
	my ($target, $seconds) = @_;
	my @unit;
	my $end = time + $seconds;
	my $before = now($target);
	while (time < $end) {
		ask($target, 'unit');
		my $after = now($target);
		push @unit, $after - $before;
		$before = $after;
	}
	return @unit;
}

# The target's clock: all CPU time of a process is clock ~PID * 8 + 2, see
# MAKE_PROCESS_CPUCLOCK() in Linux' include/linux/posix-timers.h.
sub now {
	my ($target) = @_;
	return clock_gettime($irq_apart ? CLOCK_MONOTONIC
		: (~$target->{pid} << 3) | 2);
}

sub begin {
	my ($bench, @command) = @_;
	my @fifo = map { "$bench->{tmp}/units-$_" } qw(in out);
	my %target;
	for (0, 1) {
		mkfifo($fifo[$_], 0600) or die "$fifo[$_]: $!\n";
		# Both ways, so that neither side waits for the other.
		sysopen $target{(qw(to from))[$_]}, $fifo[$_], O_RDWR
			or die "$fifo[$_]: $!\n";
	}
	$target{pid} = Run::start(@command, @fifo);
	$target{fifos} = \@fifo;
	return \%target;
}

# Sends a line and waits for the answer.
sub ask {
	my ($target, $line) = @_;
	syswrite $target->{to}, "$line\n";
	for (1 .. 20) {
		my $ready = '';
		vec($ready, fileno $target->{from}, 1) = 1;
		if (select($ready, undef, undef, 1) > 0) {
			sysread $target->{from}, my $answer, 100;
			return;
		}
		last if defined Run::finish($target->{pid}, 0.05);
	}
	die 'the target does not answer: ', Run::said($target->{pid}), "\n";
}

sub finish {
	my ($target) = @_;
	Run::stop($target->{pid});
	unlink @{$target->{fifos}};
}

1;
