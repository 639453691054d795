/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A version that nobody has looked at, without an evaluator; see tcl_old.S. */
#define LEVEL "8.8.1"
#define SHORT "8.8"
#include "tcl_old.S"
