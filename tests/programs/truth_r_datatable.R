# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# data.table; part of truth_r.R.  What stands between `[` and the expression is
# the
# package's own, C code and all; the routines in its stripped file have no names
# that could be expected.

suppressMessages(library(data.table))
setDTthreads(1)
tab <- data.table(g = rep(1:2, 3), v = 1:6)
setkey(tab, g)
seen_first <- function(n) work(n)
dt <- paste0("**~(.*data.*table.*|base::.*|eval|<anonymous>|[.].*|FUN|[[].*|",
	     "forder.*|dogroups)")
path("data.table: j", tab[, work(n)], "~(data.table::)?[[].data.table", dt,
     "work",
     I)
path("data.table: j by group", tab[, { if (g == 1) work(n); 1 }, by = g],
     "~(data.table::)?[[].data.table", dt, "work", I)
path("data.table: i", tab[{ work(n); 1:2 }], "~(data.table::)?[[].data.table", dt,
     "work", I)
path("data.table: :=", tab[, w := { work(n); 1 }],
     "~(data.table::)?[[].data.table",
     dt, "work", I)
path("data.table: .SD", tab[, lapply(.SD, function(x) { work(n); 1 }), by = g,
	.SDcols = "v"], "~(data.table::)?[[].data.table", dt, "..FUN1", "work", I)
path("data.table: by an expression", tab[, .N, by = .(k = { work(n); g })],
     "~(data.table::)?[[].data.table", dt, "work", I)
path("data.table: in a function", (function(d, m) d[, seen_first(m)])(tab, n),
     "<anonymous>", "~(data.table::)?[[].data.table", dt, "seen_first", "work", I)
path("data.table: chained", tab[, .(v = sum(v)), by = g][, work(n)],
     "~(data.table::)?[[].data.table", dt, "work", I)
path("data.table: in data.table", tab[, { if (g == 1) tab[, work(n)]; 1 },
     by = g],
     "~(data.table::)?[[].data.table", dt, "~(data.table::)?[[].data.table", dt,
     "work", I)
