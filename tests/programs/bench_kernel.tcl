# Time in the kernel.  Ends by itself after the number of seconds given.
set until [expr {[clock milliseconds] + 1000 * [lindex $argv 0]}]
set zero [open /dev/zero rb]
fconfigure $zero -buffersize 1000000
while {[clock milliseconds] < $until} {
    read $zero 1000000
}
