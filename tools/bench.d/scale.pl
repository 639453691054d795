# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# How the cost grows: with the depth of the stack, with the number of processes
# that are followed, with the frequency.  Each is a curve, see plot.pl.
package Scale;
use strict;
use warnings;
use File::Copy ();
use List::Util qw(sum0);
use Time::HiRes qw(sleep time);

my @DEPTHS = (10, 30, 100, 300, 1000, 4000);
my @PROCESSES = (1, 10, 100, 300, 1000);
my @FREQUENCIES = (99, 499, 999, 4999, 9999);
my $STARTS = 3;
my $BUSY = 2;          # processes that work, in what is measured below
my $SETTLED = 2;       # s after which a run has nothing more to set up
my $MEASURED = 8;      # s of its work that are measured

sub frames {
	my ($bench) = @_;
	my @points;
	for my $depth (@DEPTHS) {
		my $p = Frames::profiles([999], "$bench->{programs}/deep",
			120, '/dev/null', $depth)->{999};
		my $us = Profile::median_of('median', @$p);
		Table::row("sample of $depth native calls, 999 Hz, median",
			$us, 'us');
		push @points, [Profile::median_of('native', @$p), $us];
	}
	Plot::curve('native frames', 'us a sample', \@points);
}

# Processes at work, and so many that sleep.
sub crowd {
	my ($bench, $idle) = @_;
	my $tcl = $bench->{source};
	my @busy = map { Run::target('tclsh8.6', "$tcl/bench_tcl.tcl", 600) }
		1 .. $BUSY;
	my @idle = map { Run::start('tclsh8.6', "$tcl/bench_idle.tcl") }
		1 .. $idle;
	my $end = time + 60;
	for my $pid (@idle) {
		sleep 0.02 while time < $end &&
			!grep { /libtcl/ } Run::slurp("/proc/$pid/maps");
	}
	sleep 0.5;
	return (@busy, @idle);
}

sub processes {
	my ($bench) = @_;
	my (@starts, @memory);
	for my $n (@PROCESSES) {
		my @pids = crowd($bench, $n);
		my @p = Profile::runs($STARTS, undef, 99, 1);
		Run::stop_all(@pids);
		my $ms = Profile::median_of('first_ms', @p);
		my $mib = Profile::median_of('resident', @p) / 1024;
		Table::row("whole host with $n Tcl processes, first sample " .
			"after, median of $STARTS", $ms, 'ms',
			$n == 300 ? '<= 300' : '');
		Table::row("agent's resident memory with $n Tcl processes",
			$mib, 'MiB', $n == 1000 ? '<= 64' : '');
		push @starts, [$n, $ms];
		push @memory, [$n, $mib];
	}
	Plot::curve('processes', 'ms to the first sample', \@starts);
	Plot::curve('processes', 'MiB resident', \@memory);
}

