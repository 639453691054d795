/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A common information entry of .eh_frame, which libdw has taken apart. */
#ifndef JPBPF_USER_ELF_CIE_H
#define JPBPF_USER_ELF_CIE_H

#include <elfutils/libdw.h>

/* How FDEs of this CIE write their start (DW_EH_PE_*); -EBADMSG when that is not
 * said. */
int cie_encoding(const Dwarf_CIE *cie);

#endif
