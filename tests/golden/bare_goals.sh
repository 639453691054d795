# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# A goal that installs what is missing comes to that where everything is missing.
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS
for goal in $(awk '/^[a-z-]+:/ { goal = $1 } /tools\/install-deps/ { print goal }' \
	Makefile | tr -d :); do
	printf '%s: ' "$goal"
	make -n "$goal" PKG_CONFIG=nope CLANG=nope 2>&1 | sed -n 1p
done
