# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Each way in which a sample, a walk or a frame can end short is asserted somewhere, by its
# name or by the sentence that tells it.  What is printed here is not.
sed -nE 's/^[[:space:]]*(X|WALKER_STATUS)\(([A-Z][A-Z0-9_]*), [A-Z]+, "(.*)"\).*/\2 \3/p' \
	include/jpbpf/status.h walkers/*/*.def | while read -r name text; do
	# Behind what it is about; what is not the same everywhere comes last.
	start=$(printf '%.24s' "${text##*: }")
	grep -rqwE "$name" tests --include='test_*.c' --include='fuzz_*.c' \
		--include='*.sh' --include='truth' --exclude=statuses.sh ||
		grep -rqF "$start" tests/root tests/unit tests/walkers ||
		echo "$name"
done
