#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Ground truth in every R that Debian packages.
# shellcheck source=tests/matrix/scene.sh
. "$(dirname "$0")/scene.sh"

for suite in bullseye bookworm trixie forky sid; do
	truth_of packaged_r $suite
done
exit "$failed"