# What a process has in memory, in MiB: all; what is nobody else's.  In all, the ring
# buffer counts twice, because its pages are mapped twice, one behind the other.
sub resident {
	my ($pid) = @_;
	my $status = Run::slurp("/proc/$pid/status");
	my ($all) = $status =~ /^VmRSS:\s*(\d+)/m;
	my ($own) = $status =~ /^RssAnon:\s*(\d+)/m;
	return (($all // 0) / 1024, ($own // 0) / 1024);
}

# Many processes that map many files, each of which some others map as well.
sub files {
	my ($bench) = @_;
	my ($targets, $files, $each) = (1000, 2000, 10);
	my $folder = "$bench->{tmp}/files";
	mkdir $folder or die "$folder: $!\n";
	File::Copy::copy("$bench->{programs}/first_late.so", "$folder/$_.so") or
		die "$folder: $!\n" for 1 .. $files;
	my @idle = map {
		my $first = 2 * $_;
		Run::start("$bench->{programs}/bounds", 'hold', map {
			"$folder/" . (($first + $_) % $files + 1) . '.so'
		} 1 .. $each);
	} 1 .. $targets;
	my $busy = Run::target('tclsh8.6', "$bench->{source}/bench_tcl.tcl", 600);
	my $end = time + 60;
	for my $pid (@idle) {
		sleep 0.02 while time < $end && Run::said($pid) !~ /ready/;
	}
	my $pid = Run::start($bench->{jpbpf}, '--stats', '-p',
		join(',', $busy, @idle), '-d', $SETTLED + $MEASURED,
		'-o', "$bench->{tmp}/files.folded");
	sleep $MEASURED;
	my ($all, $own) = resident($pid);
	my $status = Run::finish($pid, 60);
	Run::stop_all($busy, @idle);
	unlink glob "$folder/*";
	defined $status && !$status or die 'the profiler ended badly: ' .
		Run::said($pid);
	my $p = Profile::parse(Run::said($pid));
	$p->{files} >= $files or die "only $p->{files} files were looked at\n";
	my $title = "$targets targets that map $files files";
	Table::row("agent's resident memory, $title", $all, 'MiB', '<= 64');
	Table::row("of it its own, $title", $own, 'MiB');
	Table::row("most that was resident, $title", $p->{resident} / 1024, 'MiB');
	Table::row("unwind tables, $title", $p->{tables} / 1024, 'MiB');
}

# CPU time of a process so far, and of what it started and has ended, in ns.
sub cpu_ns {
	my ($pid) = @_;
	my @field = split ' ', Run::slurp("/proc/$pid/stat") =~ s/^.*\)//r;
	return sum0(map { (split ' ', Run::slurp($_))[0] // 0 }
		glob "/proc/$pid/task/*/schedstat") +
		1e7 * (($field[13] // 0) + ($field[14] // 0));
}

# What the agent takes at its work on the whole host: of a CPU, in percent; of memory,
# as resident() says.
sub agent_share {
	my ($bench, $hz, @to) = @_;
	my $pid = Run::start($bench->{jpbpf}, @to, '--stats', '-F', $hz, '-d',
		$SETTLED + $MEASURED + 2);
	sleep $SETTLED;
	my ($before, $from) = (cpu_ns($pid), time);
	sleep $MEASURED;
	my $share = 100 * (cpu_ns($pid) - $before) / ((time - $from) * 1e9);
	my ($all, $own) = resident($pid);
	my $status = Run::finish($pid, 60);
	defined $status && !$status or die 'the profiler ended badly: ' .
		Run::said($pid);
	return ($share, $all, $own, Profile::parse(Run::said($pid)));
}

sub frequencies {
	my ($bench) = @_;
	my @pids = crowd($bench, 0);
	my $seconds = $SETTLED + $MEASURED + 2;
	my (@agent, @kernel);
	for my $hz (@FREQUENCIES) {
		my ($share, $all, $own, $p) = agent_share($bench, $hz, '-o',
			"$bench->{tmp}/scale.folded");
		my $ns = sum0(map { $_->{ns} } values %{$p->{program}});
		my $kernel = $ns / ($seconds * 1e7);
		Table::row("agent at $hz Hz, $BUSY busy processes", $share,
			'% of one CPU', $hz == 99 ? '<= 0.3' : '');
		Table::row("BPF at $hz Hz, $BUSY busy processes", $kernel,
			'% of one CPU');
		Table::row("samples lost at $hz Hz",
			100 * $p->{lost} / ($p->{taken} || 1), '%');
		Table::row("agent's resident memory at $hz Hz", $all, 'MiB');
		Table::row("of it its own at $hz Hz", $own, 'MiB');
		push @agent, [$hz, $share];
		push @kernel, [$hz, $kernel];
	}
	Run::stop_all(@pids);
	Plot::curve('Hz', 'agent, % of a CPU', \@agent);
	Plot::curve('Hz', 'BPF, % of a CPU', \@kernel);
}

1;
