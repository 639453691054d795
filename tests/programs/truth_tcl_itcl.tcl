# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# [incr Tcl] classes: needs the package itcl.
#
# A method is `CLASS METHOD`, as in TclOO on which itcl stands: alone when it is
# called from outside, for there the object's command leads to it without
# recursion in C.  Within its class a method's bare name is a command written in C,
# ::CLASS::METHOD, and so is a class's proc; it stands outside of the body, with
# the functions of libitcl that lead there.  It stands there once, though itcl runs
# it in two steps.

package require itcl
set itcl **[library Itcl]

itcl::class Shape {
	public variable size 1
	public variable watched 1 {if {$::dying} {::work $::dying}}
	constructor {{n 0}} {if {$n} {::truth::burn $n $::ms}}
	destructor {if {$::dying} {::truth::burn $::dying $::ms}}
	public method draw n {::truth::burn $n $::ms}
	public method draws n {draw $n; return}
	public method by_this n {$this draw $n; return}
	public method calls n {::work $n; return}
	protected method hidden n {::truth::burn $n $::ms}
	public method shows n {hidden $n; return}
	public proc classwide n {::truth::burn $n $::ms}
	public proc calls_proc n {classwide $n; return}
	public method uses_proc n {classwide $n; return}
	public method later n
	public method sorts n {
		lsort -command [itcl::code $this order $n] {2 1}
		return
	}
	public method order {n a b} {::truth::burn $n $::ms; return 0}
	public method lambdas n {apply {n {::work $n; return}} $n}
	public method ups n {uplevel 1 [list ::work $n]; return}
	public method again {depth n} {
		if {$depth} {
			$this again [incr depth -1] $n
		} else {
			::truth::burn $n $::ms
		}
	}
	public method resumes n {
		coroutine ::of_itcl $this yields $n
		::of_itcl
		return
	}
	public method yields n {yield; ::truth::burn $n $::ms}
}
itcl::body Shape::later n {::truth::burn $n $::ms}
itcl::class Square {
	inherit Shape
	constructor {{n 0}} {Shape::constructor $n} {}
	public method draw n {chain $n; return}
	public method base n {Shape::draw $n; return}
}
itcl::class Tile {
	inherit Square
	public method draw n {chain $n; return}
}
namespace eval shapes {
	itcl::class Round {
		inherit ::Shape
		public method roll n {::truth::burn $n $::ms}
		public method rolls n {$this roll $n; return}
	}
}
set dying 0
Shape shape
Square square
Tile tile
shapes::Round round

path "itcl method" {shape draw %n} {{Shape draw}}
path "itcl method by \$this" {shape by_this %n} {{Shape by_this} {Shape draw}}
path "itcl method that calls a proc" {shape calls %n} {{Shape calls} work}
path "itcl body" {shape later %n} {{Shape later}}
path "itcl method, in a proc" {apply {n {shape draw $n; return}} %n} \
	{{apply {n}} {Shape draw}}
path "itcl method calls itself" {shape again 20 %n} [lrepeat 21 {Shape again}]
path "itcl class in a namespace" {round rolls %n} \
	{{::shapes::Round rolls} {::shapes::Round roll}}
path "itcl inherited method" {round draw %n} {{Shape draw}}
path "itcl lambda in a method" {shape lambdas %n} \
	{{Shape lambdas} {apply {n}} work}
proc calls_itcl_ups n {shape ups $n; return}
path "itcl uplevel in a method" {calls_itcl_ups %n} \
	{calls_itcl_ups {Shape ups} work}
path "itcl coroutine in a method" {shape resumes %n} \
	{{Shape resumes} {coroutine of_itcl} {Shape yields}}
path "itcl method of its own object" {shape draws %n} \
	[list {Shape draws} ::Shape::draw $itcl {Shape draw}]
path "itcl protected method" {shape shows %n} \
	[list {Shape shows} {~(::Shape::)?hidden} $itcl {Shape hidden}]
path "itcl base class's method" {square base %n} \
	[list {Square base} ::Shape::draw $itcl {Shape draw}]
path "itcl chain" {square draw %n} \
	[list {Square draw} chain $itcl {Shape draw}]
path "itcl chain, twice" {tile draw %n} \
	[list {Tile draw} chain $itcl {Square draw} chain \
		$itcl {Shape draw}]
path "itcl class proc" {Shape::classwide %n} \
	[list ::Shape::classwide $itcl Shape::classwide]
path "itcl class proc from another" {Shape::calls_proc %n} \
	[list ::Shape::calls_proc $itcl Shape::calls_proc \
		::Shape::classwide $itcl classwide]
path "itcl class proc from a method" {shape uses_proc %n} \
	[list {Shape uses_proc} ::Shape::classwide $itcl classwide]
path "itcl::code" {shape sorts %n} \
	{{Shape sorts} lsort {namespace eval ::Shape} {Shape order}}
path "itcl constructor" {itcl::delete object [Shape #auto %n]} \
	[list ::itcl::parser::handleClass $itcl {Shape constructor}]
path "itcl constructor of a base class" {itcl::delete object [Square #auto %n]} \
	[list ::itcl::parser::handleClass $itcl {Square constructor} \
		{~::oo::Obj[0-9]+::my} $itcl \
		::Shape::constructor $itcl {Shape constructor}]
set ensemble {::itcl::internal::commands::ensembles::[0-9]+::object}
path "itcl destructor" {
	set o [Shape #auto]; set dying %n; itcl::delete object $o; set dying 0
} [list ~$ensemble $itcl {Shape destructor}]
path "itcl configure" {
	set dying %n; shape configure -watched 2; set dying 0
} [list {Shape configure} ::itcl::builtin::configure $itcl work]
proc make_bodied {} {
	itcl::class Bodied {public method act n {
		itcl::body ::Bodied::act n {}
		::truth::burn $n $::ms
	}}
	Bodied bodied
}
path "itcl body replaced while running" {
	make_bodied; bodied act %n; itcl::delete class Bodied
} {{Bodied act}}
