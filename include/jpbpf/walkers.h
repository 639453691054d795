/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The ids of the interpreters' walkers, from walkers/walkers.def. */
#ifndef JPBPF_WALKERS_H
#define JPBPF_WALKERS_H

enum walker_id {
#define WALKER(id, name, title) WALKER_##id,
#include "walkers/walkers.def"
#undef WALKER
	WALKER_COUNT
};

#endif
