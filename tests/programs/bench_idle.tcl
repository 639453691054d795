# A process that waits: what a host has most of.  Ends by itself after ten minutes.
after 600000 {set done 1}
vwait done
