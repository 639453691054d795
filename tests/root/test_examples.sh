#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# The examples: errors that carry the stacks of their process.
# Runs beside others.
# shellcheck source=tests/root/scene.sh
. "$(dirname "$0")/scene.sh"
need "$JPBPF" perl
examples=$here/../../examples
export JPBPF

# names FILE: the names of the first thread's frames in a file of JSON, innermost first.
names() {
	perl -MJSON::PP -e 'local $/; my $all = decode_json(<STDIN>);
		print map { "$_->{name}\n" } @{$all->[0]{frames}}' <"$1"
}

if command -v tclsh8.6 >/dev/null; then
	cat >"$work/error.tcl" <<-END
	source $examples/tcl/error_dump.tcl
	proc report {message options} {
		puts \$::out [dict get \$options -threads]
		puts "\$message [dict get \$options -code]"
		set ::done 1
	}
	set out [open $work/tcl.json w]
	error_dump::install report
	after 1 {error "it is broken"}
	vwait done
	close \$out
	END
	tclsh8.6 "$work/error.tcl" >"$work/said" 2>&1 || blame 'failed' "$work/said"
	[ "$(cat "$work/said")" = 'it is broken 1' ] || blame 'another error' "$work/said"
	names "$work/tcl.json" >"$work/names" || blame 'no JSON' "$work/tcl.json"
	for name in exec error_dump::handle vwait; do
		grep -qE "^(::)?$name\$" "$work/names" || blame "no $name" "$work/names"
	done
	verdict 'tcl: a background error has the stacks'
fi

if command -v Rscript >/dev/null; then
	cat >"$work/error.R" <<-END
	source("$examples/r/error_dump.R")
	inner <- function(x) stop("it is broken: ", x)
	outer <- function(x) sapply(x, inner)
	e <- tryCatch(with_dump(outer(7)), error = function(e) e)
	cat(conditionMessage(e), "\n")
	writeLines(e\$threads, "$work/r.json")
	END
	Rscript --vanilla "$work/error.R" >"$work/said" 2>&1 || blame 'failed' "$work/said"
	[ "$(cat "$work/said")" = 'it is broken: 7 ' ] || blame 'another error' "$work/said"
	names "$work/r.json" >"$work/names" || blame 'no JSON' "$work/r.json"
	for name in system2 stop inner sapply outer; do
		grep -qE "^([a-z]*::)?$name\$" "$work/names" || blame "no $name" "$work/names"
	done
	verdict 'r: an error has the stack where it was raised'

	cat >"$work/error.R" <<-END
	source("$examples/r/error_dump.R")
	inner <- function(x) stop("it is broken: ", x)
	options(error = quote({ dump_at_error(); writeLines(last_dump(), "$work/r.json"); q() }))
	inner(8)
	END
	rm -f "$work/r.json"
	Rscript --vanilla "$work/error.R" >"$work/said" 2>&1
	names "$work/r.json" >"$work/names" || blame 'no JSON' "$work/said"
	grep -q '^inner$' "$work/names" || blame 'no inner' "$work/names"
	verdict 'r: options(error)'
fi

# Without privileges the error is what it was, and says why there are no stacks.
if command -v tclsh8.6 >/dev/null; then
	JPBPF=false tclsh8.6 "$work/error.tcl" >"$work/said" 2>&1
	[ "$(cat "$work/said")" = 'it is broken 1' ] || blame 'another error' "$work/said"
	grep -q '^no stacks: ' "$work/tcl.json" || blame 'no reason' "$work/tcl.json"
	verdict 'without stacks the reason is there'
fi
exit $failed
