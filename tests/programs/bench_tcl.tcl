# A typical Tcl stack: twelve procs deep, on the default native stack of tclsh.
# Ends by itself after the number of seconds given.
set ::until [expr {[clock seconds] + [lindex $argv 0]}]

proc work {} {
    for {set i 0} {$i < 20000} {incr i} {
        set x [expr {($i * 7) % 13}]
    }
}
for {set level 1} {$level <= 11} {incr level} {
    set next [expr {$level == 11 ? "work" : "level[expr {$level + 1}]"}]
    proc level$level {} "$next\n return"
}
while {[clock seconds] < $::until} {
    level1
}
