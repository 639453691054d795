/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The only file that the Makefile tells version and commit. */
#include "user/cli/version.h"

const char version_text[] = JPBPF_VERSION "" JPBPF_COMMIT;
