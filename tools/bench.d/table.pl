# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The results: as tables for the terminal, as Markdown and as plain lines.
package Table;
use strict;
use warnings;

my (@sections, @notes, $machine);

sub machine {
	my ($bench) = @_;
	my ($kernel) = Run::slurp('/proc/sys/kernel/osrelease') =~ /(\S+)/;
	my ($cpu) = Run::slurp('/proc/cpuinfo') =~ /^model name\s*: (.*)/m;
	my $cpus = () = Run::slurp('/proc/cpuinfo') =~ /^processor/mg;
	my ($load) = split ' ', Run::slurp('/proc/loadavg');
	my (undef, $version) = Run::output(10, $bench->{jpbpf}, '--version');
	chomp $version;
	$cpu //= 'unknown CPU';
	$machine = "$version; Linux $kernel; $cpu, $cpus CPUs; " .
		"load before the run $load";
}

sub section {
	push @sections, { title => shift, rows => [] };
}

sub note {
	my ($text) = @_;
	chomp $text;
	push @notes, $text;
}

# A number to three significant digits, as a person would write it.
sub digits {
	my ($v) = @_;
	return sprintf abs($v) >= 100 || $v == int $v ? '%.0f'
		: abs($v) >= 10 ? '%.1f' : '%.2f', $v;
}

# "<= 3", ">= 99.9": whether the value is there; no target, no verdict.
sub verdict {
	my ($value, $target) = @_;
	my ($op, $bound) = $target =~ /^([<>]=) ([\d.]+)$/ or return '';
	return ($op eq '<=' ? $value <= $bound : $value >= $bound) ? 'pass'
								   : 'miss';
}

# Name, value, unit, target; a fifth argument is the verdict when the target is
# not a bound.
sub row {
	my ($name, $value, $unit, $target, $verdict) = @_;
	$target //= '';
	$verdict //= verdict($value, $target);
	$value = digits($value) if $value =~ /^-?\d+\.\d{3,}(e.*)?$/;
	push @{$sections[-1]{rows}}, [$name, $value, $unit, $target, $verdict];
}

# One measure of several programs: a row of a table with a column for each.
sub across {
	my ($name, $unit, $by) = @_;
	my $section = $sections[-1];
	$section->{across} //= [map { $_->[0] } @$by];
	push @{$section->{rows}}, [$name, $unit, map { $_->[1] } @$by];
}

sub header {
	my ($section) = @_;
	return $section->{across} ? ('', 'unit', @{$section->{across}})
				  : ('', 'value', 'unit', 'target', '');
}

# The first column to the left, numbers to the right, words to the left.
sub print_terminal {
	for my $section (@sections) {
		my @lines = ([header($section)], @{$section->{rows}});
		my @width = (0) x @{$lines[0]};
		for my $line (@lines) {
			for (0 .. $#$line) {
				my $n = length $line->[$_];
				$width[$_] = $n if $n > $width[$_];
			}
		}
		my %right = map { $_ => 1 } $section->{across}
			? 2 .. $#width : (1);
		print "\n$section->{title}\n";
		for my $line (@lines) {
			my $text = join '  ', map {
				my $left = $right{$_} ? '' : '-';
				sprintf "%$left$width[$_]s", $line->[$_];
			} 0 .. $#$line;
			print '  ', $text =~ s/ +$//r, "\n";
		}
	}
	print "\n";
	print_wrapped('', $_) for $machine, @notes;
}

sub print_wrapped {
	my ($line, $text) = @_;
	for my $word (split ' ', $text) {
		if (length("$line $word") > 79) {
			print "$line\n";
			$line = " ";
		}
		$line .= $line eq '' ? $word : " $word";
	}
	print "$line\n";
}

sub markdown {
	my $out = '';
	for my $section (@sections) {
		my @header = header($section);
		$header[0] = $section->{title};
		my @align = map { /^(value|jpbpf|perf .*)$/ ? '---:' : '---' }
			@header;
		$out .= join '', map { '| ' . join(' | ', @$_) . " |\n" }
			\@header, \@align, @{$section->{rows}};
		$out .= "\n";
	}
	return $out . join '', map { "$_\n\n" } $machine, @notes;
}

sub plain {
	my @lines;
	for my $section (@sections) {
		for my $row (@{$section->{rows}}) {
			if (!$section->{across}) {
				push @lines, join "\t", @$row;
				next;
			}
			my ($name, $unit, @values) = @$row;
			push @lines, map { join "\t", "$name, " .
				"$section->{across}[$_]", $values[$_], $unit,
				'', '' } 0 .. $#values;
		}
	}
	return join '', map { "$_\n" } @lines;
}

sub finish {
	my ($out) = @_;
	print_terminal();
	Run::spew("$out/results.txt", plain());
	Run::spew("$out/measured.md", markdown());
}

1;
