# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# TclOO.

oo::class create Account {
	constructor {{n 0}} {if {$n} {::truth::burn $n $::ms}}
	destructor {if {[info exists ::dying]} {::truth::burn $::dying $::ms}}
	method withdraw n {::truth::burn $n $::ms}
	method pay n {my withdraw $n}
	method Hidden n {work $n}
	method shown n {my Hidden $n}
	method unknown {name n} {::truth::burn $n $::ms}
	forward forwarded work
}
oo::class create Savings {
	superclass Account
	method withdraw n {next $n}
}
oo::class create Fixed {
	superclass Savings
	method withdraw n {set result [next $n]; return $result}
}
oo::class create Logged {
	method logged args {next {*}$args}
}
oo::class create bank::Vault {
	superclass Account
	method open n {my pay $n}
}
Account create account
Savings create savings
Fixed create fixed
bank::Vault create vault
Account create filtered
oo::objdefine filtered {mixin Logged; filter logged}
Account create single
oo::objdefine single method special n {my withdraw $n}
path "method" {account withdraw %n} {{Account withdraw}}
path "my" {account pay %n} {{Account pay} {Account withdraw}}
path "private method" {account shown %n} {{Account shown} {Account Hidden} work}
path "next" {savings withdraw %n} {{Savings withdraw} {Account withdraw}}
path "next, twice" {fixed withdraw %n} \
	{{Fixed withdraw} {Savings withdraw} {Account withdraw}}
path "class in a namespace" {vault open %n} \
	{{::bank::Vault open} {Account pay} {Account withdraw}}
path "mixin and filter" {filtered withdraw %n} \
	{{Logged logged} {Account withdraw}}
path "method of one object" {single special %n} \
	{{single special} {Account withdraw}}
path "forwarded method" {account forwarded %n} work
path "unknown method" {account nosuchmethod %n} {{Account unknown}}
path "constructor" {[Account new %n] destroy} {{Account constructor}}
path "destructor" {
	set o [Account new]; set dying %n; $o destroy; unset dying
} {{Account destructor}}


# ------------------------------------------- mixins, filters, chains of next

oo::class create Plain {
	method act n {::truth::burn $n $::ms}
	method other n {my act $n; return}
}
oo::class create Loud {method act n {next $n; return}}
oo::class create Proud {method act n {next $n; return}}
oo::class create Mixed {
	superclass Plain
	mixin Loud Proud
}
Mixed create mixture
path "two mixins of a class" {mixture act %n} \
	{{Loud act} {Proud act} {Plain act}}
oo::class create Both {superclass Mixed}
Both create both
oo::class create Own {method act n {next $n; return}}
oo::objdefine both mixin Own
path "mixins of object and class" {both act %n} \
	{{Own act} {Loud act} {Proud act} {Plain act}}
oo::class create Watched {
	superclass Plain
	filter Guard Count
	method Guard args {next {*}$args}
	method Count args {set r [next {*}$args]; return $r}
}
Watched create watched
path "two filters of a class" {watched act %n} \
	{{Watched Guard} {Watched Count} {Plain act}}
path "filters of a method called by my" {watched other %n} {
	{Watched Guard} {Watched Count} {Plain other}
	{Watched Guard} {Watched Count} {Plain act}}
Plain create sieve
oo::objdefine sieve {
	method Sieve args {next {*}$args}
	filter Sieve
}
path "filter of an object" {sieve act %n} {{sieve Sieve} {Plain act}}
oo::class create Left {superclass Plain; method act n {next $n; return}}
oo::class create Right {superclass Plain; method act n {next $n; return}}
oo::class create Diamond {
	superclass Left Right
	method act n {next $n; return}
	method straight n {return}
}
oo::class create Jumper {
	superclass Left Right
	method act n {nextto Plain $n; return}
}
[Diamond create diamond] straight 0
Jumper create jumper
path "next in a diamond" {diamond act %n} \
	{{Diamond act} {Left act} {Right act} {Plain act}}
path "nextto" {jumper act %n} {{Jumper act} {Plain act}}
set frames {}
oo::class create deep0 {method go n {::truth::burn $n $::ms}}
for {set i 1} {$i <= 15} {incr i} {
	oo::class create deep$i \
		"superclass deep[expr {$i - 1}]; method go n {next \$n; return}"
}
for {set i 15} {$i >= 0} {incr i -1} {
	lappend frames [list deep$i go]
}
deep15 create abyss
path "next, 15 times" {abyss go %n} $frames

# -------------------------------------------------- constructors, destructors

oo::class create Base {
	constructor n {if {$n} {::truth::burn $n $::ms}}
	destructor {if {[info exists ::dying]} {::truth::burn $::dying $::ms}}
}
oo::class create Derived {
	superclass Base
	constructor n {next $n}
	destructor {next}
}
path "constructors by next" {[Derived new %n] destroy} \
	{{Derived constructor} {Base constructor}}
