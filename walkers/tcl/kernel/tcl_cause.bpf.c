/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Errors of Tcl.
 *
 * Whoever adds to an error's information calls Tcl_AddObjErrorInfo(), in Tcl 9
 * Tcl_AppendObjToErrorInfo(), for each level that the error leaves.  Interp.errorInfo is
 * NULL there for a new error only, however it was raised; it is then made of the result,
 * which is the message (generic/tclNamesp.c, core-8-6-13; core-9-0-1).  An error that is
 * raised again with its information (return -options) is not new.
 */
#include "bpf/cause.bpf.h"

#define OBJ_BYTES 8u /* Tcl_Obj.bytes */

int tcl_cause(struct cause *c)
{
	u64 info = 0, result = 0;
	char first = 0;

	if (!c)
		return 0;
	if (cause_read(&info, sizeof(info), c->value + (c->param & 0xffff)) ||
	    info)
		return 0;
	/* Interp.result, the first field, which only Tcl 8 uses: a text. */
	if (!cause_read(&result, sizeof(result), c->value) && result &&
	    !cause_read(&first, sizeof(first), result) && first)
		c->message = result;
	else if (!cause_read(&result, sizeof(result),
			     c->value + (c->param >> 16)))
		cause_read(&c->message, sizeof(c->message), result + OBJ_BYTES);
	return 1;
}
