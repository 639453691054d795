# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The curves as one picture, by gnuplot: out/scale.svg, and the points it is drawn
# from in out/scale.dat.
package Plot;
use strict;
use warnings;

my @curves;

# Points are pairs; both axes are logarithmic.
sub curve {
	my ($x, $y, $points) = @_;
	push @curves, { x => $x, y => $y,
		points => [grep { $_->[0] > 0 && $_->[1] > 0 } @$points] };
}

# Blocks of the file are what gnuplot calls an index.
sub data {
	return join "\n\n", map {
		"# $_->{x}; $_->{y}\n" .
		join '', map { "$_->[0] $_->[1]\n" } @{$_->{points}}
	} @curves;
}

sub script {
	my ($out) = @_;
	my $rows = int((@curves + 1) / 2);
	my $text = "set terminal svg size 900," . 330 * $rows .
		" enhanced background rgb 'white'\n" .
		"set output '$out/scale.svg'\n" .
		"set multiplot layout $rows,2\n" .
		"set logscale xy\nset grid\nset key off\n";
	for my $i (0 .. $#curves) {
		$text .= "set xlabel '$curves[$i]{x}'\n" .
			"set ylabel '$curves[$i]{y}'\n" .
			"plot '$out/scale.dat' index $i " .
			"with linespoints pointtype 7\n";
	}
	return $text . "unset multiplot\n";
}

sub finish {
	my ($out, $tmp) = @_;
	return unless @curves;
	Run::spew("$out/scale.dat", data());
	if (!Run::installed('gnuplot')) {
		Table::note('no picture of the curves: gnuplot is not installed');
		return;
	}
	Run::spew("$tmp/scale.gp", script($out));
	my ($status, $said) = Run::output(60, 'gnuplot', "$tmp/scale.gp");
	Table::note($status ? "no picture of the curves: $said"
		: "The curves are drawn in $out/scale.svg.");
}

1;
