#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# R (rpy2) and Tcl (tkinter) in Python: every sample has Python's frames in their places, also while they start.
# Runs beside others.
# shellcheck source=tests/root/scene.sh disable=SC2119
. "$(dirname "$0")/scene.sh"
python=/usr/bin/python3 # Debian's, for which rpy2 and tkinter are packaged
need "$JPBPF" $python R "$PROGRAMS/truth_r.so" "$PROGRAMS/truth_tcl.so"
$python -c 'import rpy2, tkinter' || skip 'no rpy2 or no tkinter'

host $python "$sources/embed_rpy2.py" "$go" "$PROGRAMS/truth_r.so"
until_true 20 has_mapped "$target" truth_r.so || blame 'no rpy2' "$work/target.out"
host $python "$sources/embed_tkinter.py" "$go" "$PROGRAMS/truth_tcl.so"
until_true 20 has_mapped "$target" truth_tcl.so || blame 'no tkinter' "$work/target.out"
profile_hosts
verdict "Python with R and with Tcl is profiled, $taken samples"

# Python's main() is a jump to that.
begins python3 'Py_BytesMain;Py_RunMain;|exit;'
shows '^python3;Py_BytesMain;.*;base::\.First\.sys;' "$work/host"
verdict 'all stacks have Py_BytesMain(), also while R starts'
in_python='**~(_?Py[A-Za-z_]+|\[python3[.0-9]*\+0x[0-9a-f]+\])'
in_python="$in_python;_PyEval_EvalFrameDefault;$in_python"
ffi='~\[_rinterface_cffi_api\..*'
back='~\[_cffi_backend\..*'
tk='~\[_tkinter\..*'
rows python3 <<END
01 Py_BytesMain;Py_RunMain;$in_python;$ffi;outer;work;.Call;truth_burn
02 Py_BytesMain;Py_RunMain;$in_python;$ffi;calls;f;.External;$ffi;$back;$back;$in_python;$ffi;outer;work;.Call;truth_burn
03 Py_BytesMain;Py_RunMain;$in_python;$ffi;base::eval;outer;work;.Call;truth_burn
11 Py_BytesMain;Py_RunMain;$in_python;$tk;outer;work;::truth::burn
12 Py_BytesMain;Py_RunMain;$in_python;$tk;calls;back;$in_python;$tk;outer;work;::truth::burn
13 Py_BytesMain;Py_RunMain;$in_python;$tk;outer;work;::truth::burn
14 Py_BytesMain;Py_RunMain;$in_python;$tk;outer;work;::truth::burn
END
exit "$failed"
