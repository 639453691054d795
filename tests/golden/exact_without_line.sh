# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Where a line may be missing, that is all that may: not the name, not another line,
# not elsewhere.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\t%s\t%s\n' \
	truth_leaf_01 'a (f:1);b (f:2);truth_leaf_01' 'one' \
	truth_leaf_02 'a (f:1);b (f:2);truth_leaf_02' 'write trace' >"$work/table"
# compare STACK...
compare() {
	printf 'p;%s 4\n' 'a (f:1);b (f:2);truth_leaf_01' "$@" >"$work/folded"
	for limit in '' 'write trace: not known'; do
		echo "with '$limit'"
		WITHOUT_LINE=$limit tests/root/exact "$work/table" "$work/folded"
		echo "status $?"
	done
}
compare 'a;b (f:2);truth_leaf_02'
compare 'a;b (f:2);truth_leaf_02' 'a (f:1);b (f:2);truth_leaf_02'
compare 'a (f:3);b (f:2);truth_leaf_02'
compare 'c;b (f:2);truth_leaf_02'
compare 'a;b (f:2);truth_leaf_02' 'a;b (f:2);truth_leaf_01'
