/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the walkers know of their languages, whichever files and processes. */
#ifndef JPBPF_USER_KERNEL_GLOBALS_H
#define JPBPF_USER_KERNEL_GLOBALS_H

struct engine;

/* Fill every walker's global_map. */
void globals_store(const struct engine *e);

#endif
