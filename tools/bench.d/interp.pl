# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What it takes an interpreter to tell its activations, and the kernel to read them; and what
# Lua loses by its example, beside an empty hook of its own.
package Interp;
use strict;
use warnings;
use Time::HiRes qw(sleep);

sub library {
	my ($bench) = @_;
	my ($status, $out) = Run::output(120, "$bench->{programs}/bench_interp", '0',
		"$bench->{jpbpf}" =~ s{jpbpf$}{libjpbpf-interp.so}r);
	die "bench_interp: $out\n" if $status;
	my %ns = map { /^(\w+) ([-\d.]+)$/ ? ($1, $2) : () } split /\n/, $out;
	Table::row('an empty call', $ns{empty}, 'ns');
	Table::row('more: enter and leave, inline', $ns{inlined}, 'ns', '<= 3');
	Table::row('more: with a position', $ns{positions}, 'ns');
	Table::row('more: enter and leave by calls of a library', $ns{shared}, 'ns', '<= 6');
	Table::row('more: entry and exit of QII', $ns{ids}, 'ns', '<= 6');
	Table::row('more: two USDT probes that are off', $ns{probes}, 'ns');
}

# ns of a sample of so many calls, median of some runs.
sub sample {
	my ($bench, $depth) = @_;
	my $pid = Run::start("$bench->{programs}/bench_interp", $depth);
	sleep 0.3;
	my ($status, $said) = Run::output(60, $bench->{jpbpf}, qw(-U -d 2 -F 999 --max-cost 100 -f folded -o),
		"$bench->{tmp}/interp", '-p', $pid);
	Run::stop($pid);
	return $said =~ /cost: .*median ([\d.]+) us/ ? $1 * 1000 : die "no cost: $said\n";
}

sub frames {
	my ($bench) = @_;
	my ($without, $with) = (sample($bench, -1000), sample($bench, 1000));
	Table::row('a sample of 1,000 native frames', $without / 1000, 'us');
	Table::row('with as many script frames', $with / 1000, 'us');
	Table::row('that is, of a script frame', ($with - $without) / 1000, 'ns', '<= 60');
}

# Seconds of a script, the best of three.
sub lua {
	my ($bench) = @_;
	my $script = 'local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end '
		. 'local began = os.clock() fib(27) print(os.clock() - began)';
	my %hook = (
		none  => '',
		empty => 'debug.sethook(function() end, "cr") ',
		told  => 'require "jpbpf" ',
	);
	local $ENV{LUA_CPATH} = "$bench->{jpbpf}" =~ s{jpbpf$}{examples/lua/?.so}r;
	my %best;
	for my $round (1 .. 3) {
		for my $how (keys %hook) {
			my ($status, $out) = Run::output(60, 'lua5.4', '-e', $hook{$how} . $script);
			die "lua: $out\n" if $status;
			$best{$how} = $out if !$best{$how} || $out < $best{$how};
		}
	}
	Table::row('fib of Lua with an empty hook, of without', $best{empty} / $best{none}, '');
	Table::row('fib of Lua that is told, of without', $best{told} / $best{none}, '');
}

1;
