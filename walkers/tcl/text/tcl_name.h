/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names the frames that the Tcl walker's kernel side has written. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_NAME_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_NAME_H

#include "walkers/walker.h"

/* The read operation of struct walker. */
enum walker_says tcl_name(const u64 *word, const struct walker_texts *texts,
			  struct walker_text *out);

#endif
