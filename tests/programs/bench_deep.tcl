# A Tcl stack of distinct procs: the second argument says how many, level1 to
# levelN.  The last stays at the bottom and loops in bytecode, so that every
# sample finds all of them; it ends after the number of seconds given.
lassign $argv seconds levels
interp recursionlimit {} [expr {$levels + 200}]
set ::until [expr {[clock seconds] + $seconds}]

for {set level 1} {$level < $levels} {incr level} {
    proc level$level {} "level[expr {$level + 1}]\n return"
}
proc level$levels {} {
    while {[clock seconds] < $::until} {
        for {set i 0} {$i < 100000} {incr i} {
            set x [expr {($i * 7) % 13}]
        }
    }
}
level1
