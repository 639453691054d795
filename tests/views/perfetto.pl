#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Reads a trace of Perfetto as protoc --decode shows it, follows its ids as Perfetto does,
# and prints one line a fact.  An id that is not known before it is used is an error.
use strict;
use warnings;

# A message: field → list of values.
sub message {
	my %m;
	while (defined(my $line = <STDIN>)) {
		last if $line =~ /^\s*\}$/;
		if ($line =~ /^\s*(\w+) \{$/) {
			push @{ $m{$1} }, message();
		} elsif ($line =~ /^\s*(\w+): "(.*)"$/) {
			my ($name, $text) = ($1, $2);
			$text =~ s/\\([0-7]{3}|.)/length($1) == 3 ? chr(oct($1)) : $1/ge;
			push @{ $m{$name} }, $text;
		} elsif ($line =~ /^\s*(\w+): (.*)$/) {
			die "a field that is not known: $1\n" if $1 =~ /^\d/;
			push @{ $m{$1} }, $2;
		} else {
			die "cannot read: $line";
		}
	}
	return \%m;
}

my (%known, %frame, %seen, %name, %track);

sub one { my ($m, $field) = @_; return $m->{$field} ? $m->{$field}[0] : '' }

sub look_up {
	my ($sequence, $field, $id) = @_;
	return '' if $id eq '';
	die "no $field $id in sequence $sequence\n" if !$known{$sequence}{$field}{$id};
	return $known{$sequence}{$field}{$id};
}

sub text {
	my ($sequence, $field, $id) = @_;
	return $id eq '' ? '' : one(look_up($sequence, $field, $id), 'str');
}

# A frame, once: its name, mapping, file and line.
sub frame {
	my ($sequence, $id) = @_;
	return $frame{$sequence}{$id} if defined $frame{$sequence}{$id};
	my $f = look_up($sequence, 'frames', $id);
	my $name = text($sequence, 'function_names', one($f, 'function_name_id'));
	my $mapping = one($f, 'mapping_id');
	my ($path, $build_id) = ('', '');
	if ($mapping ne '') {
		my $m = look_up($sequence, 'mappings', $mapping);
		$path = text($sequence, 'mapping_paths', one($m, 'path_string_ids'));
		$build_id = unpack 'H*', text($sequence, 'build_ids', one($m, 'build_id'));
	}
	my $file = text($sequence, 'source_paths', one($f, 'source_path_iid'));
	my $line = one($f, 'line_number');
	print "frame $name [$path $build_id] $file:$line ", one($f, 'kind_str'), "\n"
		if !$seen{$name, $line}++;
	return $frame{$sequence}{$id} = $name;
}

for my $packet (@{ message()->{packet} }) {
	my $sequence = one($packet, 'trusted_packet_sequence_id');
	my $time = one($packet, 'timestamp');
	my $data = one($packet, 'interned_data');
	die "another clock\n" if one($packet, 'timestamp_clock_id') ne 3;
	$known{$sequence} = {} if one($packet, 'sequence_flags') eq '1';
	for my $field (keys %{ $data || {} }) {
		$known{$sequence}{$field}{ one($_, 'iid') } = $_ for @{ $data->{$field} };
	}
	if (my $clocks = one($packet, 'clock_snapshot')) {
		print 'clock ', one($_, 'clock_id'), ' ', one($_, 'timestamp'), "\n"
			for @{ $clocks->{clocks} };
	}
	if (my $tree = one($packet, 'process_tree')) {
		print 'process ', one($_, 'pid'), ' ', one($_, 'cmdline'), "\n"
			for @{ $tree->{processes} };
		print 'thread ', one($_, 'tgid'), '/', one($_, 'tid'), ' ', one($_, 'name'), "\n"
			for @{ $tree->{threads} };
	}
	if (my $defaults = one($packet, 'trace_packet_defaults')) {
		my $base = one(one($defaults, 'perf_sample_defaults'), 'timebase');
		$name{$sequence} = one($base, 'name');
		print "event $name{$sequence} ", one($base, 'period'), "\n";
	}
	if (my $sample = one($packet, 'perf_sample')) {
		if (my $lost = one($sample, 'kernel_records_lost')) {
			print "$time lost $lost\n";
			next;
		}
		my $stack = look_up($sequence, 'callstacks', one($sample, 'callstack_iid'));
		print "sample $name{$sequence} $time ", join('/', map { one($sample, $_) }
			qw(pid tid cpu timebase_count)), ' ',
			join(';', map { frame($sequence, $_) } @{ $stack->{frame_ids} }), "\n";
	}
	if (my $track = one($packet, 'track_descriptor')) {
		$track{ one($track, 'uuid') } = one($track, 'name');
	}
	if (my $event = one($packet, 'track_event')) {
		my $note = one($event, 'debug_annotations');
		print "$time $track{one($event, 'track_uuid')}: ", one($event, 'name'),
			$note ? ' ' . one($note, 'name') . '=' . one($note, 'uint_value') : '',
			one($event, 'type') eq '3' ? '' : ' no instant', "\n";
	}
	if (my $of = one($packet, 'trace_attributes')) {
		print one($_, 'key'), '=', one($_, 'string_value'), "\n" for @{ $of->{attribute} };
	}
}
