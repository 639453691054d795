# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
"""R in Python: embed_rpy2.py FILE TRUTH_R.SO

Waits until FILE is there, starts R, calls R from Python and Python from R."""
import ctypes
import os
import sys
import time

# truth_r.so is not linked with R.
sys.setdlopenflags(sys.getdlopenflags() | os.RTLD_GLOBAL)
from rpy2 import rinterface

go, so = sys.argv[1:]
ctypes.CDLL(so)
while not os.path.exists(go):
    time.sleep(0.005)

rinterface.initr()
evaluate, parse = rinterface.baseenv["eval"], rinterface.baseenv["parse"]


def run(text):
    return evaluate(parse(text=rinterface.StrSexpVector([text])))


run("""{
    compiler::enableJIT(0)
    dyn.load('%s')
    work <- function(n) .Call('truth_burn', n, 2)
    outer <- function(n) work(n)
    calls <- function(f, n) f(n)
}""" % so)
outer = rinterface.globalenv["outer"]
calls = rinterface.globalenv["calls"]


@rinterface.rternalize
def back(n):
    return outer(n)


for i in range(40):
    outer(rinterface.IntSexpVector([1]))
    calls(back, rinterface.IntSexpVector([2]))
    run("outer(3L)")
