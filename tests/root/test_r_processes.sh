#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Every stack in children of R must be exact, and in R that is embedded in another
# program, on its main thread or on another; see tests/root/truth.
# Runs beside others.
truth=$(dirname "$0")/truth
status=0
DURATION=${DURATION:-4} "$truth" rprocesses || status=1
DURATION=${DURATION:-2} "$truth" embed main 'main;truth_run;truth_script;go' ||
	status=1
DURATION=${DURATION:-2} "$truth" embed thread '**;truth_run;truth_script;go' ||
	status=1
exit $status