path "constructor by create, in a proc" {
	apply {n {[Derived create ::brief $n] destroy}} %n
} {{apply {n}} {Derived constructor} {Base constructor}}
path "destructors by next" {
	set o [Derived new 0]; set dying %n; $o destroy; unset dying
} {{Derived destructor} {Base destructor}}
proc forgets o {rename $o {}; return}
path "destructor by rename" {
	set o [Base new 0]; set dying %n; forgets $o; unset dying
} {forgets rename {Base destructor}}

# ----------------------------------------------------------- ways to a method

oo::class create Forwards {
	superclass Plain
	forward lambda apply {n {work $n}}
	forward mine my act
	forward prefixed ::app::outer
	method unknown {name n} {work $n}
	method lambdas n {apply {{self n} {$self act $n; return}} [self] $n}
	method ups n {uplevel 1 [list work $n]; return}
	method tail n {tailcall my act $n}
	method twice n {my twice_more $n; return}
	method twice_more n {[self] act $n; return}
	method sorts n {lsort -command [list [self] order $n] {2 1}; return}
	method order {n a b} {::truth::burn $n $::ms; return 0}
	method coded n {eval [namespace code [list my act $n]]; return}
	method {two words} n {work $n}
	method resumes n {coroutine inside [self] yields $n; inside; return}
	method yields n {yield; ::truth::burn $n $::ms}
	export {two words}
	self method make n {work $n}
}
Forwards create forwards
path "forward to a lambda" {forwards lambda %n} {{apply {n}} work}
path "forward to my" {forwards mine %n} {{Plain act}}
path "forward to a proc of a namespace" {forwards prefixed %n} \
	{::app::outer ::app::inner}
path "unknown method of a subclass" {forwards nosuch %n} \
	{{Forwards unknown} work}
path "lambda in a method" {forwards lambdas %n} \
	{{Forwards lambdas} {apply {self n}} {Plain act}}
proc calls_ups n {forwards ups $n; return}
path "uplevel in a method" {calls_ups %n} {calls_ups {Forwards ups} work}
path "tailcall in a method" {forwards tail %n} {{Plain act}}
path "self" {forwards twice %n} \
	{{Forwards twice} {Forwards twice_more} {Plain act}}
path "lsort -command with a method" {forwards sorts %n} \
	{{Forwards sorts} lsort {Forwards order}}
path "namespace code of my" {forwards coded %n} \
	{{Forwards coded} {~namespace eval ::oo::Obj[0-9]+} {Plain act}}
path "space in a method's name" {forwards {two words} %n} \
	{{Forwards two words} work}
path "method of a class object" {Forwards make %n} {{Forwards make} work}
path "coroutine in a method" {forwards resumes %n} \
	{{Forwards resumes} {~coroutine (::oo::Obj[0-9]+::)?inside} {Forwards yields}}
proc make_redefined {} {
	oo::class create Redefined {
		method act n {
			oo::define Redefined method act n {}
			::truth::burn $n $::ms
		}
	}
}
path "method redefined while running" {
	make_redefined; [Redefined new] act %n; Redefined destroy
} {{Redefined act}}
oo::class create Dying {
	method act n {my destroy; ::truth::burn $n $::ms}
	method last n {[info object class [self]] destroy; ::truth::burn $n $::ms}
}
path "object destroyed while it runs" {[Dying new] act %n} {{Dying act}}
path "class renamed" {
	oo::class create Formerly {method act n {::truth::burn $n $::ms}}
	Formerly create formerly
	rename Formerly ::app::Latterly
	formerly act %n
	::app::Latterly destroy
} {{::app::Latterly act}}
path "method renamed" {
	oo::class create Renames {method before n {::truth::burn $n $::ms}}
	oo::define Renames renamemethod before behind
	[Renames new] behind %n
	Renames destroy
} {{Renames behind}}
oo::class create Meta {
	superclass oo::class
	method build n {[my new] go $n; return}
	method spare n {work $n}
}
Meta create product {method go n {::truth::burn $n $::ms}}
path "metaclass" {product build %n} {{Meta build} {product go}}
oo::class create Copied {
	method <cloned> source {::truth::burn $::dying $::ms}
}
Copied create original
path "oo::copy" {set dying %n; [oo::copy original] destroy; unset dying} \
	{::oo::copy {Copied <cloned>}}
path "script of oo::define" {oo::define Plain {::work %n}} \
	{::oo::define work}
proc makes_class n {
	oo::class create Transient [list ::work $n]
	Transient destroy
}
path "script of oo::class create" {makes_class %n} \
	{makes_class ::oo::define work}
