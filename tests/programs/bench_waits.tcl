# A process that sleeps and wakes a thousand times a second.  Ends by itself after the
# number of seconds given.
proc rest {} {
    after 1
    return
}
proc step {} {
    rest
    return
}
set until [expr {[clock seconds] + [lindex $argv 0]}]
while {[clock seconds] < $until} step
