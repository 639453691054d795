#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What the cache lines are that a sample touches, of what test_cost.sh has left.
#
#   lines.pl FOLDER           for each scene: NAME LINES CODE KERNEL MAPS TARGET TABLES
#   lines.pl FOLDER SCENE     the same for each function, the one with most lines first
#
# FOLDER is $BUILD/vm/results/cost-KERNEL, SCENE one of native, tcl, tcl--lines, r and
# r--lines.  A function has the lines of its own code and those of data that it was the
# first to access, or the first of BPF code.  `| sort -rnk 3` sorts by code, 5 by maps.
#
# A line is
#   code     of BPF programs
#   target   of a page of the target, by the target's address or in the direct map
#   tables   other memory in the direct map that direct_*() reads: page tables
#   maps     in the vmalloc area, or other memory in the direct map that BPF code
#            accesses; this has the interrupted registers among it
#   kernel   all other: the kernel's code, its data, the stack, BPF code's too
# The places of these areas are those of x86-64 with four levels of page tables and
# without KASLR.  One line counts once under whichever address it was accessed.
use strict;
use warnings;
no warnings 'portable';

my @KINDS  = qw(code kernel maps target tables);
my $PAGE   = 12;           # bits of an address in a page
my $USER   = 1 << 47;
my $DIRECT = 0xffff888000000000;
my $MALLOC = 0xffffc90000000000;
my $MEMMAP = 0xffffea0000000000;
my $STACK  = 12 << 10;    # that a sample uses at most

sub lines_of {
	my ($file) = @_;
	open(my $in, '<', $file) or die "lines: $file: $!\n";
	chomp(my @lines = <$in>);
	return @lines;
}

# What lines_go told of each scene.
sub scenes {
	my @scenes;
	for (lines_of("$_[0]/asked")) {
		my ($what, $name, $value) = split;
		if ($what eq 'scene') {
			push @scenes, { name => $name, samples => [] };
		} elsif ($what eq 'symbol') {
			$scenes[-1]{symbol}{ hex $name } = $value;
		} else {
			$scenes[-1]{page}{ hex($name) >> $PAGE } = hex $value;
			$scenes[-1]{is_frame}{ hex $value } = 1;
		}
	}
	return @scenes;
}

# Adds what the plugin logged: in its order, which is that of the scenes.
sub read_log {
	my ($folder, @scenes) = @_;
	my $scene;
	for (lines_of("$folder/lines")) {
		my ($what, $address, $pc) = split;
		if ($what eq 'go') {
			$scene = shift @scenes;
		} elsif ($what eq 'sample') {
			push @{ $scene->{samples} }, { stack => hex $address };
		} else {
			push @{ $scene->{samples}[-1]{lines} },
				[$what, hex $address, hex $pc];
		}
	}
}

# The last of the sorted functions that begins at or before the address.
sub function {
	my ($functions, $address) = @_;
	my ($low, $high) = (0, scalar @$functions);
	while ($high - $low > 1) {
		my $middle = $low + $high >> 1;
		($functions->[$middle][0] <= $address ? $low : $high) = $middle;
	}
	return $functions->[$low][1];
}

# Where in memory the line is, if that is known; else its address.
sub place {
	my ($scene, $address) = @_;
	my $frame = $scene->{page}{ $address >> $PAGE };
	return $address unless defined $frame;
	return $DIRECT + ($frame << $PAGE) + ($address & (1 << $PAGE) - 1);
}

sub kind {
	my ($scene, $sample, $line, $owner) = @_;
	my ($what, $address, $pc) = @$line;
	my $is_bpf = $pc >> 30 == $scene->{bpf};
	return $is_bpf ? 'code' : 'kernel' if $what eq 'c';
	my $below = $sample->{stack} - $address;
	return 'kernel' if $below > -64 && $below < $STACK;
	return 'target' if $address < $USER;
	if ($address >= $DIRECT && $address < $MALLOC) {
		return 'target' if $scene->{is_frame}{ $address - $DIRECT >> $PAGE };
		return 'kernel' unless $is_bpf;
		return $owner =~ /^direct_/ ? 'tables' : 'maps';
	}
	return $address >= $MALLOC && $address < $MEMMAP ? 'maps' : 'kernel';
}

# Mean lines of a sample: {OWNER}{KIND}.
sub count {
	my ($scene, @kernel) = @_;
	my $bpf = $scene->{symbol};
	my @functions = sort { $a->[0] <=> $b->[0] } @kernel,
		map { [$_, "bpf:$bpf->{$_}"] } keys %$bpf;
	($scene->{bpf}) = map { $_ >> 30 } keys %$bpf;
	my %count;
	for my $sample (@{ $scene->{samples} }) {
		my %seen;
		for my $line (@{ $sample->{lines} }) {
			next if $seen{ $line->[0] . place($scene, $line->[1]) }++;
			my $owner = function(\@functions, $line->[2]) =~ s/^bpf://r;
			$count{$owner}{ kind($scene, $sample, $line, $owner) } +=
				1 / @{ $scene->{samples} };
		}
	}
	return \%count;
}

sub sum { my $sum = 0; $sum += $_ for values %{ $_[0] }; return $sum }

sub row {
	my ($name, $kinds) = @_;
	return join(' ', $name, map { sprintf '%6.0f', $_ } sum($kinds),
		map { $_ // 0 } @$kinds{@KINDS}) . "\n";
}

my ($folder, $wanted) = @ARGV;
die "usage: lines.pl FOLDER [SCENE]\n" unless @ARGV == 1 || @ARGV == 2;
my @kernel = map { [hex((split)[0]), (split)[2]] } lines_of("$folder/kernel");
my @scenes = scenes($folder);
read_log($folder, @scenes);
for my $scene (grep { !defined $wanted || $_->{name} eq $wanted } @scenes) {
	my ($count, %all) = count($scene, @kernel);
	for my $kinds (values %$count) {
		$all{$_} += $kinds->{$_} for keys %$kinds;
	}
	print row($scene->{name}, \%all);
	next unless defined $wanted;
	print row(sprintf('%-28s', $_), $count->{$_})
		for sort { sum($count->{$b}) <=> sum($count->{$a}) || $a cmp $b } keys %$count;
}
