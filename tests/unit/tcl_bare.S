/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A Tcl 8.6 without an evaluator; see tcl_old.S. */
#define LEVEL "8.6.13"
#define SHORT "8.6"
#include "tcl_old.S"
