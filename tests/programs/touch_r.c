/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* .Call("touch", pages): so many page faults; returns how many the kernel says. */
#include <Rinternals.h>

#include "touch.h"

SEXP touch(SEXP pages);

SEXP touch(SEXP pages)
{
	return ScalarInteger(touch_pages(asInteger(pages)));
}
