/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#define WHO  two
#define ROOM 208
#include "hop.h"
