/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of walkers, from walkers.def: NAME is defined as NAME_walker. */
#include "walkers/walker.h"

#define WALKER(id, name, title) extern const struct walker name##_walker;
#include "walkers/walkers.def"
#undef WALKER

const struct walker *const walkers[WALKER_COUNT] = {
#define WALKER(id, name, title) [WALKER_##id] = &name##_walker,
#include "walkers/walkers.def"
#undef WALKER
};
