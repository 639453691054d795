/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The kernel side's maps in a test that is its own target. */
#ifndef JPBPF_TESTS_HOST_SELF_MAPS_H
#define JPBPF_TESTS_HOST_SELF_MAPS_H

#define SELF_FILES   256 /* entries of the map of files */
#define SELF_SLOTS   2	 /* of walks */
#define SELF_ENTRIES 64	 /* of a hash */

void self_maps_bind(void);

#endif
