/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of walkers, from walkers.def: NAME is defined as NAME_walker. */
#include "walkers/walker.h"

#define WALKER(id, name, title, traits) \
	extern const struct walker name##_walker;
#include "walkers/walkers.def"

const struct walker *const walkers[WALKER_COUNT] = {
#define WALKER(id, name, title, traits) [WALKER_##id] = &name##_walker,
#include "walkers/walkers.def"
};
