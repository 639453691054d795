# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Tk: handlers of events, widgets and variables.  Needs the package Tk and a
# display.
#
# Between a command of Tk and the script that it causes stand functions of libtk,
# the exported ones by their names.

package require Tk
set tk {**~\[lib(tcl9)?tk[.0-9]*\.so\+0x[0-9a-f]+\]|(Tk|Ttk|TkBind|Xt?)_?[A-Za-z_]+}

wm geometry . 300x300+0+0
pack [button .button -text press -command {press $leaf}]
pack [checkbutton .check -variable checked]
pack [entry .entry -textvariable entered]
pack [listbox .list -height 2 -listvariable listed]
pack [canvas .canvas -width 50 -height 50]
pack [scale .scale -from 0 -to 100 -variable scaled -orient horizontal]
pack [text .text -height 2 -width 20 -yscrollcommand {scrolled .text}]
pack [ttk::button .themed -text press -command {press $leaf}]
.canvas create rectangle 0 0 50 50 -tags box -fill red
.text tag add tagged 1.0 end
menu .menu -tearoff 0 -postcommand {press $leaf}
.menu add command -label go -command {press $leaf}
set leaf 0
set pressed 0

# Tk calls these at other times, too: then there is no leaf.
proc press n {
	if {$n} {
		set ::leaf 0
		::truth::burn $n $::ms
		set ::pressed 1
	}
}
proc scrolled {widget args} {press $::leaf}
bind . <<Custom>> {press $leaf}
bind .entry <Key-a> {press $leaf; break}
bind .canvas <Configure> {press $leaf}
bind Special <<Special>> {press $leaf}
.canvas bind box <Button-1> {press $leaf}
.text tag bind tagged <Button-1> {press $leaf}
update

path "event generate" {set leaf %n; event generate . <<Custom>>} \
	[list [word event generate] $tk press]
proc generates n {set ::leaf $n; event generate . <<Custom>>; return}
path "event generate in a proc" {generates %n} \
	[list generates [word event generate] $tk press]
path "event generate in a method" {custom send %n} \
	[list {Custom send} [word event generate] $tk press]
oo::class create Custom {
	method send n {set ::leaf $n; event generate . <<Custom>>; return}
	method receive n {press $n; return}
}
Custom create custom
path "event for the queue" {
	set leaf %n; event generate . <<Custom>> -when tail; update
} [list update $tk press]
path "event and vwait" {
	set leaf %n; event generate . <<Custom>> -when tail; vwait pressed
} [list vwait $tk press]
path "event and tkwait" {
	set leaf %n; event generate . <<Custom>> -when tail
	tkwait variable pressed
} [list [word tkwait variable] $tk press]
path "key" {
	set leaf %n; focus -force .entry; event generate .entry <Key-a>
} [list [word event generate] $tk press]
path "binding of a tag" {
	bindtags .list {.list Special all}
	set leaf %n; event generate .list <<Special>>
} [list [word event generate] $tk press]
path "binding of a canvas item" {
	event generate .canvas <Motion> -x 9 -y 9
	set leaf %n; event generate .canvas <Button-1> -x 9 -y 9
} [list [word event generate] $tk press]
path "binding to a method" {
	bind . <<Method>> [list custom receive %n]
	event generate . <<Method>>
} [list [word event generate] $tk {Custom receive} press]
path "handler that calls C" {
	bind . <<Ext>> [list truth::call [list press %n]]
	event generate . <<Ext>>
} [concat [list [word event generate] $tk] ::truth::call $c press]
path "handler in a handler" {
	bind . <<Outer>> [list generates %n]
	event generate . <<Outer>>
} [list [word event generate] $tk generates [word event generate] $tk press]
path "button invoke" {set leaf %n; .button invoke} [list [word .button invoke] $tk press]
path "button invoke in a proc" {
	apply {n {set ::leaf $n; .button invoke; return}} %n
} [list {apply {n}} [word .button invoke] $tk press]
path "themed button" {set leaf %n; .themed invoke} \
	[list [word .themed invoke] $tk press]
path "menu invoke" {set leaf %n; .menu invoke 0} [list [word .menu invoke] $tk press]
proc on_entered {n args} {press $n}
path "-textvariable, typed" {
	trace add variable entered write {on_entered %n}
	.entry insert end x
	trace remove variable entered write {on_entered %n}
} [list [word .entry insert] $tk on_entered press]
path "-variable of a check button" {
	trace add variable checked write {on_entered %n}
	.check toggle
	trace remove variable checked write {on_entered %n}
} [list [word .check toggle] $tk on_entered press]
path "-variable of a scale" {
	trace add variable scaled write {on_entered %n}
	.scale set [expr {1 + ($scaled + 1) & 31}]
	trace remove variable scaled write {on_entered %n}
} [list [word .scale set] $tk on_entered press]
path "after and vwait under Tk" {after 0 {press %n}; vwait pressed} \
	{vwait press}
path "after idle and update under Tk" {after idle {press %n}; update} \
	{update press}
path "configure event" {
	set leaf %n
	.canvas configure -width [expr {40 + ([winfo width .canvas] + 1) & 15}]
	update
} [list update $tk press]
path "-yscrollcommand" {
	.text delete 1.0 end; update
	set leaf %n; .text insert end [string repeat "x\n" 20]; update
} [list update $tk scrolled press]
path "destroy" {
	frame .passing; bind .passing <Destroy> {press %n}; destroy .passing
} [list destroy $tk press]
path "validation" {
	entry .valid -validate key -vcmd {press %n; expr 1}
	.valid insert end x
	destroy .valid
} [list [word .valid insert] $tk press]
path "wm protocol by a proc" {
	wm protocol . WM_DELETE_WINDOW {press %n}
	eval [wm protocol . WM_DELETE_WINDOW]
} press
path "selection handler" {
	selection handle . {apply {{n a b} {press $n; return x}} %n}
	selection own .
	selection get
} [list [word selection get] $tk {apply {n a b}} press]
path "error in a handler" {
	interp bgerror {} {apply {{n args} {press $n; return}} %n}
	bind . <<Bad>> {error bad}
	event generate . <<Bad>>
	update
	interp bgerror {} ::tcl::Bgerror
} {update {apply {n args}} press}
