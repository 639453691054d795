# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
"""Tcl in Python: embed_tkinter.py FILE TRUTH_TCL.SO

Waits until FILE is there, starts Tcl, calls Tcl from Python and Python from Tcl."""
import ctypes
import os
import sys
import time
import tkinter

go, so = sys.argv[1:]
ctypes.CDLL(so)
while not os.path.exists(go):
    time.sleep(0.005)

tcl = tkinter.Tcl().tk
tcl.call("load", so, "Truth")
tcl.eval("""
    proc work n {truth::burn $n 2}
    proc outer n {work $n}
    proc calls n {back $n}
""")


def back(n):
    tcl.call("outer", n)


tcl.createcommand("back", back)
for i in range(40):
    tcl.call("outer", 11)
    tcl.call("calls", 12)
    tcl.eval("outer 13")
    tcl.eval("after 0 {outer 14}")
    tcl.dooneevent(0)
