# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Code that is found when it is wanted: source, packages, auto-loading, unknown.

set source [write part.tcl {set ignored 1; work $n; set ignored 2}]
proc sources n {source $::source}
path "source in a proc" {sources %n} {sources +source work}

proc sources_text n {source -encoding utf-8 $::source; return}
path "source -encoding" {sources_text %n} {sources_text +source work}
set source_outer [write outer.tcl "apply {n {source {$source}}} \$n"]
proc sources_more n {source $::source_outer; return}
path "source in source" {sources_more %n} {sources_more +source {apply {n}} +source work}
set in_namespace [write in_namespace.tcl {
	if {$n > 0} {::app::inner $n}
}]
proc ns_sources n {
	namespace eval ::app [list source $::in_namespace]
	return
}
path "namespace eval of source" {set ::app::n %n; ns_sources %n} \
	{ns_sources {namespace eval ::app} +source +if ::app::inner}
set defines [write defines.tcl {
	proc defined n {::truth::burn $n $::ms}
	namespace eval ::fromfile {proc defined n {::truth::burn $n $::ms}}
}]
source $defines
path "proc of a sourced file" {defined %n} defined
path "proc of a namespace of a sourced file" {::fromfile::defined %n} \
	::fromfile::defined

# A package with an index, and a module.
write pkg/pkgIndex.tcl {
	package ifneeded truthpkg 1.0 [list source [file join $dir truthpkg.tcl]]
	if {[info exists ::indexing]} {
		::truth::burn $::indexing $::ms
	}
}
write pkg/truthpkg.tcl {
	package provide truthpkg 1.0
	namespace eval ::truthpkg {
		proc serve n {::truth::burn $n $::ms}
		proc deeper n {serve $n; return}
	}
	if {[info exists ::loading]} {
		::truthpkg::serve $::loading
	}
}
set module [file dirname [write tm/truthmod-1.0.tm {
	package provide truthmod 1.0
	namespace eval ::truthmod {proc serve n {::truth::burn $n $::ms}}
	if {[info exists ::loading]} {
		::truthmod::serve $::loading
	}
}]]
lappend auto_path [file join $partname pkg]
::tcl::tm::path add $module
package require truthpkg
package require truthmod
path "proc of a package" {::truthpkg::deeper %n} \
	{::truthpkg::deeper ::truthpkg::serve}
path "proc of a module" {::truthmod::serve %n} ::truthmod::serve
proc requires {package n} {
	package forget $package
	set ::loading $n
	package require $package
	unset ::loading
	return
}
path "package require" {requires truthpkg %n} \
	{requires {+package require} +source +if ::truthpkg::serve}
path "package require of a module" {requires truthmod %n} \
	{requires {+package require} +source +if ::truthmod::serve}
proc searches n {
	set ::indexing $n
	catch {package require nosuchpackage}
	unset ::indexing
	return
}
# In 9.x a proc sources the index.
auto_load tclPkgUnknown
path "index of a package" {searches %n} \
	[concat {searches {+package require} ::tcl::tm::UnknownHandler
		+uplevel tclPkgUnknown} [info procs ::tcl::Pkg::source] \
		{+source +if}]

# ------------------------------------------------------- unknown, auto_load

set autoloaded [write autoloaded.tcl {
	proc autoloaded n {::truth::burn $n $::ms}
	if {[info exists ::loading]} {
		work $::loading
	}
}]
proc loads_by_name n {
	catch {rename ::autoloaded {}}
	set ::auto_index(::autoloaded) [list source $::autoloaded]
	set ::auto_index(autoloaded) [list source $::autoloaded]
	autoloaded $n
	return
}
path "proc that was auto-loaded" {loads_by_name %n} \
	{loads_by_name unknown +uplevel autoloaded}
path "while auto-loading" {
	set loading %n
	catch {rename ::autoloaded {}}
	set ::auto_index(autoloaded) [list source $::autoloaded]
	auto_load autoloaded
	unset loading
} {auto_load +source +if work}
proc auto_imported n {
	namespace eval ::empty {auto_import ::lib::*}
	work $n
	return
}
path "after auto_import" {auto_imported %n} {auto_imported work}
