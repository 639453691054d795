/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the guest's request for lines stands; see lines.c. */
#ifndef LINES_H
#define LINES_H

#define LINES_PAGE 0x6c696e65000ull

#endif
