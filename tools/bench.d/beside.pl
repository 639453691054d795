# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What a sample costs beside other programs on the same clock and the same processes, in
# turns: an empty BPF program, bpftrace with ustack, an old build if OLD names its jpbpf.
#
# Machines differ, and the same one from minute to minute: what counts is the median of the
# ratios within a turn.  The order is turned round each time.  All is by the kernel's clock:
# the time in a whole program, by the samples it took; the empty program by its runs.  Two
# processes are busy: on two CPUs few runs find an idle one.
package Beside;
use strict;
use warnings;
use List::Util qw(max min sum0);
use Time::HiRes qw(sleep);

my $TURNS = 5;
my %seconds = (99 => 2, 5000 => 1);
my $SHARE = 10;     # s in which the share of a CPU is counted
my $PERF_EVENT = 7; # BPF_PROG_TYPE_PERF_EVENT

# What is shown, and what is held against what.
my @names = ('empty', 'bpftrace', map { ($_, "$_ --lines") } qw(old new));
my @pairs = (['bpftrace', 'empty'], ['old', 'empty'], ['new', 'empty'], ['new', 'bpftrace'],
	['old --lines', 'old'], ['new --lines', 'new'], ['new', 'old'],
	['new --lines', 'old --lines']);

# Time and runs of the program on a clock that a process holds.
sub counted {
	my ($pid) = @_;
	for my $info (map { Run::slurp($_) } glob "/proc/$pid/fdinfo/*") {
		return $info =~ /^run_time_ns:\s*(\d+)\nrun_cnt:\s*([1-9]\d*)/m
			if $info =~ /^prog_type:\s*$PERF_EVENT$/m;
	}
	return;
}

# Runs a script of bpftrace; time in us and runs of its program, and what it printed.
sub bpftrace {
	my ($seconds, $script) = @_;
	# Room for a stack from each sample; the name of this has changed.  Names of
	# functions would take it minutes at the end.
	local @ENV{map { "BPFTRACE_$_" } qw(MAP_KEYS_MAX MAX_MAP_KEYS NO_USER_SYMBOLS)} =
		(20000, 20000, 1);
	my $pid = Run::start('bpftrace', '-e', $script);
	my $tries = 1000;
	sleep 0.02 until counted($pid) || !--$tries;
	$tries or die "bpftrace runs no program: " . Run::said($pid);
	sleep $seconds;
	my ($ns, $runs) = counted($pid);
	kill 'INT', $pid;
	defined Run::finish($pid, 300) or die "bpftrace does not end\n";
	return ($ns / 1000, $runs, Run::said($pid));
}

sub empty {
	my ($us, $runs) = bpftrace($seconds{$_[0]}, "profile:hz:$_[0] { }");
	return $us / $runs;
}

sub ustack {
	my ($hz, @pids) = @_;
	my $filter = join ' || ', map { "pid == $_" } @pids;
	my ($us, undef, $said) = bpftrace($seconds{$hz},
		"profile:hz:$hz /$filter/ { \@[ustack(127)] = count(); }");
	my $samples = sum0($said =~ /\]: (\d+)$/mg) or
		die "bpftrace took no sample: $said\n";
	return $us / $samples;
}

# A run of one of the builds.
sub profile {
	(local $Profile::jpbpf, my ($pids, @how)) = @_;
	return Profile::run(join(',', @$pids), @how, qw(--max-cost 100));
}

# The builds, the old one first.
sub builds {
	my ($bench) = @_;
	return ($ENV{OLD} ? ['old', $ENV{OLD}] : (), ['new', $bench->{jpbpf}]);
}

# Each way of sampling at a frequency, as us a sample: { name => [one a turn] }.
sub turns {
	my ($bench, $hz, @pids) = @_;
	my @ways = (['empty', sub { empty($hz) }], ['bpftrace', sub { ustack($hz, @pids) }]);
	for my $build (builds($bench)) {
		my ($name, $jpbpf) = @$build;
		push @ways, map { my @lines = @$_; [join(' ', $name, @lines), sub {
			Cost::by_kernel('sample', profile($jpbpf, \@pids, $hz, $seconds{$hz},
				@lines));
		}] } [], ['--lines'];
	}
	my %us;
	for (1 .. $TURNS) {
		push @{$us{$_->[0]}}, $_->[1]->() || die "no time of $_->[0] was counted\n"
			for @ways;
		@ways = reverse @ways;
	}
	return \%us;
}

# The medians, and of each pair that of the turns' ratios with the least and the most.
sub rows {
	my ($title, $us, %target) = @_;
	for my $name (grep { $us->{$_} } @names) {
		Table::row("$title: $name", Profile::median(@{$us->{$name}}), 'us',
			$target{$name});
	}
	for (@pairs) {
		my ($what, $of) = @$us{@$_};
		next unless $what && $of;
		my @by = map { $what->[$_] / $of->[$_] } 0 .. $#$what;
		my $name = "$_->[0] of $_->[1]";
		Table::row("$title: $name", Profile::median(@by), sprintf(
			'times (%.2f to %.2f)', min(@by), max(@by)), $target{$name});
	}
}

# The time in all programs of jpbpf.  Little, too, where others took the CPUs: that is shown.
sub share {
	my ($bench, $title, $target, @pids) = @_;
	for (builds($bench)) {
		my ($name, $p) = ($_->[0], profile($_->[1], \@pids, 99, $SHARE));
		Table::row("$title: $name, BPF at 99 Hz, two busy processes", Agent::share($p),
			'% of one CPU', $name eq 'new' ? $target : '');
		Table::row("$title: $name, samples these had, of all they could",
			100 * $p->{kept} / (99 * $SHARE * @pids), '%');
	}
}

# A process that leaves its CPU a thousand times a second.  By the profiler's own clock:
# the kernel's has the switches of all other processes as well.
sub waits {
	my ($bench) = @_;
	my $pid = Run::start('tclsh8.6', "$bench->{source}/bench_waits.tcl", 120);
	my %us;
	sleep 1;
	for (1 .. $TURNS) {
		push @{$us{$_->[0]}}, profile($_->[1], [$pid], undef, 1,
			qw(-e context-switches))->{mean} for builds($bench);
	}
	Run::stop($pid);
	rows('Tcl that waits, where it leaves its CPU', \%us);
}

sub all {
	my ($bench) = @_;
	return Table::note('Nothing was held beside bpftrace: it is not installed.')
		unless Run::installed('bpftrace');
	my $source = $bench->{source};
	for (	['Tcl', '<= 9', '<= 2', '<= 0.15', 'tclsh8.6', "$source/bench_tcl.tcl", 600],
		['R', '<= 15', '<= 12', '<= 0.25', qw(Rscript --vanilla),
			"$source/bench_r.R", 600]) {
		my ($title, $times, $us, $share, @command) = @$_;
		my @pids = map { Run::target(@command) } 1 .. 2;
		rows("$title at 99 Hz", turns($bench, 99, @pids),
			'new of empty' => $times, 'new --lines of new' => '<= 2');
		rows("$title at 5,000 Hz", turns($bench, 5000, @pids),
			'new' => $us, 'new --lines of new' => '<= 2');
		share($bench, $title, $share, @pids);
		Run::stop_all(@pids);
	}
	waits($bench);
	Table::note('bpftrace finds a few frames only: Tcl and R have no frame pointers.');
}

1;
