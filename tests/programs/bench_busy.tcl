# A Tcl program as people write them: dictionaries, strings, sorting by a
# command, namespaces, an event loop.
set ::until [expr {[clock seconds] + [lindex $argv 0]}]
namespace eval ::app {
    proc compare {a b} { string compare [lindex $a 1] [lindex $b 1] }
    proc parse {line} {
        set out {}
        foreach pair [split $line ,] {
            lassign [split $pair =] key value
            dict lappend out $key $value
        }
        return $out
    }
    proc batch {} {
        set rows {}
        for {set i 0} {$i < 60} {incr i} {
            set d [parse "id=$i,name=row[expr {$i * 7 % 60}],tag=a,tag=b"]
            lappend rows [list $i [dict get $d name]]
        }
        lsort -command ::app::compare $rows
    }
    proc tick {} {
        for {set i 0} {$i < 5} {incr i} batch
        if {[clock seconds] < $::until} { after 0 ::app::tick } else { set ::done 1 }
    }
}
after 0 ::app::tick
vwait ::done
