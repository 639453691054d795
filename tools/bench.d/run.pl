# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Processes that this run starts, and what must be undone whatever ends it.
#
# Each child leads a process group of its own, so that its own children end with
# it, and ^C comes to us alone.
package Run;
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX qw(WNOHANG setpgid);
use Time::HiRes qw(sleep time);

my $STATS = '/proc/sys/kernel/bpf_stats_enabled';
my $main = $$;
my (%running, $stats_before, $tmp);

sub slurp {
	my ($file) = @_;
	open my $in, '<', $file or return '';
	local $/;
	return scalar(<$in>) // '';
}

sub spew {
	my ($file, $text) = @_;
	open my $out, '>', $file or die "$file: $!\n";
	print $out $text;
	close $out or die "$file: $!\n";
}

# Makes the folder for temporary files and has the kernel time BPF programs.
sub begin {
	for my $name (qw(INT TERM HUP)) {
		my $status = { INT => 130, TERM => 143, HUP => 129 }->{$name};
		$SIG{$name} = sub { exit $status };
	}
	$tmp = tempdir('jpbpf-bench-XXXXXX', TMPDIR => 1);
	$ENV{TMPDIR} = $tmp;    # what R leaves behind when it is killed
	$ENV{LC_ALL} = 'C';
	if (slurp($STATS) =~ /^0/) {
		$stats_before = '0';
		spew($STATS, '1');
	}
	return $tmp;
}

# Starts a command; its output goes to a file, see said().
sub start {
	my (@command) = @_;
	my $pid = fork // die "fork: $!\n";
	if ($pid) {
		setpgid($pid, $pid);
		$running{$pid} = "@command";
		return $pid;
	}
	$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
	setpgid(0, 0);
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', "$tmp/$$.out";
	open STDERR, '>&', \*STDOUT;
	exec { $command[0] } @command or print "$command[0]: $!\n";
	POSIX::_exit(127);
}

sub said {
	my ($pid) = @_;
	return slurp("$tmp/$pid.out");
}

# Waits for the end; the exit status, 128 + N after signal N, undef when the
# time is over.
sub finish {
	my ($pid, $seconds) = @_;
	my $end = time + $seconds;
	while (time < $end) {
		if (waitpid($pid, WNOHANG) == $pid) {
			my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
			kill 'KILL', -$pid;    # whom it left behind
			delete $running{$pid};
			return $status;
		}
		sleep 0.02;
	}
	return undef;
}

sub stop {
	my ($pid) = @_;
	return unless $running{$pid};
	kill 'TERM', -$pid;
	return if defined finish($pid, 5);
	kill 'KILL', -$pid;
	finish($pid, 5);
}

# All of them first, so that each is not waited for alone.
sub stop_all {
	my (@pids) = @_;
	kill 'TERM', map { -$_ } grep { $running{$_} } @pids;
	stop($_) for @pids;
}

# Runs a command to its end: status and output.
sub output {
	my ($seconds, @command) = @_;
	my $pid = start(@command);
	my $status = finish($pid, $seconds);
	if (!defined $status) {
		stop($pid);
		die "$command[0] did not end within $seconds s\n";
	}
	return ($status, said($pid));
}

sub cpu_seconds {
	my ($pid) = @_;
	my @field = split ' ', slurp("/proc/$pid/stat") =~ s/^.*\)//r;
	return @field ? ($field[11] + $field[12]) / POSIX::sysconf(
		POSIX::_SC_CLK_TCK()) : 0;
}

# Starts a program to be profiled and waits until it is at its work: so much
# CPU time is more than an interpreter takes to start.
sub target {
	my (@command) = @_;
	my $pid = start(@command);
	my $end = time + 30;
	while (cpu_seconds($pid) < 0.7) {
		defined finish($pid, 0.05) || time > $end and
			die "'@command' did not get to work: " . said($pid) .
			"\n";
	}
	return $pid;
}

sub installed {
	my ($command) = @_;
	return grep { -x "$_/$command" } split /:/, $ENV{PATH};
}

END {
	if ($$ == $main) {
		my $status = $?;
		# A second ^C must not stop the cleaning.
		$SIG{$_} = 'IGNORE' for qw(INT TERM HUP);
		stop($_) for keys %running;
		spew($STATS, $stats_before) if defined $stats_before;
		if ($tmp) {
			require File::Path;
			File::Path::remove_tree($tmp);
		}
		$? = $status;
	}
}

1;
