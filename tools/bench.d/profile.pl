# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# One run of the profiler, as numbers: reads what --stats prints at the end.
package Profile;
use strict;
use warnings;
use List::Util qw(sum0);

our $jpbpf;
my $tmp;
my $serial = 0;

sub begin {
	my ($bench) = @_;
	($jpbpf, $tmp) = @{$bench}{qw(jpbpf tmp)};
}

# Profiles a process, or the whole host (undef), at a frequency, or by an event that has
# none (undef), with more options where they are given; returns what parse() does, and the
# file of folded stacks.
sub run {
	my ($pid, $frequency, $seconds, @more) = @_;
	my $folded = "$tmp/" . ++$serial . '.folded';
	my ($status, $said) = Run::output($seconds + 30, $jpbpf, '--stats',
		defined $pid ? ('-p', $pid) : (),
		defined $frequency ? ('-F', $frequency) : (), '-d', $seconds,
		'-o', $folded, @more);
	$status == 0 or die "$jpbpf ended with status $status: $said";
	my $p = parse($said);
	$p->{kept} or die "$jpbpf took no sample: $said";
	return { %$p, folded => $folded, seconds => $seconds };
}

# Several short runs one after the other.
sub runs {
	my ($n, $pid, $frequency, $seconds, @more) = @_;
	return map { run($pid, $frequency, $seconds, @more) } 1 .. $n;
}

# Times in us; memory in KiB; frames as the mean of a sample.
sub parse {
	my ($text) = @_;
	my %p = (status => {}, program => {}, walks => []);

	($p{taken}, $p{kept}, $p{lost}) = ($1, $2, $3)
		if $text =~ /samples: (\d+) taken, (\d+) kept, (\d+) lost/;
	($p{root}, $p{walked}) = ($1, $2)
		if $text =~ /reached the root: (\d+) of (\d+)/;
	$p{mean} = $1 if $text =~ /cost: ([\d.]+) us a sample/;
	$p{first_ms} = $1 if $text =~ /stats: first sample after ([\d.]+) ms/;
	($p{resident}, $p{maps}, $p{tables}) = ($1, $2, $3) if $text =~
		/stats: agent resident (\d+) KiB, maps (\d+) KiB, tables (\d+)/;
	($p{files}, $p{rows}, $p{build_ms}) = ($1, $2, $3) if $text =~
		/stats: (\d+) files, \d+ tables, (\d+) rows in ([\d.]+) ms/;
	($p{bytes}, $p{records}) = ($1, $2)
		if $text =~ /stats: (\d+) bytes in (\d+) records/;
	($p{native}, $p{script}) = ($1, $2) if $text =~
		/stats: (\d+) native and (\d+) interpreter frames/;
	$p{program}{$1} = { insns => $2, runs => $3, ns => $4 } while $text =~
		/stats: program (\w+): (\d+) instructions verified, (\d+) runs, (\d+) ns/g;
	push @{$p{walks}}, [$1, $2]
		while $text =~ /stats: walk (\d+) ns: (\d+)/g;
	$p{status}{$1} = $2
		while $text =~ /stats: ([A-Z][A-Z0-9_]+) (\d+)$/mg;

	my $walks = sum0(map { $_->[1] } @{$p{walks}});
	defined $p{$_} or die "no '$_' in what the profiler said: $text"
		for qw(kept root first_ms resident bytes native mean);
	$p{$_} /= $walks || 1 for qw(native script);
	$p{median} = histogram_median(@{$p{walks}}) / 1000;
	return \%p;
}

# Where half of the walks are passed, with even spread assumed in its bucket.
# Buckets: eight an octave, see cost_bucket() in jpbpf/sample.h.
sub histogram_median {
	my (@walks) = @_;
	my $half = sum0(map { $_->[1] } @walks) / 2;
	for (@walks) {
		my ($floor, $n) = @$_;
		if ($n < $half) {
			$half -= $n;
			next;
		}
		my $octave = 1;
		$octave *= 2 while $octave * 2 <= $floor;
		my $width = $floor < 16 ? 1 : $octave / 8;
		return $floor + $width * $half / $n;
	}
	return 0;
}

# The median of numbers, or of one field of profiles.
sub median {
	my @v = sort { $a <=> $b } @_;
	return @v % 2 ? $v[$#v / 2] : ($v[@v / 2 - 1] + $v[@v / 2]) / 2;
}

sub median_of {
	my ($field, @profiles) = @_;
	return median(map { $_->{$field} } @profiles);
}

# Share of samples, in percent, with a frame that one of these names is.
sub named_share {
	my ($profile, $names) = @_;
	my ($all, $named) = (0, 0);
	open my $in, '<', $profile->{folded} or die "$profile->{folded}: $!\n";
	while (<$in>) {
		my ($stack, $count) = /^(.*) (\d+)$/ or next;
		$all += $count;
		$named += $count if grep { /^(?:$names)$/ } split /;/, $stack;
	}
	return $all ? 100 * $named / $all : 0;
}

1;
