# Equal units of work, about 20 ms each, twelve procs deep: one for each line
# that comes through the first fifo, answered with a line through the second.
# Between two units the process sleeps, so that its CPU clock is exact.
lassign $argv in out
set in [open $in r]
set out [open $out w]

proc work {} {
    for {set i 0} {$i < 20000} {incr i} {
        set x [expr {($i * 7) % 13}]
    }
}
for {set level 1} {$level <= 11} {incr level} {
    set next [expr {$level == 11 ? "work" : "level[expr {$level + 1}]"}]
    proc level$level {} "$next\n return"
}
while {[gets $in line] >= 0} {
    for {set i 0} {$i < 17} {incr i} {
        level1
    }
    puts $out done
    flush $out
}
