/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#define WHO  one
#define ROOM 64
#include "hop.h"
